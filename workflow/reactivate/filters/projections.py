"""Lengths of vectors after projection onto a random subspace."""

from math import exp, lgamma

import torch
from torch import Tensor


def expected_share(dimension: int, total: int, power: float = 1.0) -> float:
    r"""Expected ratio ``E (||x_s|| / ||x||)**power`` for projections onto random subspaces.

    The squared ratio is Beta(D_s / 2, (D - D_s) / 2) distributed, so the moment is
    ``Gamma((D_s + p) / 2) Gamma(D / 2) / (Gamma(D_s / 2) Gamma((D + p) / 2))``; D_s / D for p = 2.

    Args:
        dimension: Dimension of the subspace, D_s.
        total: Dimension of the space, D.
        power: Power p of the ratio.

    Example:
        >>> round(expected_share(1, 2), 4), round(expected_share(1, 2, power=2), 4)
        (0.6366, 0.5)
    """
    share = lgamma((dimension + power) / 2) - lgamma(dimension / 2)
    return exp(share + lgamma(total / 2) - lgamma((total + power) / 2))


def drawn_shares(dimension: int, total: int, draws: int, random: torch.Generator) -> Tensor:
    """Ratios ``||x_s|| / ||x||`` for subspaces spanned by normal vectors, float64 ``(draws)``.

    Args:
        dimension: Dimension of the subspaces, D_s.
        total: Dimension of the space, D.
        draws: Number of subspaces.
        random: Random stream of the vectors.
    """
    vectors = torch.randn(draws, total, dimension, generator=random, dtype=torch.float64)
    bases = torch.linalg.qr(vectors).Q
    x = torch.zeros(total, dtype=torch.float64)
    x[0] = 1.0
    shares: Tensor = torch.linalg.vector_norm(x @ bases, dim=1)
    return shares
