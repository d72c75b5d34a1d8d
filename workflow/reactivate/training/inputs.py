"""Batches for an image network: from memory, or streamed; the same for every process of a run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal, NamedTuple, Protocol

import torch
from torch import Tensor
from torch.nn import functional

from reactivate.datasets.augment import Augmentation, colour_moves, crop
from reactivate.datasets.erasing import RandomErasing
from reactivate.datasets.images import ImageData, Normalisation, batches, channel_statistics
from reactivate.experiment.recipes import Training
from reactivate.foundation.device import sent
from reactivate.foundation.seeding import generator
from reactivate.layers.portions import Portion

Part = Literal["train", "test"]
PARTS: tuple[Part, ...] = ("train", "test")
TEST_BATCH = 500
Change = Callable[[Tensor, torch.Generator], Tensor]


class Batch(NamedTuple):
    """Images and labels of this process, and how many all processes have together.

    Attributes:
        x: Images in a tensor; in a list, where their sizes differ.
        y: Labels in a tensor; boxes or masks, where a task has those.
        total: Images of the whole batch.
    """

    x: Any
    y: Any
    total: int


@dataclass(frozen=True)
class Share:
    """The part of every batch that a process computes."""

    rank: int = 0
    processes: int = 1

    def of(self, tensor: Tensor) -> Tensor:
        """The rows of a batch that are this process's."""
        return tensor if self.processes == 1 else tensor.tensor_split(self.processes)[self.rank]

    def portion(self, total: int) -> Portion:
        """The images of a batch that are this process's."""
        return Portion.whole(total).divided(self.processes)[self.rank]


ALONE = Share()


class Inputs(Protocol):
    """The images that a run reads, in batches."""

    steps: int  # per epoch

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height and width of an image as the network reads it."""

    def count(self, part: Part) -> int:
        """Number of images of a part."""

    def epoch(self, number: int, share: Share) -> Iterator[Batch]:
        """Training batches of an epoch, counted from 1: floats, augmented and normalised."""

    def measured(
        self, part: Part, views: int, numbers: Tensor | None = None, size: int = TEST_BATCH
    ) -> Iterator[Batch]:
        """Images of a part, ``views`` (1 or 10) in a row for each, ``size`` of all in a batch.

        They are those of the given numbers, and no other is read; or all, in their order.
        """


def subset(
    data: ImageData, dataset: str, fraction: float, test_fraction: float | None = None
) -> ImageData:
    """A random fraction of both parts of a dataset, the same for everyone who asks.

    Args:
        data: The whole of it.
        dataset: Its name.
        fraction: Share of the training images.
        test_fraction: Share of the test images; None for the same share.
    """
    chosen = dict(vars(data))
    for part, share in fractions(fraction, test_fraction).items():
        if share < 1.0:
            kept = kept_rows(len(chosen[f"{part}_labels"]), dataset, part, share)
            chosen |= {name: chosen[name][kept] for name in (f"{part}_labels", f"{part}_images")}
    return ImageData(**chosen)


def fractions(train: float, test: float | None) -> dict[Part, float]:
    """The share of each part that is used; None for the same share as of the training part."""
    return {"train": train, "test": train if test is None else test}


def kept_rows(count: int, dataset: str, part: Part, fraction: float) -> Tensor:
    """Numbers of a random fraction of the images of a part; all, in their order, for 1."""
    if fraction == 1.0:
        return torch.arange(count)
    order = torch.randperm(count, generator=generator(dataset, part, "subset"))
    return order[: max(1, round(fraction * count))]


def shuffled_batches(rows: Tensor, size: int, steps: int, random: torch.Generator) -> list[Tensor]:
    """Numbers of the images of each batch of an epoch, all shuffled; no more than ``steps``."""
    order = rows[torch.randperm(len(rows), generator=random)]
    return list(torch.split(order, size)[:steps])


def without_fold(data: ImageData, dataset: str, fold: int, folds: int) -> ImageData:
    """The training images but those of one fold; folds depend on the dataset only."""
    if fold not in range(folds):
        raise ValueError(f"seed {fold} leaves no fold out; accepted: 0 to {folds - 1}")
    order = torch.randperm(len(data.train_labels), generator=generator(dataset, "folds"))
    kept = order[torch.arange(len(order)) % folds != fold].sort().values
    return replace(
        data, train_images=data.train_images[kept], train_labels=data.train_labels[kept]
    )


def smaller(images: Tensor, side: int) -> Tensor:
    """Images averaged down to a side that divides theirs; uint8, rounded."""
    height = images.shape[-1]
    if height == side:
        return images
    if height % side:
        raise ValueError(f"images of side {height} cannot be averaged down to side {side}")
    pieces = [
        functional.avg_pool2d(piece.float(), height // side).round().to(torch.uint8)
        for piece in torch.split(images, 1000)
    ]
    return torch.cat(pieces)


def lit(
    images: Tensor, deviation: float, normalised: Normalisation, random: torch.Generator
) -> Tensor:
    """Normalised images with their colours moved; see :func:`colour_moves`."""
    moves = colour_moves(len(images), deviation, random)
    unit = torch.tensor(normalised.std or (1.0, 1.0, 1.0))
    return images + sent((moves / unit).to(images.dtype), images.device)[:, :, None, None]


class Alterations:
    """What happens to training images after they were cut: operations, colours, rectangles.

    Args:
        recipe: What is done.
        mean: Mean colour of the images, for pixels from 0 to 1, which comes in from outside.
    """

    def __init__(self, recipe: Training, mean: tuple[float, ...]) -> None:
        changes = recipe.augmentation
        self.lighting = changes.lighting
        self.operations: Change | None = None
        self.erasing: Change | None = None
        if changes.rand_augment is not None:
            from reactivate.datasets.rand_augment import RandAugment  # and torchvision

            fill = tuple(round(255 * share) for share in mean)
            self.operations = RandAugment(fill, **changes.rand_augment.model_dump())
        if changes.erasing is not None:
            self.erasing = RandomErasing(**changes.erasing.model_dump())

    def __call__(
        self, images: Tensor, normalise: Normalisation, random: torch.Generator
    ) -> Tensor:
        """What a network reads of images ``(N, C, H, W)``, uint8, which are normalised between."""
        if self.operations is not None:
            images = self.operations(images, random)
        x = normalise(images)
        if self.lighting:
            x = lit(x, self.lighting, normalise, random)
        return x if self.erasing is None else self.erasing(x, random)


class MemoryInputs:
    """A whole dataset on the device, augmented in batches.

    Random streams are keyed by dataset, seed and epoch, so an epoch is the same whether or not the
    run was interrupted before it. All processes of a run make the same batch and take their share.

    Args:
        data: Images and labels; moved to ``device`` once.
        recipe: Batch size, normalisation and augmentation.
        key: Dataset and seed.
        device: Where batches are made.
    """

    def __init__(
        self, data: ImageData, recipe: Training, key: tuple[str, int], device: torch.device
    ) -> None:
        if recipe.side is not None:
            data = replace(
                data,
                train_images=smaller(data.train_images, recipe.side),
                test_images=smaller(data.test_images, recipe.side),
            )
        statistics = channel_statistics(data.train_images)
        self.data = data.to(device)
        self.recipe = recipe
        self.key = key
        self.normalise = Normalisation(
            statistics.mean, statistics.std if recipe.normalise == "mean_std" else None
        )
        changes = recipe.augmentation
        self.alter = Alterations(recipe, statistics.mean)
        self.augment = Augmentation(changes.padding, changes.flip, changes.shift, changes.degrees)
        side = data.train_images.shape[-1]
        pictures = recipe.pictures
        self.side = side if pictures is None else round(side * pictures.size / pictures.resize)
        self.steps = recipe.batches(len(data.train_labels))

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.data.train_images.shape[1], self.side, self.side

    def count(self, part: Part) -> int:
        return len(getattr(self.data, f"{part}_labels"))

    def epoch(self, number: int, share: Share) -> Iterator[Batch]:
        order = generator(*self.key, number, "order")
        changes = generator(*self.key, number, "augmentation")
        images, labels = self.data.train_images, self.data.train_labels
        whole = batches(images, labels, self.recipe.batch_size, order)
        for x, y in islice(whole, self.steps):
            cut = self._cut_somewhere(self.augment(x, changes), changes)
            x = self.alter(cut, self.normalise, changes)
            yield Batch(share.of(x), share.of(y), len(y))

    def measured(
        self, part: Part, views: int, numbers: Tensor | None = None, size: int = TEST_BATCH
    ) -> Iterator[Batch]:
        images = getattr(self.data, f"{part}_images")
        labels = getattr(self.data, f"{part}_labels")
        if numbers is not None:
            images, labels = images[numbers], labels[numbers]
        for x, y in batches(images, labels, max(1, size // views)):
            yield Batch(self.normalise(self._cut_views(x, views)), y, len(y))

    def _cut_somewhere(self, images: Tensor, random: torch.Generator) -> Tensor:
        free = images.shape[-1] - self.side
        if not free:
            return images
        places = torch.randint(free + 1, (2, len(images)), generator=random)
        return _cut(images, self.side, *sent(places, images.device))

    def _cut_views(self, images: Tensor, views: int) -> Tensor:
        """Views of images: the middle; or middle and corners, and all of them mirrored."""
        free = images.shape[-1] - self.side
        middle = (round(free / 2), round(free / 2))  # as torchvision
        if views == 1:
            return _cut_at(images, self.side, *middle)
        places = [middle, (0, 0), (0, free), (free, 0), (free, free)]
        both = (images, images.flip(3))
        cuts = [_cut_at(seen, self.side, *place) for seen in both for place in places]
        return torch.stack(cuts, dim=1).flatten(0, 1)


def _cut_at(images: Tensor, side: int, top: int, left: int) -> Tensor:
    return images[..., top : top + side, left : left + side]


def _cut(images: Tensor, side: int, top: Tensor, left: Tensor) -> Tensor:
    return crop(images, 0, top, left, side)
