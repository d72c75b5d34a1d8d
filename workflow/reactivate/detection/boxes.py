"""Non-maximum suppression, also where torchvision's compiled operator does not load.

Boxes are corners ``x1, y1, x2, y2``. Beside a CPU-only torch the operator is missing
(:mod:`reactivate.models.vision`); everything else of torchvision's detection is plain torch.
"""

import torch
from torch import Tensor

from reactivate.models.vision import torchvision


def nms(boxes: Tensor, scores: Tensor, threshold: float) -> Tensor:
    """Numbers of the boxes that no better box overlaps by more than the threshold, best first.

    It is ``torchvision.ops.nms`` in plain torch. Of equal scores the first counts as better.

    Args:
        boxes: ``(n, 4)``.
        scores: ``(n,)``.
        threshold: Largest quotient of intersection and union that two kept boxes may have.

    Example:
        >>> boxes = torch.tensor([[0.0, 0, 2, 2], [0, 0, 2, 3], [5, 5, 6, 6]])
        >>> nms(boxes, torch.tensor([0.3, 0.9, 0.5]), 0.5)
        tensor([1, 2])
    """
    left = scores.argsort(descending=True, stable=True)
    kept = [left[:0]]
    while len(left):
        best, left = left[:1], left[1:]
        kept.append(best)
        overlap = torchvision.ops.box_iou(boxes[best], boxes[left])[0]
        left = left[~(overlap > threshold)]  # boxes without an area overlap by NaN, and are kept
    return torch.cat(kept)


def nms_of_classes(boxes: Tensor, scores: Tensor, labels: Tensor, threshold: float) -> Tensor:
    """Numbers of the boxes that :func:`nms` keeps of each class, best first.

    It is ``torchvision.ops.batched_nms``, and uses it where the compiled operator is there.

    Args:
        boxes: ``(n, 4)``.
        scores: ``(n,)``.
        labels: Class of each box, ``(n,)``.
        threshold: See :func:`nms`.

    Example:
        >>> boxes = torch.tensor([[0.0, 0, 2, 2], [0, 0, 2, 3], [0, 0, 2, 2]])
        >>> scores = torch.tensor([0.3, 0.9, 0.5])
        >>> nms_of_classes(boxes, scores, torch.tensor([0, 0, 1]), 0.5)
        tensor([1, 2])
    """
    if torchvision.extension._has_ops():
        kept: Tensor = torchvision.ops.batched_nms(boxes, scores, labels, threshold)
        return kept
    mask = torch.zeros_like(scores, dtype=torch.bool)
    for label in labels.unique():  # type: ignore[no-untyped-call]
        own = (labels == label).nonzero().squeeze(1)
        mask[own[nms(boxes[own], scores[own], threshold)]] = True
    numbers = mask.nonzero().squeeze(1)
    return numbers[scores[numbers].argsort(descending=True, stable=True)]
