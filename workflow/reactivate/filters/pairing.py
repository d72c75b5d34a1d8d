"""Pairing filters: the most opposite one that each filter of a convolution has."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Pairs:
    """Pairing filter of each of ``K`` filters, and how opposite the two are."""

    partners: Tensor  # numbers of filters, (K,)
    correlations: Tensor  # mu: -1 for exactly opposite filters, (K,)


def unit_filters(weight: Tensor) -> Tensor:
    """The filters as vectors of unit length, ``(K, channels * positions)``.

    Args:
        weight: Weight of a convolution, ``(K, channels, *kernel)``; from 2 dimensions on.

    Raises:
        ValueError: A filter is 0 everywhere and has no direction.
    """
    vectors = weight.flatten(1)
    lengths = vectors.norm(dim=1, keepdim=True)
    dead = (lengths.squeeze(1) == 0).nonzero().squeeze(1).tolist()
    if dead:
        raise ValueError(
            f"filters {dead} of {len(vectors)} are 0 everywhere; accepted: filters with a "
            "direction. Remove these rows of the weight first"
        )
    unit: Tensor = vectors / lengths
    return unit


def pair_filters(weight: Tensor) -> Pairs:
    r"""The pairing filter of every filter, and their correlation.

    The pairing filter of ``phi_i`` is ``argmin_j <phi_i, phi_j>`` over filters of unit length;
    ``mu_i`` is that smallest product. All products are one matrix product.

    Reference:
        Shang et al. 2016, section 2.1 (arXiv:1603.05201).

    Args:
        weight: Weight of a convolution, ``(K, channels, *kernel)``.

    Example:
        >>> pairs = pair_filters(torch.tensor([[3.0, 0.0], [0.0, 1.0], [-2.0, 0.0]]))
        >>> pairs.partners.tolist(), pairs.correlations.tolist()
        ([2, 0, 0], [-1.0, 0.0, -1.0])
    """
    unit = unit_filters(weight)
    smallest = (unit @ unit.T).min(dim=1)
    return Pairs(smallest.indices, smallest.values.clamp(-1, 1))  # rounding may lead outside


def random_filters(weight: Tensor, random: torch.Generator) -> Tensor:
    """Random filters of the same number and size: normal entries, scaled to unit length.

    Reference:
        Shang et al. 2016, section 2.1, footnote 1 (arXiv:1603.05201).

    Args:
        weight: Weight of a convolution; only its shape, type and device matter.
        random: A stream of the CPU, so that every device compares with the same filters.
    """
    drawn = torch.randn(weight.shape, generator=random, dtype=weight.dtype)
    return unit_filters(drawn).view(weight.shape).to(weight.device)
