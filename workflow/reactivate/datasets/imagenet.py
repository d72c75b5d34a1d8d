"""Stream ImageNet from the user's folder: too large for memory, decoded by worker processes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils.data import DataLoader

from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.models.vision import torchvision
from reactivate.preparation.pictures import decode

v2 = import_module(f"{torchvision.__name__}.transforms.v2")  # which torchvision leaves out
WNID = re.compile(r"n\d{8}")


def check_imagenet(folder: Path, wanted: FolderSet) -> None:
    """Does nothing if the folder is ``train/<wnid>/*.JPEG`` and ``val/<wnid>/*.JPEG``.

    Raises:
        ValueError: It is not; says what was found and what is expected.
    """
    names = {part: _classes(folder / part, wanted) for part in ("train", "val")}
    if odd := sorted(set(names["train"]) ^ set(names["val"])):
        raise ValueError(
            f"{folder} ({wanted.variable}): train and val differ in the classes {_some(odd)}; "
            "every class needs a folder in both"
        )


def _classes(part: Path, wanted: FolderSet) -> list[str]:
    expected = f"expected {wanted.classes} folders n01440764 and so on"
    if not part.is_dir():
        raise ValueError(
            f"{part} does not exist; {expected} in it. Set {wanted.variable} to the folder above"
        )
    entries = sorted(part.iterdir())
    names = [path.name for path in entries if path.is_dir() and WNID.fullmatch(path.name)]
    if len(names) != wanted.classes:
        files = sum(path.is_file() for path in entries)
        raise ValueError(
            f"{part} has {len(names)} class folders and {files} files; {expected}. "
            f"Sort the pictures into one folder per class, or correct {wanted.variable}"
        )
    if others := [path.name for path in entries if path.is_dir() and path.name not in names]:
        raise ValueError(f"{part} also has the folders {_some(others)}; {expected}. Remove them")
    counts = {name: sum(1 for _ in (part / name).glob("*.JPEG")) for name in names}
    if empty := [name for name, count in counts.items() if not count]:
        raise ValueError(
            f"{part} has no *.JPEG in {_some(empty)}; supply the whole set, "
            f"or correct {wanted.variable}"
        )
    images = wanted.train if part.name == "train" else wanted.test
    if sum(counts.values()) != images:
        raise ValueError(
            f"{part} has {sum(counts.values())} files *.JPEG, expected {images}; "
            f"supply the whole set, or correct {wanted.variable}"
        )
    return names


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def load_picture(path: str) -> Tensor:
    """One picture as RGB ``(3, H, W)``, uint8; a corrupt one is a ``ValueError`` that names it."""
    return torch.from_numpy(decode(path, Path(path).read_bytes()).copy()).permute(2, 0, 1)


Crop = Literal["random_resized_crop", "random_crop", "scale_jitter", "middle", "ten"]


def picture_transform(
    crop: Crop, size: int = 224, resize: int = 256, largest: int | None = None
) -> Callable[[Tensor], Tensor]:
    """Cuts a square out of a picture; all but the measuring crops flip half of the time.

    ======================= ================================================================
    ``random_resized_crop`` of random size and place
    ``random_crop``         anywhere in the picture, its shorter side made ``resize``
    ``scale_jitter``        the same, the shorter side drawn from ``resize`` to ``largest``
    ``middle``              the middle of the picture, its shorter side made ``resize``
    ``ten``                 middle and corners, and all mirrored: ``(10, 3, size, size)``
    ======================= ================================================================

    The result is uint8; normalise it batch-wise on the device.
    """
    shorter = v2.Resize(resize, antialias=True)
    anywhere = [v2.RandomCrop(size), v2.RandomHorizontalFlip()]
    steps: dict[Crop, Callable[[], list[Any]]] = {
        "random_resized_crop": lambda: [
            v2.RandomResizedCrop(size, antialias=True),
            v2.RandomHorizontalFlip(),
        ],
        "random_crop": lambda: [shorter, *anywhere],
        "scale_jitter": lambda: [
            v2.RandomShortestSize(list(range(resize, (largest or resize) + 1)), antialias=True),
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
        folder: That holds ``train`` and ``val``; see :func:`check_imagenet`.
        part: ``train`` is shuffled.
        transform: Of one picture, in a worker.
        batch_size: Pictures per batch; the last one may be smaller.
        workers: Processes, at least one: their random streams come from ``generator``.
        generator: Of the order and of the workers' streams.
        rank: Of the process among those that share each batch.
        processes: That share each batch.
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
        )

    def _rows(self, count: int) -> list[list[int]]:
        """This process's pictures of every batch."""
        order = torch.arange(count)
        if self.part == "train":
            order = torch.randperm(count, generator=self.generator)
        batches = torch.split(order, self.batch_size)
        parts = [batch.tensor_split(self.processes) for batch in batches]
        return [part[self.rank].tolist() for part in parts]
