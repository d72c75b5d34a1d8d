"""A stream of ImageNet's pictures, decoded and cut by worker processes."""

from collections.abc import Callable
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils.data import Dataset

from reactivate.datasets.picture_sets import PictureSet
from reactivate.datasets.pictures import decode
from reactivate.datasets.streams import Numbered, Stream
from reactivate.datasets.transforms import v2
from reactivate.foundation.seeding import generator

Crop = Literal["random_resized_crop", "random_crop", "scale_jitter", "middle", "ten"]
Interpolation = Literal["bilinear", "bicubic", "random"]


def picture_transform(
    crop: Crop,
    size: int = 224,
    resize: int = 256,
    largest: int | None = None,
    interpolation: Interpolation = "bilinear",
) -> Callable[[Tensor], Tensor]:
    """A transform that cuts a square out of a picture; training crops flip half of the time.

    ======================= ================================================================
    ``random_resized_crop`` of random size and place
    ``random_crop``         anywhere in the picture, its shorter side made ``resize``
    ``scale_jitter``        the same, the shorter side drawn from ``resize`` to ``largest``
    ``middle``              the middle of the picture, its shorter side made ``resize``
    ``ten``                 middle and corners, and all mirrored: ``(10, 3, size, size)``
    ======================= ================================================================

    Pictures are interpolated as ``interpolation`` says; ``random`` is bilinear or bicubic, each
    for half of them. The result is uint8; normalise it batch-wise on the device.
    """
    if interpolation == "random":
        either = [
            picture_transform(crop, size, resize, largest, mode)
            for mode in ("bilinear", "bicubic")
        ]
        chosen: Callable[[Tensor], Tensor] = v2.RandomChoice(either)
        return chosen
    made = {"antialias": True, "interpolation": v2.InterpolationMode(interpolation)}
    shorter = v2.Resize(resize, **made)
    anywhere = [v2.RandomCrop(size), v2.RandomHorizontalFlip()]
    steps: dict[Crop, Callable[[], list[Any]]] = {
        "random_resized_crop": lambda: [
            v2.RandomResizedCrop(size, **made),
            v2.RandomHorizontalFlip(),
        ],
        "random_crop": lambda: [shorter, *anywhere],
        "scale_jitter": lambda: [
            v2.RandomShortestSize(list(range(resize, (largest or resize) + 1)), **made),
            *anywhere,
        ],
        "middle": lambda: [shorter, v2.CenterCrop(size)],
        "ten": lambda: [shorter, v2.TenCrop(size), torch.stack],
    }
    composed: Callable[[Tensor], Tensor] = v2.Compose(steps[crop]())
    return composed


class _CutPictures(Dataset[tuple[Tensor, int]]):
    """Pictures of a set as a transform cuts them, whoever cuts them and when."""

    def __init__(
        self, pictures: PictureSet, transform: Callable[[Tensor], Tensor], shortest: int | None
    ) -> None:
        self.pictures = pictures
        self.transform = transform
        self.shortest = shortest

    def __getitem__(self, asked: Numbered) -> tuple[Tensor, int]:
        key, number = asked
        decoded = decode(*self.pictures.read(number), self.shortest)
        picture = torch.from_numpy(decoded.copy()).permute(2, 0, 1)
        with torch.random.fork_rng(devices=[]):  # the process may train with torch's own stream
            # torch's function for this seeds all devices, which takes longer than the cut
            seed = generator(key, number, "cut").initial_seed()
            torch.default_generator.manual_seed(seed)
            return self.transform(picture), int(self.pictures.labels[number])


class ImageStream(Stream):
    """Batches of pictures: images ``(N, 3, H, W)`` uint8 and labels ``(N,)``.

    Args:
        pictures: The set.
        transform: Change of one picture; it may draw from torch's own random stream.
        workers: See :class:`reactivate.datasets.streams.Stream`.
        shortest: See :func:`reactivate.datasets.pictures.decode`.
    """

    def __init__(
        self,
        pictures: PictureSet,
        transform: Callable[[Tensor], Tensor],
        workers: int,
        shortest: int | None = None,
    ) -> None:
        super().__init__(_CutPictures(pictures, transform, shortest), workers)
