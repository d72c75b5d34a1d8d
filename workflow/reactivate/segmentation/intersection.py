"""Mean intersection over union of a segmentation, from one confusion matrix of all pixels."""

import torch
from torch import Tensor

from reactivate.datasets.segmentation_items import IGNORED


def confusion(predicted: Tensor, labels: Tensor, classes: int) -> Tensor:
    """Pixels by their class (rows) and the class they are taken for (columns).

    Matrices of parts add up to that of the whole.

    Args:
        predicted: Class of every pixel, any shape.
        labels: True class of every pixel, the same shape; :data:`IGNORED` where it does not count.
        classes: Number of classes, K.

    Returns:
        ``(K, K)``, int64.

    Raises:
        ValueError: A class is not one of the K.

    Example:
        >>> confusion(torch.tensor([0, 1, 1]), torch.tensor([0, 0, IGNORED]), classes=2)
        tensor([[1, 1],
                [0, 0]])
    """
    counted = labels != IGNORED
    rows, columns = labels[counted].long(), predicted[counted].long()
    for kind, values in (("label", rows), ("prediction", columns)):
        wrong = values[(values < 0) | (values >= classes)]
        if len(wrong):
            raise ValueError(
                f"a {kind} is {wrong[0]}; accepted: 0 to {classes - 1}, and for labels {IGNORED} "
                "for pixels that do not count. Correct the number of classes, or the labels"
            )
    return torch.bincount(rows * classes + columns, minlength=classes**2).view(classes, classes)


def intersections(matrix: Tensor) -> Tensor:
    """Intersection over union of each class, ``(K,)``, float64; 0 for a class nobody saw.

    Example:
        >>> intersections(torch.tensor([[1, 1], [0, 2]]))
        tensor([0.5000, 0.6667], dtype=torch.float64)
    """
    both = matrix.diagonal().double()
    either = (matrix.sum(0) + matrix.sum(1)).double() - both
    return torch.where(either > 0, both / either.clamp(min=1), torch.zeros_like(both))


def mean_intersection(matrix: Tensor) -> float:
    """Mean of :func:`intersections` over all classes, those included that nobody saw.

    Reference:
        ``Mean_Intersection_over_Union`` of utils/metrics.py in
        kyotovision-public/RGB-Road-Scene-Material-Segmentation 2893118.

    Example:
        >>> mean_intersection(torch.tensor([[2, 0], [0, 0]]))
        0.5
    """
    return float(intersections(matrix).mean())
