"""Sets and pairs of points chosen by label: one label, mixed labels, different labels."""

import torch
from torch import Generator, Tensor


def one_label(labels: Tensor, label: int, count: int) -> Tensor:
    """Indices of the first points with a label: the *single* set.

    Reference:
        Jiang 2024, section 5.2.2.1 (PhD thesis, Lancaster): 1,000 samples with the same label.

    Args:
        labels: ``(N)``.
        label: The label of all points.
        count: Points of the set.

    Raises:
        ValueError: Fewer points have the label.

    Example:
        >>> one_label(torch.tensor([1, 0, 1, 1]), label=1, count=2)
        tensor([0, 2])
    """
    places = (labels == label).nonzero().flatten()
    _enough(len(places), count, f"points with label {label}")
    return places[:count]


def mixed_labels(labels: Tensor, count: int, generator: Generator) -> Tensor:
    """Indices of points drawn from all without replacement: the *combined* set.

    Args:
        labels: ``(N)``.
        count: Points of the set.
        generator: Source of the draw.
    """
    _enough(len(labels), count, "points")
    return torch.randperm(len(labels), generator=generator)[:count]


def pairs_of_different_labels(labels: Tensor, count: int, generator: Generator) -> Tensor:
    """Pairs of points with different labels, all such pairs equally likely, with repetition.

    Reference:
        Jiang 2024, section 5.2.3.1 (PhD thesis, Lancaster): 1,000 pairs.

    Args:
        labels: ``(N)``.
        count: Pairs.
        generator: Source of the draw.

    Returns:
        Indices ``(count, 2)``.

    Raises:
        ValueError: All points have one label.
    """
    classes = len(set(labels.tolist()))
    if classes < 2:
        raise ValueError(
            f"the {len(labels)} points have {classes} label; pairs with different labels need at "
            "least 2. Pass points of more classes"
        )
    kept = torch.zeros(0, 2, dtype=torch.int64)
    while len(kept) < count:
        drawn = torch.randint(len(labels), (2 * count, 2), generator=generator)
        kept = torch.cat([kept, drawn[labels[drawn[:, 0]] != labels[drawn[:, 1]]]])
    return kept[:count]


def _enough(available: int, count: int, what: str) -> None:
    """Raises unless there are as many points as the set needs."""
    if available < count:
        raise ValueError(
            f"the set needs {count} {what} and there are {available}; accepted: at most "
            f"{available}. Change count"
        )
