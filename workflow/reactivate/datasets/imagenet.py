"""A stream of ImageNet's pictures, decoded and cut by worker processes."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from reactivate.datasets.picture_sets import PictureSet
from reactivate.datasets.pictures import decode
from reactivate.datasets.transforms import v2
from reactivate.datasets.workers import outlive_sigterm
from reactivate.foundation.seeding import generator

PREFETCHED = 4  # batches that each worker makes ahead
Numbered = tuple[object, int]  # key of the random stream, number of the picture

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


class _Order:
    """The pictures of every batch of one pass; another pass may have others."""

    def __init__(self) -> None:
        self.batches: Iterable[list[Numbered]] = ()

    def __iter__(self) -> Iterator[list[Numbered]]:
        return iter(self.batches)


class ImageStream:
    """Batches of pictures: images ``(N, 3, H, W)`` uint8 and labels ``(N,)``.

    Workers live from the first pass to the last. Every picture has a random stream of its own, so
    batches are the same with any number of workers, and of processes that share the batches.

    Args:
        pictures: The set.
        transform: Change of one picture; it may draw from torch's own random stream.
        workers: Number of worker processes; with 0 this process does the work.
        shortest: See :func:`reactivate.datasets.pictures.decode`.
    """

    def __init__(
        self,
        pictures: PictureSet,
        transform: Callable[[Tensor], Tensor],
        workers: int,
        shortest: int | None = None,
    ) -> None:
        if workers < 0:
            raise ValueError(f"workers is {workers}; accepted: 0 or more")
        self.order = _Order()
        self.passes = 0
        self.loader: DataLoader[Any] = DataLoader(
            _CutPictures(pictures, transform, shortest),
            batch_sampler=self.order,
            num_workers=workers,
            generator=torch.Generator(),  # else each pass would draw from torch's own stream
            pin_memory=torch.cuda.is_available(),
            persistent_workers=workers > 0,
            prefetch_factor=PREFETCHED if workers else None,
            worker_init_fn=outlive_sigterm,
        )

    def batches(
        self, numbers: Iterable[Tensor], key: object = ""
    ) -> Iterator[tuple[Tensor, Tensor]]:
        """One pass: a batch for each tensor of numbers of pictures.

        A pass that was left unfinished cannot go on once another has begun.

        Args:
            numbers: Pictures of every batch.
            key: Names the random streams of this pass.

        Raises:
            ValueError: A picture is corrupt; the message names it.
        """
        self.order.batches = ([(key, number) for number in part.tolist()] for part in numbers)
        self.passes += 1
        this = self.passes
        try:
            for batch in self.loader:
                yield batch
                if self.passes != this:
                    raise RuntimeError("another pass over the same pictures has begun")
        except ValueError as error:  # a worker's, with its traceback before it
            last = str(error).rstrip().splitlines()[-1]
            error.__traceback__ = None  # which holds the workers, and their end up for seconds
            raise ValueError(last.removeprefix("ValueError: ")) from None
