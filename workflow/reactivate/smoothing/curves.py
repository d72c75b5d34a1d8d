"""Certified accuracy and average radius of a set of certified images."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray


def certified_accuracy(
    correct: ArrayLike, radius: ArrayLike, radii: Iterable[float]
) -> NDArray[np.float64]:
    """Share of images that are right and certified to each radius.

    Reference:
        Cohen et al. 2019, section 4 (arXiv:1902.02918).

    Args:
        correct: Whether the predicted class of each image is its label, ``(N)``.
        radius: Certified radius of each image, ``(N)``.
        radii: Radii that are asked for; 0 gives the share of right images.

    Returns:
        Fractions, one for each of the radii.

    Example:
        >>> certified_accuracy([True, True, False], [0.1, 0.5, 0.9], [0.0, 0.5]).round(3)
        array([0.667, 0.333])
    """
    right, reached = np.asarray(correct, dtype=bool), np.asarray(radius)
    return np.array([(right & (reached >= asked)).mean() for asked in radii])


def average_radius(correct: ArrayLike, radius: ArrayLike) -> float:
    """Mean radius, where images that are wrong or abstained from count 0: ACR.

    Reference:
        Jiang 2024, Eq. 6.49 (PhD thesis, Lancaster).

    Args:
        correct: Whether the predicted class of each image is its label, ``(N)``.
        radius: Certified radius of each image, ``(N)``.

    Example:
        >>> round(average_radius([True, True, False], [0.1, 0.5, 0.9]), 3)
        0.2
    """
    return float((np.asarray(correct, dtype=bool) * np.asarray(radius)).mean())
