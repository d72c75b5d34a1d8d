"""Objects of pictures in COCO's format: what a detector is trained on and judged by."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

SMALLEST = 32  # pixels of the shorter side of a picture that is trained on


@dataclass(frozen=True)
class Objects:
    """Pictures of one part of a set, and the boxes of the objects in them.

    Attributes:
        folder: The folder of the pictures.
        names: File of each picture below it, ``(N,)``, as bytes: workers share its memory.
        image_ids: Number of each picture in the annotations, ``(N,)``.
        boxes: Corners ``x1, y1, x2, y2`` of all objects, picture after picture, ``(M, 4)``.
        labels: Class of each object, ``(M,)``, counted from 0.
        ends: Objects of all pictures up to and with each, ``(N,)``.
        categories: Number of each class in the annotations, ascending.
    """

    folder: Path
    names: NDArray[np.bytes_]
    image_ids: Tensor
    boxes: Tensor
    labels: Tensor
    ends: Tensor
    categories: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.names)

    def target(self, number: int) -> dict[str, Any]:
        """Boxes, labels and number in the annotations of a picture."""
        start = int(self.ends[number - 1]) if number else 0
        own = slice(start, int(self.ends[number]))
        return {
            "boxes": self.boxes[own].clone(),
            "labels": self.labels[own].clone(),
            "image_id": int(self.image_ids[number]),
        }


def read_objects(folder: Path, instances: Mapping[str, Any], training: bool) -> Objects:
    """The pictures and objects of an annotation file, ``instances_*.json``, as it is parsed.

    Crowds, objects outside of their picture and objects thinner than a pixel are no objects to
    find; pictures without any, and very small ones, are not trained on. All pictures are tested
    on; what counts there is decided by the annotations themselves, see
    :mod:`reactivate.detection.average_precision`.

    Reference:
        ``CocoDataset`` of open-mmlab/mmdetection (``filter_empty_gt``, ``min_size=32``).

    Args:
        folder: The folder of the pictures.
        instances: Lists ``images``, ``annotations`` and ``categories``.
        training: Whether the pictures are trained on.

    Raises:
        ValueError: A list is missing, or an annotation is of a picture or class that is not there.
    """
    images, annotations, categories = (_list(instances, key) for key in _LISTS)
    numbers = tuple(sorted(category["id"] for category in categories))
    label = {number: position for position, number in enumerate(numbers)}
    sizes = {image["id"]: (image["width"], image["height"]) for image in images}
    found: dict[int, list[tuple[tuple[float, ...], int]]] = {number: [] for number in sizes}
    for annotation in annotations:
        image, category = annotation["image_id"], annotation["category_id"]
        if image not in sizes or category not in label:
            what = f"picture {image}" if image not in sizes else f"category {category}"
            raise ValueError(
                f"annotation {annotation.get('id')} names {what}, which the annotations do not "
                "list; supply the official file"
            )
        if not _is_object(annotation, sizes[image]):
            continue
        x, y, width, height = annotation["bbox"]
        found[image].append(((x, y, x + width, y + height), label[category]))
    kept = [
        image
        for image in sorted(images, key=lambda image: int(image["id"]))
        if not training or (found[image["id"]] and min(sizes[image["id"]]) >= SMALLEST)
    ]
    inside = [found[image["id"]] for image in kept]
    boxes = [box for own in inside for box, _ in own]
    return Objects(
        folder,
        np.array([image["file_name"].encode() for image in kept], dtype=np.bytes_),
        torch.tensor([image["id"] for image in kept], dtype=torch.long),
        torch.tensor(boxes, dtype=torch.float).reshape(-1, 4),
        torch.tensor([label for own in inside for _, label in own], dtype=torch.long),
        torch.tensor([len(own) for own in inside], dtype=torch.long).cumsum(0),
        numbers,
    )


def results(
    found: Sequence[Mapping[str, Tensor]], image_ids: Sequence[int], categories: Sequence[int]
) -> list[dict[str, Any]]:
    """Detections in COCO's format of results, which its servers and tools read.

    Args:
        found: ``boxes``, ``labels`` and ``scores`` of each picture.
        image_ids: Number of each picture in the annotations.
        categories: Number of each class in the annotations.

    Example:
        >>> one = {"boxes": torch.tensor([[1.0, 2, 4, 3]]), "scores": torch.tensor([0.5])}
        >>> results([one | {"labels": torch.tensor([0])}], [7], [3])
        [{'image_id': 7, 'category_id': 3, 'bbox': [1.0, 2.0, 3.0, 1.0], 'score': 0.5}]
    """
    rows = []
    for own, image in zip(found, image_ids, strict=True):
        boxes = own["boxes"].double().cpu()
        sized = torch.cat([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]], dim=1).tolist()
        labels, scores = own["labels"].tolist(), own["scores"].double().tolist()
        for box, label, score in zip(sized, labels, scores, strict=True):
            row = {"image_id": int(image), "category_id": categories[label]}
            rows.append({**row, "bbox": box, "score": score})
    return rows


_LISTS = ("images", "annotations", "categories")


def _list(instances: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = instances.get(key)
    if not isinstance(found, list):
        raise ValueError(
            f"the annotations have no list {key!r}; expected {', '.join(_LISTS)}. "
            "Supply the official file"
        )
    return found


def _is_object(annotation: Mapping[str, Any], size: tuple[int, int]) -> bool:
    """Whether a detector shall find what is annotated."""
    x, y, width, height = annotation["bbox"]
    across = min(x + width, size[0]) - max(x, 0)
    down = min(y + height, size[1]) - max(y, 0)
    seen = across > 0 and down > 0 and annotation.get("area", math.inf) > 0
    return bool(seen and width >= 1 and height >= 1 and not annotation.get("iscrowd", 0))
