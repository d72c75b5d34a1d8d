"""Batches of scenes: pictures with their objects, or with the class of every pixel."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from reactivate.datasets.coco import Objects
from reactivate.datasets.detection_items import DetectionItems, together
from reactivate.datasets.segmentation_items import (
    IGNORED,
    Cut,
    SegmentationItems,
    Segments,
    pixel_counts,
)
from reactivate.datasets.streams import Stream
from reactivate.experiment.recipes import Segmented, Training
from reactivate.foundation.device import sent
from reactivate.foundation.seeding import generator
from reactivate.segmentation.balance import balanced_weights
from reactivate.training.inputs import PARTS, Batch, Part, Share, kept_rows, shuffled_batches

LABELS = 256  # numbers that a pixel of a picture of classes can have


class SceneInputs:
    """Scenes read by worker processes; tested one by one, because their sizes may differ.

    Args:
        items: Scenes of each part: a picture and what is in it.
        workers: Processes that decode; nothing else depends on their number.
        recipe: Batch size.
        key: Dataset and seed, of the random streams.
        device: Where batches go.
        fraction: Share of both parts that is used, the same for everyone who asks.
        together: Makes a batch of a list of scenes; torch's own way if None.
    """

    def __init__(
        self,
        items: Mapping[Part, DetectionItems | SegmentationItems],
        workers: int,
        recipe: Training,
        key: tuple[str, int],
        device: torch.device,
        fraction: float,
        together: Callable[[list[Any]], Any] | None = None,
    ) -> None:
        self.streams = {part: Stream(items[part], workers, together) for part in PARTS}
        self.recipe = recipe
        self.key = key
        self.device = device
        self.rows = {part: kept_rows(len(items[part]), key[0], part, fraction) for part in PARTS}
        self.steps = recipe.batches(len(self.rows["train"]))

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height and width of the first test scene; others may have other sizes."""
        first = next(iter(self.measured("test", 1, torch.tensor([0]))))
        channels, height, width = first.x[0].shape
        return channels, height, width

    def count(self, part: Part) -> int:
        """Number of scenes of a part."""
        return len(self.rows[part])

    def epoch(self, number: int, share: Share) -> Iterator[Batch]:
        """Training batches of an epoch, counted from 1.

        Raises:
            ValueError: A batch has fewer scenes than there are processes.
        """
        random = generator(*self.key, number, "order")
        size = self.recipe.batch_size
        whole = shuffled_batches(self.rows["train"], size, self.steps, random)
        fewest = min(map(len, whole))
        if fewest < share.processes:
            raise ValueError(
                f"a batch of {fewest} scenes cannot be divided among {share.processes} processes; "
                "accepted: a scene or more for each. Train in fewer processes, or leave out what "
                "does not fill a batch (whole_batches: true in the recipe)"
            )
        key = "/".join(map(str, (*self.key, number)))
        stream = self.streams["train"].batches(map(share.of, whole), key)
        for batch, (x, y) in zip(whole, stream, strict=True):
            yield Batch(self.there(x), self.there(y), len(batch))

    def measured(
        self, part: Part, views: int, numbers: Tensor | None = None, size: int = 1
    ) -> Iterator[Batch]:
        """Test scenes, one in a batch, as they are.

        Raises:
            ValueError: Others than test scenes, more than one view, or several scenes in a batch
                are asked for.
        """
        if part != "test":
            raise ValueError(
                f"scenes of part {part!r} are to be measured, but these are cut and mirrored at "
                "random; accepted: test. Remove measure_train from the recipe"
            )
        if (views, size) != (1, 1):
            raise ValueError(
                f"{views} views in batches of {size} are asked for; accepted: 1 and 1, scenes "
                "have different sizes. Remove ten_crop from the recipe"
            )
        rows = self.rows[part] if numbers is None else self.rows[part][numbers]
        for x, y in self.streams["test"].batches(torch.split(rows, 1)):
            yield Batch(self.there(x), self.there(y), 1)

    def there(self, content: Any) -> Any:
        """Tensors, alone or in lists and dictionaries, on the device."""
        if isinstance(content, Tensor):
            return sent(content, self.device)
        if isinstance(content, dict):
            return {name: self.there(value) for name, value in content.items()}
        if isinstance(content, list | tuple):
            return [self.there(value) for value in content]
        return content


class DetectionInputs(SceneInputs):
    """Pictures from 0 to 1, in a list, and boxes and labels of the objects of each.

    Args:
        sets: Pictures and objects of each part.
        instances: Annotations of the test part, by which detections are judged.
        recipe: Batch size, and the share of pictures that is mirrored.
        key: Dataset and seed, of the random streams.
        device: Where batches go.
        workers: Processes that decode; nothing else depends on their number.
        fraction: Share of both parts that is used.
    """

    def __init__(
        self,
        sets: Mapping[str, Objects],
        instances: Mapping[str, Any],
        recipe: Training,
        key: tuple[str, int],
        device: torch.device,
        workers: int,
        fraction: float,
    ) -> None:
        items: dict[Part, DetectionItems] = {
            "train": DetectionItems(sets["train"], recipe.augmentation.flip),
            "test": DetectionItems(sets["test"]),
        }
        super().__init__(items, workers, recipe, key, device, fraction, together)
        self.categories = sets["test"].categories
        self.truth = self._of_kept(instances, sets["test"].image_ids)

    def _of_kept(self, instances: Mapping[str, Any], image_ids: Tensor) -> dict[str, Any]:
        """The annotations of the test pictures that are used."""
        kept = set(image_ids[self.rows["test"]].tolist())
        images = [image for image in instances["images"] if image["id"] in kept]
        known = [one for one in instances["annotations"] if one["image_id"] in kept]
        return {**instances, "images": images, "annotations": known}


class SegmentationInputs(SceneInputs):
    """Normalised pictures, and the class of every pixel.

    Args:
        sets: Pictures and their classes, of each part.
        recipe: Batch size, crops, flips and blur.
        key: Dataset and seed, of the random streams.
        device: Where batches go.
        workers: Processes that decode; nothing else depends on their number.
        fraction: Share of both parts that is used.
    """

    def __init__(
        self,
        sets: Mapping[str, Segments],
        recipe: Segmented,
        key: tuple[str, int],
        device: torch.device,
        workers: int,
        fraction: float,
    ) -> None:
        cut = Cut(recipe.crop, recipe.crop, recipe.augmentation.flip, recipe.blur)
        items: dict[Part, SegmentationItems] = {
            "train": SegmentationItems(sets["train"], cut),
            "test": SegmentationItems(sets["test"], Cut()),
        }
        super().__init__(items, workers, recipe, key, device, fraction)
        self.sets = sets
        self.balanced = recipe.balanced

    @property
    def classes(self) -> int:
        """Number of classes."""
        return self.sets["test"].classes

    @cached_property
    def weights(self) -> Tensor:
        """Weight in the loss of pixels with each label ``(256,)``; 0 for those that do not count.

        Reference:
            See :func:`reactivate.segmentation.balance.balanced_weights`; the pixels are those of
            the training pictures that are used.
        """
        own = torch.ones(self.classes)
        if self.balanced:
            own = balanced_weights(pixel_counts(self.sets["train"], self.rows["train"].tolist()))
        weights = torch.zeros(LABELS)
        weights[: self.classes] = own
        weights[IGNORED] = 0.0
        return sent(weights, self.device)

    def names(self) -> list[str]:
        """Files of the test pictures that are used, in their order."""
        listed = self.sets["test"].names
        return [bytes(listed[row]).decode() for row in self.rows["test"].tolist()]
