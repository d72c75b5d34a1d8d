"""Average precision of detections, by COCO's own tool."""

import contextlib
import io
from collections.abc import Mapping, Sequence
from typing import Any

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

# in the order in which the tool gives them
METRICS = ("map", "ap50", "ap75", "ap_small", "ap_medium", "ap_large")


def average_precisions(
    instances: Mapping[str, Any], found: Sequence[Mapping[str, Any]]
) -> dict[str, float]:
    """Mean average precisions of boxes, from 0 to 1; -1 where there is nothing to find.

    ``map`` is the mean over overlaps from 0.50 to 0.95 in steps of 0.05, ``ap50`` and ``ap75`` are
    those at one overlap, the others are ``map`` for objects of less than 32², up to 96² and more
    pixels. Crowds are neither to be found nor wrong to be found.

    Reference:
        Lin et al. 2014 (arXiv:1405.0312) and cocodataset.org, "Detection Evaluation"; computed by
        pycocotools.

    Args:
        instances: Annotations: lists ``images``, ``annotations`` and ``categories``. Every
            picture of the list counts, with detections or without.
        found: Detections as :func:`reactivate.datasets.coco.results` makes them.

    Raises:
        ValueError: A detection is of a picture that the annotations do not list.

    Example:
        >>> box = {"image_id": 1, "category_id": 1, "bbox": [10, 10, 50, 50]}
        >>> mine = {"images": [{"id": 1}], "categories": [{"id": 1}],
        ...         "annotations": [{"id": 1, "area": 2500, "iscrowd": 0, **box}]}
        >>> round(average_precisions(mine, [{"score": 0.9, **box}])["ap50"], 6)
        1.0
    """
    unknown = {row["image_id"] for row in found} - {image["id"] for image in instances["images"]}
    if unknown:
        raise ValueError(
            f"detections are of picture {min(unknown)}, which the annotations do not list; "
            "evaluate those of one part of a set with the annotations of that part"
        )
    with contextlib.redirect_stdout(io.StringIO()):  # the tool tells about its progress
        truth = _indexed(dict(instances))
        if not found:
            found_set = _indexed({**instances, "annotations": []})
        else:
            found_set = truth.loadRes([dict(row) for row in found])
        evaluation = COCOeval(truth, found_set, "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return dict(zip(METRICS, map(float, evaluation.stats), strict=False))


def _indexed(instances: dict[str, Any]) -> Any:
    """Annotations as the tool wants them; it takes them from files only."""
    made = COCO()
    made.dataset = {**instances, "annotations": [dict(a) for a in instances["annotations"]]}
    made.createIndex()
    return made
