"""Batches for an image network from a set too large for memory: ImageNet."""

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor

from reactivate.datasets.imagenet import Crop, ImageStream, picture_transform
from reactivate.datasets.images import Normalisation
from reactivate.datasets.picture_sets import PictureSet
from reactivate.experiment.changes import Pictures
from reactivate.experiment.recipes import Training
from reactivate.foundation.seeding import generator
from reactivate.layers.portions import PortionGenerator
from reactivate.training.inputs import (
    TEST_BATCH,
    Alterations,
    Batch,
    Part,
    Share,
    fractions,
    kept_rows,
    shuffled_batches,
)

# of ImageNet's training pixels, as torchvision's references have them
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)


class StreamInputs:
    """Pictures decoded and cut by worker processes, normalised in batches.

    Args:
        sets: The pictures of both parts.
        recipe: Batch size, crops, normalisation.
        key: Dataset and seed, of the random streams.
        device: Where batches are normalised.
        workers: Processes that decode; nothing else depends on their number.
        fraction: Share of the training pictures that is used, the same for everyone who asks.
        test_fraction: That of the test pictures; None for the same share.
    """

    def __init__(
        self,
        sets: Mapping[Part, PictureSet],
        recipe: Training,
        key: tuple[str, int],
        device: torch.device,
        workers: int,
        fraction: float = 1.0,
        test_fraction: float | None = None,
    ) -> None:
        if recipe.pictures is None:
            raise ValueError(
                f"the recipe says nothing of pictures, but {key[0]} has pictures of any size; "
                "add pictures to the recipe in config/papers"
            )
        self.sets = sets
        self.recipe = recipe
        self.pictures: Pictures = recipe.pictures
        self.key = key
        self.device = device
        self.workers = workers
        shares = fractions(fraction, test_fraction)
        self.rows = {
            part: kept_rows(len(pictures.labels), key[0], part, shares[part])
            for part, pictures in sets.items()
        }
        self.normalise = Normalisation(MEAN, STD if recipe.normalise == "mean_std" else None)
        self.alter = Alterations(recipe, MEAN)
        self.steps = recipe.batches(len(self.rows["train"]))
        self.streams = dict[tuple[Part, int], ImageStream]()  # by part and views; 0: to train

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(MEAN), self.pictures.size, self.pictures.size

    def count(self, part: Part) -> int:
        return len(self.rows[part])

    def epoch(self, number: int, share: Share) -> Iterator[Batch]:
        random = generator(*self.key, number, "order")
        size = self.recipe.batch_size
        whole = shuffled_batches(self.rows["train"], size, self.steps, random)
        changes = PortionGenerator()
        changes.manual_seed(generator(*self.key, number, "colours", 0).initial_seed())
        key = "/".join(map(str, (*self.key, number)))
        stream = self._stream("train", 0).batches(map(share.of, whole), key)
        for batch, (images, labels) in zip(whole, stream, strict=True):
            changes.portion = share.portion(len(batch))
            seen = images.to(self.device, non_blocking=True)
            x = self.alter(seen, self.normalise, changes)
            yield Batch(x, labels.to(self.device, non_blocking=True), len(batch))

    def measured(
        self, part: Part, views: int, numbers: Tensor | None = None, size: int = TEST_BATCH
    ) -> Iterator[Batch]:
        rows = self.rows[part] if numbers is None else self.rows[part][numbers]
        stream = self._stream(part, views)
        for images, labels in stream.batches(torch.split(rows, max(1, size // views))):
            flat = images if views == 1 else images.flatten(0, 1)
            x = self.normalise(flat.to(self.device, non_blocking=True))
            yield Batch(x, labels, len(labels))

    def _stream(self, part: Part, views: int) -> ImageStream:
        """The stream of pictures cut for training, or in views; its workers wait between uses."""
        if (part, views) not in self.streams:
            cut = self.pictures
            if views == 0:
                random = (cut.train, cut.size, cut.resize, cut.largest, cut.interpolation)
                transform = picture_transform(*random)
            else:
                way: Crop = "middle" if views == 1 else "ten"
                mode = cut.test_interpolation
                transform = picture_transform(way, cut.size, cut.resize, interpolation=mode)
            self.streams[part, views] = ImageStream(
                self.sets[part], transform, self.workers, cut.shortest
            )
        return self.streams[part, views]
