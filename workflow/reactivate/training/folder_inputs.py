"""Batches for an image network from a folder too large for memory: ImageNet."""

from collections.abc import Iterator
from pathlib import Path

import torch

from reactivate.datasets.imagenet import ImageStream, picture_transform
from reactivate.datasets.images import Normalisation
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.experiment.changes import Pictures
from reactivate.experiment.recipes import Training
from reactivate.foundation.seeding import generator
from reactivate.layers.portions import PortionGenerator
from reactivate.training.inputs import TEST_BATCH, Alterations, Batch, Part, Share

# of ImageNet's training pixels, as torchvision's references have them
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)


class StreamInputs:
    """Pictures decoded and cut by worker processes, normalised in batches.

    Args:
        folder: That holds ``train`` and ``val``.
        wanted: What the catalog says of the set.
        recipe: Batch size, crops, normalisation.
        key: Dataset and seed, of the random streams.
        device: Where batches are normalised.
        workers: Processes that decode; the random crops depend on their number.
    """

    def __init__(
        self,
        folder: Path,
        wanted: FolderSet,
        recipe: Training,
        key: tuple[str, int],
        device: torch.device,
        workers: int,
    ) -> None:
        if recipe.pictures is None:
            raise ValueError(
                f"the recipe says nothing of pictures, but {key[0]} has pictures of any size; "
                "add pictures to the recipe in config/papers"
            )
        self.folder = folder
        self.recipe = recipe
        self.pictures: Pictures = recipe.pictures
        self.key = key
        self.device = device
        self.images = wanted.train
        self.workers = workers
        self.normalise = Normalisation(MEAN, STD if recipe.normalise == "mean_std" else None)
        self.alter = Alterations(recipe, MEAN)
        self.steps = recipe.batches(wanted.train)

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(MEAN), self.pictures.size, self.pictures.size

    def epoch(self, number: int, share: Share) -> Iterator[Batch]:
        cut = self.pictures
        stream = ImageStream(
            self.folder,
            "train",
            picture_transform(cut.train, cut.size, cut.resize, cut.largest, cut.interpolation),
            self.recipe.batch_size,
            self.workers,
            generator(*self.key, number, "order"),
            share.rank,
            share.processes,
        )
        changes = PortionGenerator()
        changes.manual_seed(generator(*self.key, number, "colours", 0).initial_seed())
        size = self.recipe.batch_size
        starts = range(0, self.images, size)[: self.steps]
        strict = not self.recipe.whole_batches  # else the stream has a rest
        for done, (images, labels) in zip(starts, stream, strict=strict):
            total = min(size, self.images - done)
            changes.portion = share.portion(total)
            seen = images.to(self.device, non_blocking=True)
            x = self.alter(seen, self.normalise, changes)
            yield Batch(x, labels.to(self.device), total)

    def measured(self, part: Part, views: int) -> Iterator[Batch]:
        cut = self.pictures
        stream = ImageStream(
            self.folder,
            "val" if part == "test" else "train",
            picture_transform(
                "middle" if views == 1 else "ten",
                cut.size,
                cut.resize,
                interpolation=cut.test_interpolation,
            ),
            max(1, TEST_BATCH // views),
            self.workers,
            generator(*self.key, "measured"),
        )
        for images, labels in stream:
            flat = images if views == 1 else images.flatten(0, 1)
            yield Batch(self.normalise(flat.to(self.device)), labels, len(labels))
