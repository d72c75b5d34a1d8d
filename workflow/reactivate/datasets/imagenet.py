"""A stream of ImageNet's pictures from a folder, decoded by worker processes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils.data import DataLoader

from reactivate.datasets.pictures import decode
from reactivate.datasets.transforms import v2
from reactivate.datasets.workers import outlive_sigterm
from reactivate.models.vision import torchvision


def load_picture(path: str) -> Tensor:
    """One picture as RGB ``(3, H, W)``, uint8; a corrupt one is a ``ValueError`` that names it."""
    return torch.from_numpy(decode(path, Path(path).read_bytes()).copy()).permute(2, 0, 1)


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


@dataclass(frozen=True)
class ImageStream:
    """Batches of a part of ImageNet: images ``(N, 3, H, W)`` uint8 and labels ``(N,)``.

    Args:
        folder: The folder that holds ``train/<class>/*.JPEG`` and ``val/<class>/*.JPEG``.
        part: ``train``, which is shuffled, or ``val``.
        transform: Change of one picture, made in a worker.
        batch_size: Pictures per batch; the last one may be smaller.
        workers: Number of worker processes, at least one: their random streams come from
            ``generator``.
        generator: Random stream of the order and of the workers' streams.
        rank: Rank of the process among those that share each batch.
        processes: Number of processes that share each batch.
    """

    folder: Path
    part: Literal["train", "val"]
    transform: Callable[[Tensor], Tensor]
    batch_size: int
    workers: int
    generator: torch.Generator
    rank: int = 0
    processes: int = 1

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        if self.workers < 1:
            raise ValueError(f"workers is {self.workers}; accepted: 1 or more")
        try:
            yield from self._loader()
        except ValueError as error:  # a worker's, with its traceback before it
            last = str(error).rstrip().splitlines()[-1]
            error.__traceback__ = None  # which holds the workers, and their end up for seconds
            raise ValueError(last.removeprefix("ValueError: ")) from None

    def _loader(self) -> DataLoader[Any]:
        """Torch's loader of the pictures that are this process's."""
        files = torchvision.datasets.ImageFolder(
            self.folder / self.part, transform=self.transform, loader=load_picture
        )
        return DataLoader(
            files,
            batch_sampler=self._rows(len(files)),
            num_workers=self.workers,
            # other pictures, other crops
            generator=torch.Generator().manual_seed(self.generator.initial_seed() + self.rank),
            pin_memory=torch.cuda.is_available(),
            worker_init_fn=outlive_sigterm,
        )

    def _rows(self, count: int) -> list[list[int]]:
        """Numbers of this process's pictures in every batch."""
        order = torch.arange(count)
        if self.part == "train":
            order = torch.randperm(count, generator=self.generator)
        batches = torch.split(order, self.batch_size)
        parts = [batch.tensor_split(self.processes) for batch in batches]
        return [part[self.rank].tolist() for part in parts]
