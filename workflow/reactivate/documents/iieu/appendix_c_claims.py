"""IIEU, Appendix C: the printed range, derivatives and bound against autograd."""

import math

import torch
from torch import Tensor

from reactivate.activations.shift import ChannelShift
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

CHANNELS = 8  # length of w and x
POSITIONS = 5  # N, feature vectors of a map
DRAWS = 2000
ROUNDING = 1e-10


def draw(*shape: int, purpose: str) -> Tensor:
    """Standard normal numbers from a stream of their own."""
    return torch.randn(*shape, generator=generator("iieu", purpose), dtype=torch.float64)


def gradient(value: Tensor, at: Tensor) -> Tensor:
    """Derivative by autograd."""
    return torch.autograd.grad(value, at)[0]


def range_of_term_s() -> Judgement:
    """Eq. 26 and 27: bounds of ``x~ / (|w| |x|)`` after batch normalisation."""
    w, x = draw(DRAWS, CHANNELS, purpose="w"), draw(DRAWS, CHANNELS, purpose="x")
    x[0], x[1] = w[0], -w[1]  # cosine 1 and -1: where the bounds are met
    gamma, mu, beta, spread = draw(4, DRAWS, purpose="batch norm")
    spread = spread.abs() + 0.1
    size = w.norm(dim=1) * x.norm(dim=1)
    term = (gamma * ((w * x).sum(dim=1) - mu) / spread + beta) / size
    low, high = printed_range(gamma / spread, mu, beta, size)
    used = (2 * term - low - high).abs() / (high - low)
    # Eq. 26 writes the middle with |gamma|, and its sign by case
    sign = torch.where(gamma >= 0, -1.0, 1.0)
    middle = sign * gamma.abs() * mu / (size * spread) + beta / size
    apart = (middle - (low + high) / 2).abs().max().item()
    tight = used[:2].min().item()
    return sampled(
        used.max().item() - 1 < ROUNDING and apart < ROUNDING and math.isclose(tight, 1.0),
        f"term-S uses at most {used.max().item():.6f} of the printed range, and {tight:.6f} at "
        f"cosine +-1; Eq. 26 and 27 agree to {max(apart, ROUNDING):.0e}",
        cases=DRAWS,
    )


def printed_range(r: Tensor, mu: Tensor, beta: Tensor, size: Tensor) -> tuple[Tensor, Tensor]:
    """Both bounds of Eq. 27."""
    middle = (beta - r * mu) / size
    return middle - r.abs(), middle + r.abs()


def derivative_of_term_s() -> Judgement:
    """Eq. 28: ``(|w|^2 x - w w^T x) / (|x| |w|^3)``."""
    w = draw(DRAWS, CHANNELS, purpose="w").requires_grad_()
    x = draw(DRAWS, CHANNELS, purpose="x")
    true = gradient(((w * x).sum(dim=1) / (w.norm(dim=1) * x.norm(dim=1))).sum(), w)
    return _compare(true, printed_derivative_s(w.detach(), x), "Eq. 28")


def printed_derivative_s(w: Tensor, x: Tensor) -> Tensor:
    """The last line of Eq. 28, ``(N, C)``."""
    length, product = w.norm(dim=1, keepdim=True), (w * x).sum(dim=1, keepdim=True)
    out: Tensor = (length**2 * x - w * product) / (x.norm(dim=1, keepdim=True) * length**3)
    return out


def derivative_of_term_b() -> Judgement:
    """Eq. 29: ``d (1 - d) gamma mean(x)``, d = sigmoid(gamma w^T mean(x) + beta)."""
    w = draw(DRAWS, CHANNELS, purpose="w").requires_grad_()
    maps = draw(DRAWS, POSITIONS, CHANNELS, purpose="maps")
    gamma, beta = draw(2, DRAWS, 1, purpose="affine")
    responses = (maps * w.unsqueeze(1)).sum(dim=2).mean(dim=1, keepdim=True)
    true = gradient(torch.sigmoid(gamma * responses + beta).sum(), w)
    printed = printed_derivative_b(w.detach(), maps.mean(dim=1), gamma, beta)
    return _compare(true, printed, "the last line of Eq. 29")


def printed_derivative_b(w: Tensor, mean: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    """The last line of Eq. 29, ``(N, C)``."""
    gate = torch.sigmoid(gamma * (w * mean).sum(dim=1, keepdim=True) + beta)
    return gate * (1 - gate) * gamma * mean


def through_layer_norm() -> str:
    """The derivative of term-B through LayerNorm's mean and variance, beside Eq. 29."""
    true, printed, _ = layer_norm_derivatives()
    ratio = (true[0].norm() / printed.norm()).item()
    others = (true[1:].norm() / true[0].norm()).item()
    return (
        f"With C = {CHANNELS}, the derivative through LayerNorm's mean and variance is "
        f"{ratio:.3f} times that of Eq. 29, which takes both as constants; the first channel's "
        f"term-B then also depends on the other filters ({others:.2f} of its own derivative)."
    )


def layer_norm_derivatives() -> tuple[Tensor, Tensor, Tensor]:
    """Derivative of the first channel's term-B about all filters, the printed one, the means.

    Returns:
        True derivative, ``(C, C)``; Eq. 29 with mean and deviation of the C channel means as
        constants, ``(C)``; the channel means, ``(C)``.
    """
    weights = draw(CHANNELS, CHANNELS, purpose="filters").requires_grad_()
    mean = draw(POSITIONS, CHANNELS, purpose="map").mean(dim=0)
    shift = ChannelShift(CHANNELS).double()
    responses = weights @ mean
    gate = shift(responses.unsqueeze(0))[0, 0]
    true = gradient(gate, weights)
    deviation = (responses.detach().var(correction=0) + 1e-6).sqrt()
    slope = (gate * (1 - gate) * shift.weight[0]).detach() / deviation
    return true, slope * mean, responses.detach()


def projection() -> Judgement:
    """Eq. 30: ``w w^T x = (sum_c w_c x_c) w``."""
    w, x = draw(DRAWS, CHANNELS, purpose="w"), draw(DRAWS, CHANNELS, purpose="x")
    outer = torch.einsum("ni,nj->nij", w, w)
    left = torch.einsum("nij,nj->ni", outer, x)
    return _compare(left, printed_projection(w, x), "the right side of Eq. 30")


def printed_projection(w: Tensor, x: Tensor) -> Tensor:
    """The right side of Eq. 30, ``(N, C)``."""
    return (w * x).sum(dim=1, keepdim=True) * w


def quarter_bound() -> Judgement:
    """Eq. 31: ``|grad nu| <= |gamma| |mean(x)| / 4``."""
    mean, w = draw(DRAWS, CHANNELS, purpose="means"), draw(DRAWS, CHANNELS, purpose="w")
    gamma, beta = draw(2, DRAWS, purpose="affine")
    beta[0] = -gamma[0] * (w[0] @ mean[0])  # z = 0: where the bound is met
    w.requires_grad_()
    nu = torch.sigmoid(gamma * (w * mean).sum(dim=1) + beta)
    size = gradient(nu.sum(), w).norm(dim=1)
    ratio = size / (0.25 * gamma.abs() * mean.norm(dim=1))
    largest = ratio.max().item()
    return sampled(
        largest <= 1 + ROUNDING,
        f"the largest |grad nu| / (|gamma| |mean x| / 4) is {largest:.6f}, "
        f"and {ratio[0].item():.6f} at z = 0",
        cases=DRAWS,
    )


def _compare(true: Tensor, printed: Tensor, name: str) -> Judgement:
    errors = (true - printed).norm(dim=1) / true.norm(dim=1)
    largest = errors.max().item()
    return sampled(
        largest < ROUNDING,
        f"{name} agrees to {max(largest, ROUNDING):.0e} of its norm",
        cases=DRAWS,
    )
