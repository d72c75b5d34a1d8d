"""Reconstruction ratios of the input of a pooled convolution, of one region or of all of it."""

from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn

from reactivate.reconstruction.algorithms import pooled, ratio, reconstruct_pooled
from reactivate.reconstruction.bound import bound, columns, extremes, strongest
from reactivate.reconstruction.least_squares import STEPS, TOLERANCE
from reactivate.reconstruction.pooling import draw_regions, region_size
from reactivate.reconstruction.shifts import Shifts


@dataclass(frozen=True)
class Ratios:
    """Reconstruction ratio of each image and what belongs to it, ``(N,)``.

    Attributes:
        ratio: The ratio ``|x - x'| / |x|``.
        bound: Bound of Theorem 2.2, from the strongest shift of each filter; NaN for whole maps,
            which the theorem does not speak of.
        residual: Residual of the least-squares problem, see
            :class:`reactivate.reconstruction.least_squares.Solution`.
        steps: Steps of the slowest image.
    """

    ratio: Tensor
    bound: Tensor
    residual: Tensor
    steps: int


def region_ratios(
    x: Tensor,
    conv: nn.Conv2d,
    pool: nn.MaxPool2d,
    random: Generator,
    tolerance: float = TOLERANCE,
    steps: int = STEPS,
) -> Ratios:
    r"""Ratios of Algorithm 2 on one pooling region of each image, in float64.

    The bound needs the shifts that make up ``x``, at most one of each filter. Features of images
    are no such sum, so both matrices of the bound are those of the strongest selected shift of
    each filter; the part of ``x`` they span is such a sum.

    Reference:
        Shang et al. 2016, sections 2.2 and 4.3 (arXiv:1603.05201): ``D = C 5 5``.

    Args:
        x: Inputs of the convolution, ``(N, C, H, W)``.
        conv: The convolution.
        pool: The max-pooling that follows its CReLU.
        random: Random stream that chooses the regions.
        tolerance: See :func:`reactivate.reconstruction.least_squares.minimum_norm`.
        steps: Most steps, see there too.
    """
    x = draw_regions(x, conv, pool, random).double()
    high, wide = region_size(conv, pool)
    one = Shifts.of(conv, (high, wide))
    shifts = Shifts(one.weight, one.size, one.stride)  # a region is inside: nothing is padded
    bias = _bias(conv)
    z = _responses(shifts, x, bias)
    features, places = pooled(z, nn.MaxPool2d((z.shape[2], z.shape[3])))
    found = reconstruct_pooled(
        shifts, features, places, (z.shape[2], z.shape[3]), bias, tolerance, steps
    )
    limit = bound(*extremes(columns(shifts, strongest(z))))
    return Ratios(ratio(x, found.x), limit, found.residual, found.steps)


def map_ratios(
    x: Tensor,
    conv: nn.Conv2d,
    pool: nn.MaxPool2d,
    tolerance: float = TOLERANCE,
    steps: int = STEPS,
) -> Ratios:
    """Ratios of Algorithm 2 on whole feature maps, all regions together, in float64.

    Args:
        x: Inputs of the convolution, ``(N, C, H, W)``.
        conv: The convolution.
        pool: The max-pooling that follows its CReLU.
        tolerance: See :func:`reactivate.reconstruction.least_squares.minimum_norm`.
        steps: Most steps, see there too.
    """
    x = x.double()
    shifts = Shifts.of(conv, (x.shape[2], x.shape[3]))
    bias = _bias(conv)
    z = _responses(shifts, x, bias)
    features, places = pooled(z, pool)
    found = reconstruct_pooled(
        shifts, features, places, (z.shape[2], z.shape[3]), bias, tolerance, steps
    )
    none = torch.full((len(x),), torch.nan, dtype=x.dtype)
    return Ratios(ratio(x, found.x), none, found.residual, found.steps)


def _bias(conv: nn.Conv2d) -> Tensor | None:
    """The bias of a convolution in float64, if it has one."""
    return None if conv.bias is None else conv.bias.detach().double()


def _responses(shifts: Shifts, x: Tensor, bias: Tensor | None) -> Tensor:
    """Responses of the filters to inputs, bias included."""
    z = shifts.analyse(x)
    return z if bias is None else z + bias[:, None, None]
