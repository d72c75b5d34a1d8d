"""IIEU, Appendices A, B, D and F: a counter-example, and statements that are true."""

from collections.abc import Callable, Sequence

import numpy as np
import sympy
import torch
from numpy.typing import NDArray
from scipy.stats import multivariate_normal
from torch import Tensor
from torch.nn import functional

from reactivate.activations.shift import ChannelShift
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import checked, proved, refuted, sampled
from reactivate.judging.judgement import Judgement

IMAGES = 1_281_167  # of ImageNet's training set
STEPS = 40  # of the staircase
PLACES = (4, 32, 256, 1024)  # where its steps are

Vector = NDArray[np.float64]
# A normal distribution after the rotation of Appendix A: the last coordinate is observed.
MEAN = np.array([0.3, -0.4, 0.2])
COVARIANCE = np.array([[2.0, 0.3, 0.5], [0.3, 1.5, -0.4], [0.5, -0.4, 1.0]])
OBSERVED = -0.8  # kappa'_y
# Eq. 10: one term of the sum, in its second and in its last line
X, Y, M, S, LAST = sympy.symbols("kappa_x kappa_y mu_c sigma_c mu_C", real=True)
SECOND_LINE = (M + S * (Y - LAST)) ** 2 - (M + S * (X - LAST)) ** 2
LAST_LINE = S * (Y - X) * (2 * M + S * (Y + X - 2 * LAST))


def staircase(x: Tensor) -> Tensor:
    r"""A smooth, increasing function below 1, ``sum_{k>=1} 2^-k sigmoid(2^(k+2) (x - 2^k))``.

    Its slope is 1 at every ``x = 2^k`` and never much more: ever smaller, ever rarer steps.

    Example:
        >>> staircase(torch.tensor([0.0, 2.0, 100.0], dtype=torch.float64)).round(decimals=3)
        tensor([0.0000, 0.2500, 0.9840], dtype=torch.float64)
    """
    k = torch.arange(1, STEPS + 1, dtype=x.dtype)
    return (2**-k * torch.sigmoid(2 ** (k + 2) * (x.unsqueeze(-1) - 2**k))).sum(dim=-1)


def slopes(function: Callable[[Tensor], Tensor], places: Sequence[float]) -> Tensor:
    """Derivative of a function at some places."""
    x = torch.tensor(places, dtype=torch.float64, requires_grad=True)
    return torch.autograd.grad(function(x).sum(), x)[0]


def is_admitted(adjuster: Callable[[Tensor], Tensor]) -> bool:
    """Whether an adjuster of ``varrho(x) = x`` has what Appendices B.2 and B.3 ask of it.

    It is between 0 and 1 and increasing (Proposition 2), ``adjuster(x) x`` vanishes far to the
    left (``phi(-infinity) = 0``), and two numbers more than 1 apart on both sides of 2 get
    weights more than 0.1 apart (Property 4). All of it is looked at on a grid.
    """
    x = torch.linspace(-60, 2000, 20601, dtype=torch.float64)
    value = adjuster(x)
    near = torch.linspace(1, 2, 101, dtype=torch.float64)
    return bool(
        value.min() >= 0
        and value.max() <= 1
        and (value.diff() >= 0).all()
        and (value[x < -40] * x[x < -40]).abs().max() < 1e-12
        and (adjuster(near + 1) - adjuster(near)).min() > 0.1
    )


def proposition4() -> Judgement:
    """Proposition 4, ``varrho(x) = x``: if f is bounded and increasing, ``x f'(x)`` is bounded."""
    steep = slopes(staircase, PLACES)
    values = [place * float(slope) for place, slope in zip(PLACES, steep, strict=True)]
    shown = ", ".join(f"{value:.0f}" for value in values)
    places = ", ".join(map(str, PLACES))
    if is_admitted(staircase) and all(v >= p for v, p in zip(values, PLACES, strict=True)):
        return refuted(
            "f = sum_k 2^-k sigmoid(2^(k+2) (x - 2^k)), k >= 1, is smooth, increasing, between 0 "
            "and 1, with f(x) x -> 0 to the left and Property 4, and no steeper than "
            f"{steep.max():.2f} at its steps; but x f'(x) is {shown} at x = {places}: at least "
            "2^k at x = 2^k, unbounded"
        )
    return sampled(
        True, f"x f'(x) is {shown} at x = {places}: no counter-example", cases=len(PLACES)
    )


def conditional_second_moment(mean: Vector, covariance: Vector, observed: float) -> float:
    """``E |y|^2`` given the last coordinate, by summing the density over a plane of 3-D space."""
    spread = 9 * np.sqrt(np.diag(covariance)[:2])
    axes = [np.linspace(mean[i] - spread[i], mean[i] + spread[i], 301) for i in (0, 1)]
    first, second = np.meshgrid(*axes, indexing="ij")
    points = np.stack([first, second, np.full_like(first, observed)], axis=-1)
    density = multivariate_normal(mean, covariance).pdf(points)
    return float((density * (points**2).sum(axis=-1)).sum() / density.sum())


def printed_second_moment(mean: Vector, covariance: Vector, observed: float) -> float:
    """``|mu_P|^2 + kappa^2`` of Eq. 10, with the conditional mean of Eq. 8."""
    slope = covariance[:-1, -1] / covariance[-1, -1]
    conditional = mean[:-1] + slope * (observed - mean[-1])
    return float((conditional**2).sum() + observed**2)


def second_moment() -> str:
    """Eq. 10, first line: the second moment beside the squared norm of the conditional mean."""
    true = conditional_second_moment(MEAN, COVARIANCE, OBSERVED)
    printed = printed_second_moment(MEAN, COVARIANCE, OBSERVED)
    return (
        f"In an example with C = 3 and kappa'_y = {OBSERVED}, the squared norm of the conditional "
        f"mean is {printed:.3f}, as printed, and the second moment is {true:.3f}: larger by the "
        "trace of the conditional covariance, which is the same for x and y."
    )


def condition_of_corollary() -> Judgement:
    """Eq. 10: the last line follows from the second, whatever mu', sigma' and kappa' are."""
    rest = sympy.expand(SECOND_LINE - LAST_LINE)
    if rest != 0:
        return refuted(f"the terms of the second and the last line differ by {rest}")
    return proved(
        "the second line is the first with the conditional means of Eq. 8 and 9, and each term "
        "of its sum expands to that of the last line; a trace of the conditional covariance, if "
        "second moments are meant, is the same on both sides"
    )


def cfg_l_epochs() -> Judgement:
    """300k iterations of 1024 images are 240 epochs of ImageNet."""
    epochs = 300_000 * 1024 / IMAGES
    return checked(round(epochs) == 240, f"300000 x 1024 / {IMAGES} = {epochs:.1f}", cases=1)


def group_norm_identities() -> Judgement:
    """Appendix F: GroupNorm of one vector is LayerNorm for G = 1, only its bias for G = C."""
    vectors, channels = 5, 8
    draws = generator("iieu", "means")
    means = torch.randn(vectors, channels, generator=draws, dtype=torch.float64)
    whole = functional.group_norm(means, 1) - functional.layer_norm(means, (channels,))
    single = ChannelShift(channels, "group_norm_c").double()
    rest = single(means) - torch.sigmoid(single.bias)
    errors = whole.abs().max().item(), rest.abs().max().item()
    largest = max(*errors, 1e-12)
    return sampled(
        largest <= 1e-12,
        f"both sides agree to {largest:.0e} for G = 1 and for G = C, {channels} channels",
        cases=vectors,
    )
