"""IIEU, Appendix C: the printed range, derivatives and bound against autograd."""

import math

import torch
from torch import Tensor

from reactivate.activations.shift import ChannelShift
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator

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


def cosine_range() -> Judgement:
    """Appendix C.1: the cosine similarity lies in [0, 1]."""
    w = torch.tensor([1.0, 2.0], dtype=torch.float64)
    cosine = torch.cosine_similarity(w, -w, dim=0).item()
    return judge(
        0 <= cosine <= 1,
        f"w = (1, 2), x = -w: cosine {cosine:.0f}; the range is [-1, 1], which Eq. 26-27 use",
    )


def range_of_term_s() -> Judgement:
    """Eq. 26 and 27: bounds of ``x~ / (|w| |x|)`` after batch normalisation."""
    w, x = draw(DRAWS, CHANNELS, purpose="w"), draw(DRAWS, CHANNELS, purpose="x")
    x[0], x[1] = w[0], -w[1]  # cosine 1 and -1: where the bounds are met
    gamma, mu, beta, spread = draw(4, DRAWS, purpose="batch norm")
    spread = spread.abs() + 0.1
    size = w.norm(dim=1) * x.norm(dim=1)
    term = (gamma * ((w * x).sum(dim=1) - mu) / spread + beta) / size
    r = gamma / spread
    middle, half = (beta - r * mu) / size, r.abs()
    outside = ((term - middle).abs() / half - 1).max().item()
    # Eq. 26 writes the middle with |gamma|, and its sign by case
    sign = torch.where(gamma >= 0, -1.0, 1.0)
    same = (sign * gamma.abs() * mu / (size * spread) + beta / size - middle).abs().max().item()
    tight = ((term - middle).abs() / half)[:2].min().item()
    return judge(
        outside < ROUNDING and same < ROUNDING and math.isclose(tight, 1.0),
        f"{DRAWS} draws: none outside the bounds, which are met at cosine +-1; Eq. 26 and 27 "
        f"agree to {same:.0e}",
    )


def derivative_of_term_s() -> Judgement:
    """Eq. 28: ``(|w|^2 x - w w^T x) / (|x| |w|^3)``."""
    w, x = draw(CHANNELS, purpose="w").requires_grad_(), draw(CHANNELS, purpose="x")
    true = gradient(w @ x / (w.norm() * x.norm()), w)
    v = w.detach()
    printed = (v.norm() ** 2 * x - v * (v @ x)) / (x.norm() * v.norm() ** 3)
    return _compare(true, printed, "Eq. 28")


def derivative_of_term_b() -> Judgement:
    """Eq. 29, last line: ``d (1 - d) gamma mean(x)``, d = sigmoid(gamma w^T mean(x) + beta)."""
    true, printed = _term_b(beta_in_gate=True)
    return _compare(true, printed, "Eq. 29, last line")


def third_line_of_derivative() -> Judgement:
    """Eq. 29, third line: the shift beta is missing under the sigmoid."""
    true, printed = _term_b(beta_in_gate=False)
    return _compare(true, printed, "Eq. 29, third line (without beta, here 1)")


def _term_b(beta_in_gate: bool) -> tuple[Tensor, Tensor]:
    w = draw(CHANNELS, purpose="w").requires_grad_()
    x = draw(POSITIONS, CHANNELS, purpose="map")
    gamma, beta = 0.7, 1.0
    true = gradient(torch.sigmoid(gamma * (x @ w).mean() + beta), w)
    mean = x.mean(dim=0)
    gate = torch.sigmoid(gamma * (w.detach() @ mean) + (beta if beta_in_gate else 0.0))
    return true, gate * (1 - gate) * gamma * mean


def derivative_with_layer_norm() -> Judgement:
    """Eq. 29 with the LayerNorm that term-B applies to the channel means (Appendix F)."""
    true, printed, _ = layer_norm_derivatives()
    ratio = (true[0].norm() / printed.norm()).item()
    others = (true[1:].norm() / true[0].norm()).item()
    return judge(
        torch.allclose(true[0], printed) and others < ROUNDING,
        f"C = {CHANNELS}: the true derivative is {ratio:.3f} times Eq. 29, which takes "
        "LayerNorm's mean and variance as constants; nu_1 also depends on the other filters "
        f"({others:.2f} of its own derivative)",
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


def sigmoid_rule() -> Judgement:
    """Appendix C.3: ``d(x) = d(x)(1 - d(x))``, printed without the prime."""
    x = torch.zeros((), dtype=torch.float64, requires_grad=True)
    value = torch.sigmoid(x)
    right = (value * (1 - value)).item()
    return judge(
        math.isclose(value.item(), right),
        f"at 0: d = {value.item()}, d(1 - d) = {right} = d' ({gradient(value, x).item()})",
    )


def projection() -> Judgement:
    """Eq. 30: ``w w^T x = (sum_c w_c x_c) w``."""
    w, x = draw(CHANNELS, purpose="w"), draw(CHANNELS, purpose="x")
    error = (torch.outer(w, w) @ x - (w * x).sum() * w).abs().max().item()
    return judge(error < ROUNDING, f"both sides agree to {error:.0e}, C = {CHANNELS}")


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
    return judge(
        largest <= 1 + ROUNDING,
        f"{DRAWS} draws: largest |grad nu| / (|gamma| |mean x| / 4) is {largest:.6f}, "
        f"{ratio[0].item():.6f} at z = 0",
    )


def _compare(true: Tensor, printed: Tensor, name: str) -> Judgement:
    error = ((true - printed).norm() / true.norm()).item()
    return judge(error < ROUNDING, f"{name} differs from autograd by {error:.2g} of its norm")
