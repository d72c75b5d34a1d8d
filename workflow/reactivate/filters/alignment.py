"""A test whether learned filters could be random ones, by correlations of sets of filters."""

import torch
from torch import Tensor


def distances(sets: Tensor) -> Tensor:
    """The Kolmogorov-Smirnov distance of every set to all sets together, ``(S,)``.

    It is the largest difference of the two empirical distribution functions.

    Args:
        sets: Numbers of sets of the same size, ``(S, K)``.

    Example:
        >>> distances(torch.tensor([[0.0, 1.0], [0.0, 1.0]]))
        tensor([0., 0.], dtype=torch.float64)
    """
    pool, own = sets.flatten().sort().values, sets.sort(dim=1).values.contiguous()
    # between its own steps a set's function is constant: the largest differences are beside them
    differences = [
        torch.searchsorted(own, own, right=right).double() / own.shape[1]
        - torch.searchsorted(pool, own, right=right).double() / len(pool)
        for right in (False, True)
    ]
    return torch.stack(differences).abs().amax(dim=(0, 2))


def chance_of_distance(sets: Tensor) -> tuple[float, float]:
    """Distance of the first set to all together, and the share of sets that are as far.

    If the first was drawn like the others, a share of at most ``p`` has probability at most
    ``p``, whatever the numbers within a set have to do with each other: filters that are each
    other's pairing filters have the same correlation, which tests of independent numbers do not
    know.

    Args:
        sets: Numbers of sets, ``(S, K)``; the share is at least ``1 / S``.
    """
    far = distances(sets)
    return float(far[0]), float((far >= far[0]).double().mean())
