"""IIEU, Appendices A, B, D and F: statements with a counter-example, and some that hold."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import multivariate_normal
from torch import Tensor
from torch.nn import functional

from reactivate.activations.shift import ChannelShift
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator

STEPS = 40  # terms of the staircase; those beyond only add to its slope
PLACES = (2, 5, 8, 10)

Vector = NDArray[np.float64]
# A normal distribution after the rotation of Appendix A: the last coordinate is observed.
MEAN = np.array([0.3, -0.4, 0.2])
COVARIANCE = np.array([[2.0, 0.3, 0.5], [0.3, 1.5, -0.4], [0.5, -0.4, 1.0]])
OBSERVED = (0.5, -0.8)  # kappa'_x, kappa'_y


def staircase(x: Tensor) -> Tensor:
    r"""A smooth, increasing function below 1, ``sum_{k>=1} 2^-k sigmoid(4^k (x - k))``.

    Its slope at x = k is at least ``4^k 2^-k / 4 = 2^k / 4``: ever steeper, ever smaller steps.

    Example:
        >>> staircase(torch.tensor([0.0, 100.0], dtype=torch.float64)).round(decimals=3)
        tensor([0.0090, 1.0000], dtype=torch.float64)
    """
    k = torch.arange(1, STEPS + 1, dtype=x.dtype)
    return (2**-k * torch.sigmoid(4**k * (x.unsqueeze(-1) - k))).sum(dim=-1)


def growth(function: Callable[[Tensor], Tensor], places: Sequence[float]) -> list[float]:
    """``x f'(x)`` at some places."""
    x = torch.tensor(places, dtype=torch.float64, requires_grad=True)
    slope = torch.autograd.grad(function(x).sum(), x)[0]
    return [float(value) for value in x.detach() * slope]


def proposition4() -> Judgement:
    """Proposition 4, ``varrho(x) = x``: bounded and increasing makes ``x f'(x) < 1`` far out."""
    values = growth(staircase, PLACES)
    shown = ", ".join(f"{value:.1f}" for value in values)
    return judge(
        all(value < 1 for value in values),
        "f = sum_k 2^-k sigmoid(4^k (x - k)) is bounded by 1 and increasing, but x f'(x) is "
        f"{shown} at x = {', '.join(map(str, PLACES))}: at least k 2^k / 4 at x = k, unbounded",
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


def second_moment() -> Judgement:
    """Eq. 10, first line: the printed conditional second moments are right."""
    kappa = OBSERVED[1]
    true = conditional_second_moment(MEAN, COVARIANCE, kappa)
    printed = printed_second_moment(MEAN, COVARIANCE, kappa)
    return judge(
        bool(np.isclose(true, printed)),
        f"C = 3, kappa'_y = {kappa}: E is {true:.3f}, |mu_P|^2 + kappa'^2 is {printed:.3f}; the "
        "trace of the conditional covariance is missing",
    )


def condition_of_corollary() -> Judgement:
    """Eq. 10, last line: the condition is right, as the missing trace is on both sides."""
    true, printed = (
        moment(MEAN, COVARIANCE, OBSERVED[1]) - moment(MEAN, COVARIANCE, OBSERVED[0])
        for moment in (conditional_second_moment, printed_second_moment)
    )
    x, y = OBSERVED
    slope = COVARIANCE[:-1, -1] / COVARIANCE[-1, -1]
    terms = slope * (y - x) * (2 * MEAN[:-1] + slope * (y + x - 2 * MEAN[-1]))
    last = y**2 - x**2 + terms.sum()
    return judge(
        bool(np.isclose(true, printed) and np.isclose(true, last)),
        f"C = 3: E_y - E_x is {true:.4f}, the last line of Eq. 10 gives {last:.4f}",
    )


def cfg_l_epochs() -> Judgement:
    """300k iterations of 1024 images are 240 epochs of ImageNet."""
    epochs = 300_000 * 1024 / 1_281_167
    return judge(round(epochs) == 240, f"300000 x 1024 / 1281167 = {epochs:.1f} epochs")


def group_norm_identities() -> Judgement:
    """Appendix F: GroupNorm of one vector is LayerNorm for G = 1, only its bias for G = C."""
    channels = 8
    means = torch.randn(5, channels, generator=generator("iieu", "means"), dtype=torch.float64)
    whole = functional.group_norm(means, 1) - functional.layer_norm(means, (channels,))
    single = ChannelShift(channels, "group_norm_c").double()
    rest = single(means) - torch.sigmoid(single.bias)
    errors = whole.abs().max().item(), rest.abs().max().item()
    return judge(
        max(errors) < 1e-12, f"differences {errors[0]:.0e} (G = 1) and {errors[1]:.0e} (G = C)"
    )
