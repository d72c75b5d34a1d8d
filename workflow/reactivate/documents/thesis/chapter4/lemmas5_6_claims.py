"""Thesis, section 4.2.6: Lipschitz bounds inside an activation region (Lemmas 5 and 6)."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.small_networks import codes, column, dense, normal, random_dense
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.lipschitz import layer_bounds, product_bound
from reactivate.patterns.regions import patterns_of, same_region
from reactivate.patterns.slopes import slopes_of

MONOTONIC = (nn.ReLU, nn.Sigmoid, nn.Tanh)
SIZES = (4, 12, 12, 3)
NETWORKS = 2  # of each activation
ROUNDING = 1e-9

DOUBLE = dense(([[2.0]], [0.0]), ([[1.0]], [0.0]))  # relu(2x)
RAMP = dense(([[1.0]], [0.0]), ([[1.0]], [0.0]))  # relu(x)
ONWARD = (1.0, 2.0)  # two inputs with the pattern 1
FALLING: nn.Module = nn.GELU()
FALLING_BELOW = -1.0  # breakpoint
FALLING_AT = (-3.0, -1.5)  # two inputs with the pattern 0


def steps(network: nn.Sequential, x: Tensor, y: Tensor) -> list[Tensor]:
    """Distances of two points at the input, after every hidden layer and at the output, ``(N)``.

    Example:
        >>> [step.item() for step in steps(DOUBLE, column(1.0), column(2.0))]
        [1.0, 2.0, 2.0]
    """
    distances = [(x - y).norm(dim=1)]
    for module in network:
        x, y = module(x), module(y)
        if not isinstance(module, nn.Linear):
            distances.append((x - y).norm(dim=1))
    return [*distances, (x - y).norm(dim=1)]


def used(whole: bool) -> tuple[int, float]:
    """Pairs of points in one region, and the largest part of the bound that a pair uses.

    Args:
        whole: Whether the bound is the product of Lemma 6, else those of Lemma 5 for each layer.
    """
    stream = generator("thesis", "lemma 5")
    count, largest = 0, 0.0
    for activation in MONOTONIC:
        for _ in range(NETWORKS):
            network = random_dense(SIZES, stream, activation)
            x = normal((1, SIZES[0]), stream)
            y = x + 0.1 * normal((500, SIZES[0]), stream)
            y = y[same_region(codes(network, x), codes(network, y))]
            own = patterns_of(network, x)
            bounds = layer_bounds(network, SIZES[:1], {k: own.layer(k)[0] for k in own.layers})
            apart = steps(network, x, y)
            pairs = zip(apart, apart[1:], [layer.bound for layer in bounds], strict=False)
            if whole:
                pairs = zip(apart[:1], apart[-1:], [product_bound(bounds)], strict=True)
            count += len(y)
            for before, after, bound in pairs:
                moved = after > 0  # neurons that are all off have the bound 0, and reach it
                largest = max([largest, *(after[moved] / before[moved] / bound).tolist()])
    return count, largest


def _judge_bound(whole: bool) -> Judgement:
    count, largest = used(whole)
    names = ", ".join(activation.__name__ for activation in MONOTONIC)
    return judge(
        largest <= 1 + ROUNDING,
        f"{count} pairs of points in one region, {len(MONOTONIC) * NETWORKS} random networks "
        f"({names}): at most {largest:.3f} of {'their product' if whole else 'their bound'} is "
        "used",
    )


def lemma5() -> Judgement:
    """Eq. 4.18 bounds a layer with a monotonic activation."""
    return _judge_bound(whole=False)


def lemma6() -> Judgement:
    """Eq. 4.26: the product of the layers' constants bounds a network of monotonic activations."""
    return _judge_bound(whole=True)


def equation4_17() -> Judgement:
    """Eq. 4.17: what enters a layer is as close as the inputs, without a constant."""
    before, after, _ = (step.item() for step in steps(DOUBLE, *column(*ONWARD).unsqueeze(1)))
    bound = layer_bounds(DOUBLE, (1,))[0].bound
    return judge(
        after <= before,
        f"relu(2x) at x = {ONWARD[0]:g} and {ONWARD[1]:g}, one region: {after:g} > {before:g}; "
        f"the constant rho = {bound:g} of Eq. 4.18 is missing",
    )


def printed_slope(pattern: int) -> float:
    """Slope of ReLU on ``(gamma_{a-1}, gamma_a)``, gamma_0 = -inf: the interval below Eq. 4.18."""
    return float(slopes_of(nn.ReLU(), channels=1)[pattern - 1])


def lemma5_interval() -> Judgement:
    """Lemma 5: ``U_a`` is ``(gamma_{a-1}, gamma_a)``."""
    before, after, _ = (step.item() for step in steps(RAMP, *column(*ONWARD).unsqueeze(1)))
    printed, defined = printed_slope(1), slopes_of(nn.ReLU(), channels=1)[1].item()
    return judge(
        after <= printed * before,
        "relu(x), breakpoint 0, pattern 1: the printed interval (-inf, 0) gives rho = "
        f"{printed:g}, but {ONWARD[0]:g} and {ONWARD[1]:g} stay {after:g} apart; Definition 1's "
        f"(0, inf) gives rho = {defined:g}",
    )


def largest_derivative(activation: Callable[[Tensor], Tensor], below: float) -> float:
    """Largest derivative below a place, by sign and not by size."""
    x = torch.linspace(-40, below, 4001, dtype=torch.float64).requires_grad_()
    return torch.autograd.grad(activation(x).sum(), x)[0].max().item()


def lemma5_falling() -> Judgement:
    """Eq. 4.18 for an activation that falls: the derivative has no absolute value."""
    a, b = column(*FALLING_AT)
    bound, apart = largest_derivative(FALLING, FALLING_BELOW), (FALLING(a) - FALLING(b)).abs()
    right = slopes_of(FALLING, 1, (FALLING_BELOW,))[0].item()
    return judge(
        apart.item() <= bound * (a - b).abs().item() + ROUNDING,
        f"GeLU below the breakpoint {FALLING_BELOW:g}: the largest derivative is {abs(bound):g}, "
        f"so rho = 0, but its values at {FALLING_AT[0]:g} and {FALLING_AT[1]:g} are "
        f"{apart.item():.3f} apart; the largest absolute derivative is {right:.3f}",
    )
