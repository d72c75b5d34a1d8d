"""GmP, sections 2.3, 3 and 4.1: statements on boundaries, locations and their changes."""

import math

import torch
from torch import Tensor
from torch.nn.functional import normalize

from reactivate.documents.gmp.characteristic import Boundary, batch_normalized
from reactivate.documents.gmp.theorem3 import angle_between
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.layers.batched.bn import BatchNormUnits
from reactivate.layers.batched.gmp import GeometricUnits
from reactivate.layers.batched.sp import StandardUnits

FAN_INS = (2, 3, 10, 100)
DRAWS = 500
ROUNDING = 1e-9
LENGTH = 1e-3  # of weights that are small


def _normal(purpose: str, *shape: int) -> Tensor:
    return torch.randn(shape, generator=generator("gmp", purpose), dtype=torch.float64)


def location_is_nearest() -> Judgement:
    """Definition 2: phi lies on the boundary, and no point of it is nearer to 0."""
    on, nearest = 0.0, math.inf
    for n in FAN_INS:
        values = _normal(f"location {n}", DRAWS, n + 1)
        unit = Boundary(values[:, :n], values[:, n])
        residual = (unit.weight * unit.location).sum(dim=-1) + unit.bias
        on = max(on, residual.abs().max().item())
        # other points of the boundary: phi and anything perpendicular to w
        step = _normal(f"step {n}", DRAWS, n)
        step -= (step * unit.direction).sum(dim=-1, keepdim=True) * unit.direction
        ratio = (unit.location + step).norm(dim=-1) / unit.location.norm(dim=-1)
        nearest = min(nearest, ratio.min().item())
    return judge(
        on < ROUNDING and nearest >= 1 - ROUNDING,
        f"{DRAWS * len(FAN_INS)} units, n in {FAN_INS}: |w phi + b| is at most {on:.0e}, and no "
        f"other point of a boundary is nearer (smallest ratio {nearest:.4f})",
    )


def location_determines_boundary() -> Judgement:
    """Definition 2: phi uniquely determines the boundary."""
    units = Boundary(torch.eye(2, dtype=torch.float64), torch.zeros(2, dtype=torch.float64))
    same = torch.equal(units.location[0].abs(), units.location[1].abs())
    turned = math.degrees(angle_between(units.direction[0], units.direction[1]).item())
    return judge(
        not same,
        f"b = 0 puts phi at 0 whatever w is: w = (1, 0) and (0, 1) have boundaries at "
        f"{turned:.0f} degrees and one phi; every unit starts with b = 0 (section 4.3)",
    )


def sp_turns_by_any_angle() -> Judgement:
    """Eq. 12: a small perturbation of SP can turn the direction by any angle up to pi."""
    wanted = torch.linspace(0, math.pi, 181, dtype=torch.float64)
    weight = LENGTH * torch.tensor([1.0, 0.0], dtype=torch.float64).expand(len(wanted), 2)
    turned = LENGTH * torch.stack([wanted.cos(), wanted.sin()], dim=1)
    epsilon = turned - weight
    angles = angle_between(_unit(weight), _unit(weight + epsilon))
    error = (angles - wanted).abs().max().item()
    opposite = angle_between(_unit(weight[0]), _unit(weight[0] - 1.01 * weight[0])).item()
    return judge(
        error < ROUNDING and math.isclose(opposite, math.pi),
        f"|w| = {LENGTH:g}: perturbations of at most {epsilon.norm(dim=1).max():.3g} give every "
        f"whole degree from 0 to 180 to {error:.0e}, and eps = -1.01 w gives pi",
    )


def wn_turns_as_sp() -> Judgement:
    """Eq. 14: the direction of WN changes by the angle between v and v + eps."""
    v = LENGTH * _normal("wn", DRAWS, 2)
    length = v.norm(dim=1, keepdim=True)
    epsilon, change = (
        LENGTH * _normal(f"wn {part}", DRAWS, n) for part, n in (("v", 2), ("l", 1))
    )
    before, after = length * _unit(v), (length + change) * _unit(v + epsilon)
    left = angle_between(_unit(before), _unit(after))
    right = angle_between(_unit(v), _unit(v + epsilon))
    equal = (left - right).abs() < ROUNDING
    positive = equal & ((length + change).squeeze(1) > 0)
    return judge(
        bool(equal.all()),
        f"equal for {int(equal.sum())} of {DRAWS} draws, {int(positive.sum())} of them with "
        "l + eps' > 0; a negative one turns the weights round, by pi minus that angle",
    )


def _unit(vectors: Tensor) -> Tensor:
    return normalize(vectors, dim=-1, eps=0.0)


def bn_is_a_parameterization() -> Judgement:
    """Eq. 6: for centred inputs BN is ``gamma (w / |w|_Sigma) x + beta``; WN has Sigma = I."""
    samples, n, hidden = 200, 5, 20
    x = _normal("bn", 1, samples, n) @ _normal("bn mixing", n, n)
    x -= x.mean(dim=1, keepdim=True)
    units = BatchNormUnits(_normal("bn w", 1, hidden, n), _normal("bn b", 1, hidden), epsilon=0.0)
    with torch.no_grad():
        units.gamma.copy_(_normal("bn gamma", 1, hidden))
        units.beta.copy_(_normal("bn beta", 1, hidden))
        affine = batch_normalized(units, x)
        weight = units.rows(units.weight)
        covariance = x.mT @ x / samples
        norm = ((weight @ covariance) * weight).sum(-1, keepdim=True).sqrt()
        difference = (affine.weight - units.gamma.unsqueeze(-1) * weight / norm).abs().max().item()
        shift = (affine.bias.squeeze(1) - units.beta).abs().max().item()
    return judge(
        max(difference, shift) < ROUNDING,
        f"{hidden} units, {samples} correlated samples: weights differ by {difference:.0e}, "
        f"biases by {shift:.0e}; the covariance is the full one",
    )


def degrees_of_freedom() -> Judgement:
    """Section 4.1: a GmP unit has n + 1 parameters, as many as SP."""
    counts = {}
    for n in FAN_INS:
        weight, bias = _normal(f"freedom {n}", 1, 1, n), torch.zeros(1, 1, dtype=torch.float64)
        layers = GeometricUnits(weight, bias), StandardUnits(weight, bias)
        counts[n] = tuple(sum(p.numel() for p in layer.parameters()) for layer in layers)
    return judge(
        all(count == (n + 1, n + 1) for n, count in counts.items()),
        "parameters of a unit of GmP and SP: "
        + ", ".join(f"n = {n}: {gmp} and {sp}" for n, (gmp, sp) in counts.items()),
    )
