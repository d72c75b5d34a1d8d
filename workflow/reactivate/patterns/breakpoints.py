"""Breakpoints cut the domain of an activation into patterns; codes say which one a number has."""

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

import torch
from torch import Tensor, nn

from reactivate.activations import names
from reactivate.activations.traits import declared_traits

ABSTAIN = -1  # code of a number that lies on a breakpoint
MOST = 126  # breakpoints whose codes fit int8


def breakpoints_of(activation: nn.Module) -> tuple[float, ...]:
    """Breakpoints of an activation, Gamma, in increasing order, as its traits declare them.

    CReLU and PSC return two numbers for one pre-activation, whose sign is their pattern.

    Reference:
        Jiang 2024, Definition 1 and section 5.2.1.2 (PhD thesis, Lancaster).

    Raises:
        ValueError: The activation's value does not depend on one pre-activation alone (IIEU,
            Meta-ACON), or nobody chose its breakpoints.

    Example:
        >>> breakpoints_of(nn.ReLU()), breakpoints_of(nn.Sigmoid())
        ((0.0,), (-0.5, 0.5))
        >>> from reactivate.activations import create
        >>> breakpoints_of(create("iieu_b", channels=3))
        Traceback (most recent call last):
        ValueError: IIEUB has no breakpoints: not every output depends on one pre-activation alone;
        accepted: relu, leaky_relu, prelu, elu, selu, softplus, sigmoid, tanh, gelu, silu, mish,
        swish, erfact, pserf, smu, smu1, acon_c, crelu, psc, spsc. Choose one of them for the
        network
    """
    traits = declared_traits(type(activation))
    if traits is not None and traits.breakpoints is not None:
        return traits.breakpoints
    name = type(activation).__name__
    accepted = ", ".join(names(lambda traits: traits.breakpoints))
    if traits is None:
        raise ValueError(
            f"{name} has no known breakpoints; accepted: {accepted}. Choose one of them for the "
            "network, or add its traits to workflow/reactivate/activations/traits.py"
        )
    raise ValueError(
        f"{name} has no breakpoints: not every output depends on one pre-activation alone; "
        f"accepted: {accepted}. Choose one of them for the network"
    )


def is_piecewise_linear(module: nn.Module) -> bool:
    """Whether a module is an activation that is affine between its breakpoints.

    Example:
        >>> is_piecewise_linear(nn.ReLU6()), is_piecewise_linear(nn.GELU())
        (True, False)
    """
    traits = declared_traits(type(module))
    return traits is not None and traits.piecewise_linear


def encode(z: Tensor, breakpoints: Sequence[float]) -> Tensor:
    """Pattern of every number: how many breakpoints are below it; -1 on a breakpoint.

    A number equal to a breakpoint abstains, and so does NaN, which lies in no interval.

    Reference:
        Jiang 2024, Definition 1, Eq. 4.9 (PhD thesis, Lancaster).

    Args:
        z: Pre-activations, any shape.
        breakpoints: ``gamma_1 < ... < gamma_q``.

    Returns:
        Codes 0 to q and -1, int8, shaped like ``z``.

    Example:
        >>> encode(torch.tensor([-2.0, -0.5, 0.0, 3.0]), (-0.5, 0.5))
        tensor([ 0, -1,  1,  2], dtype=torch.int8)
    """
    codes = decided = None
    for point in checked(breakpoints):
        above = z > point
        apart = above | (z < point)
        step = above.to(torch.int8)
        codes = step if codes is None else codes.add_(step)
        decided = apart if decided is None else decided.logical_and_(apart)
    assert codes is not None
    assert decided is not None
    return codes.masked_fill_(~decided, ABSTAIN)


def checked(breakpoints: Sequence[float]) -> tuple[float, ...]:
    """The breakpoints, if there is at least one and they are finite and increasing."""
    points = tuple(float(point) for point in breakpoints)
    rising = all(low < high for low, high in pairwise(points))
    if not 1 <= len(points) <= MOST or not rising or not all(map(isfinite, points)):
        raise ValueError(
            f"breakpoints {points} cannot cut the domain of an activation; accepted: 1 to {MOST} "
            "finite numbers in increasing order. Change the call"
        )
    return points
