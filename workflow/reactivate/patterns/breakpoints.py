"""Where the domain of an activation is cut into patterns, and which pattern a number has."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import isfinite

import torch
from torch import Tensor, nn

from reactivate.activations import ACTIVATIONS

ABSTAIN = -1  # code of a number that lies on a breakpoint
MOST = 126  # breakpoints whose codes fit int8

# ReLU, leaky ReLU, PReLU, GELU and sigmoid as in the author's code (METHODS.md section 6), tanh as
# sigmoid (section 5.2.1.2, without the 0 printed there: ERRATA T-14), ReLU6 where it saturates.
# The others are ours: 0, where they pass from off to on.
SWITCHES = (
    "relu leaky_relu prelu gelu elu selu softplus silu mish swish erfact pserf smu smu1 acon_c"
    " crelu psc spsc"
)
BREAKPOINTS: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(SWITCHES.split(), (0.0,)),
    "sigmoid": (-0.5, 0.5),
    "tanh": (-0.5, 0.5),
    "relu6": (0.0, 6.0),
}


def breakpoints_of(activation: str | nn.Module) -> tuple[float, ...]:
    """Breakpoints of an activation, Gamma, in increasing order.

    CReLU and PSC return two numbers for one pre-activation, whose sign is their pattern.

    Reference:
        Jiang 2024, Definition 1 and section 5.2.1.2 (PhD thesis, Lancaster).

    Args:
        activation: A key of :data:`reactivate.activations.ACTIVATIONS`, or a module.

    Raises:
        ValueError: The activation's value does not depend on one pre-activation alone (IIEU,
            Meta-ACON), or nobody chose its breakpoints.

    Example:
        >>> breakpoints_of("relu"), breakpoints_of(nn.Sigmoid())
        ((0.0,), (-0.5, 0.5))
        >>> breakpoints_of("iieu_b")
        Traceback (most recent call last):
        ValueError: activation 'iieu_b' has no breakpoints: not every output depends on one
        pre-activation alone; accepted: acon_c, crelu, elu, erfact, gelu, leaky_relu, mish, prelu,
        psc, pserf, relu, relu6, selu, sigmoid, silu, smu, smu1, softplus, spsc, swish, tanh.
        Choose one of them for the network
    """
    name = activation if isinstance(activation, str) else activation_name(activation)
    if name in BREAKPOINTS:
        return BREAKPOINTS[name]
    accepted = f"accepted: {', '.join(sorted(BREAKPOINTS))}"
    if name in ACTIVATIONS.targets:
        raise ValueError(
            f"activation {name!r} has no breakpoints: not every output depends on one "
            f"pre-activation alone; {accepted}. Choose one of them for the network"
        )
    raise ValueError(
        f"activation {name!r} has no known breakpoints; {accepted}. "
        "Add it to workflow/reactivate/patterns/breakpoints.py"
    )


def activation_name(module: nn.Module) -> str | None:
    """Name of a module that is an activation; None if it is none.

    Example:
        >>> activation_name(nn.LeakyReLU()), activation_name(nn.Linear(1, 1))
        ('leaky_relu', None)
    """
    known = _names()
    for kind in type(module).__mro__:
        if kind in known:
            return known[kind]
    # an activation of torch that the package does not offer must not be overlooked
    own = type(module).__module__ == "torch.nn.modules.activation"
    return type(module).__name__ if own else None


@cache
def _names() -> dict[type, str]:
    names = {ACTIVATIONS.load(name): name for name in ACTIVATIONS.targets}
    return {**names, nn.ReLU6: "relu6"}


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
