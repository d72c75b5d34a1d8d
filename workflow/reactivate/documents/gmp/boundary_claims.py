"""GmP, sections 2.3, 3 and 4.1: statements on boundaries, locations and their changes."""

import math

import torch
from torch import Tensor
from torch.nn.functional import normalize

from reactivate.documents.gmp.characteristic import Boundary, batch_normalized
from reactivate.documents.gmp.theorem3 import angle_between
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement
from reactivate.layers.batched.bn import BatchNormUnits
from reactivate.layers.batched.gmp import GeometricUnits
from reactivate.layers.batched.sp import StandardUnits
from reactivate.layers.gmp import angles, unit_vector

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
    return sampled(
        on < ROUNDING and nearest >= 1 - ROUNDING,
        f"{DRAWS * len(FAN_INS)} units, n in {FAN_INS}: |w phi + b| is at most {on:.0e}, and no "
        f"other point of a boundary is nearer (smallest ratio {nearest:.4f})",
        cases=DRAWS * len(FAN_INS),
    )


def location_determines_boundary() -> Judgement:
    """Definition 2: phi, of radius lambda and angle theta (Eq. 9), determines the boundary.

    For ``b != 0`` its point suffices: ``{x: phi x = |phi|^2}`` is the boundary. For ``b = 0`` it
    is the angle of Eq. 9 that tells boundaries through the origin apart.
    """
    gap = 0.0
    for n in FAN_INS:
        values = _normal(f"location {n}", DRAWS, n + 1)
        unit = Boundary(values[:, :n], values[:, n])
        by_point = Boundary(unit.location, -unit.location.square().sum(dim=-1))
        at_origin = Boundary(unit.weight, torch.zeros_like(unit.bias))
        gap = max(gap, _between(by_point, unit))
        for each in (unit, at_origin):
            by_angle = Boundary(unit_vector(angles(each.weight)), each.offset)
            gap = max(gap, _between(by_angle, each))
    cases = DRAWS * len(FAN_INS)
    return sampled(
        gap < ROUNDING,
        f"{cases} units, n in {FAN_INS}: the boundary is found again from the point phi, and from "
        f"lambda and theta also where b = 0 (to {gap:.0e}); the point alone does not tell "
        "boundaries through the origin apart",
        cases=cases,
    )


def _between(one: Boundary, other: Boundary) -> float:
    """Largest difference of two hyperplanes, whatever side is the active one."""
    same = (one.direction * other.direction).sum(dim=-1).sign()
    turned = (one.direction - same.unsqueeze(-1) * other.direction).abs().max()
    return max(turned.item(), (one.offset - same * other.offset).abs().max().item())


def sp_turns_by_any_angle() -> Judgement:
    """Eq. 12: a small perturbation of SP can turn the direction by any angle up to pi."""
    wanted = torch.linspace(0, math.pi, 181, dtype=torch.float64)
    weight = LENGTH * torch.tensor([1.0, 0.0], dtype=torch.float64).expand(len(wanted), 2)
    turned = LENGTH * torch.stack([wanted.cos(), wanted.sin()], dim=1)
    epsilon = turned - weight
    turns = angle_between(_unit(weight), _unit(weight + epsilon))
    error = (turns - wanted).abs().max().item()
    opposite = angle_between(_unit(weight[0]), _unit(weight[0] - 1.01 * weight[0])).item()
    return sampled(
        error < ROUNDING and math.isclose(opposite, math.pi),
        f"|w| = {LENGTH:g}: perturbations of at most {epsilon.norm(dim=1).max():.3g} give every "
        f"whole degree from 0 to 180 to {error:.0e}, and eps = -1.01 w gives pi",
        cases=len(wanted),
    )


def wn_turns_as_sp() -> Judgement:
    """Eq. 14: the direction of WN changes by the angle between v and v + eps, as in Eq. 12.

    The perturbation of the length l is small: it leaves l's sign.
    """
    v = LENGTH * _normal("wn", DRAWS, 2)
    epsilon = LENGTH * _normal("wn v", DRAWS, 2)
    length = v.norm(dim=1, keepdim=True)
    change = length * torch.tanh(_normal("wn l", DRAWS, 1))
    before, after = length * _unit(v), (length + change) * _unit(v + epsilon)
    left = angle_between(_unit(before), _unit(after))
    right = angle_between(_unit(v), _unit(v + epsilon))  # Eq. 12 with w = v
    gap = (left - right).abs().max().item()
    return sampled(
        gap < ROUNDING,
        f"{DRAWS} draws with |v| about {LENGTH:g}: the change under WN differs from the "
        f"right-hand side of Equation 12, with v for w, by at most {gap:.0e}; the lengths cancel",
        cases=DRAWS,
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
    return sampled(
        max(difference, shift) < ROUNDING,
        f"{hidden} units, {samples} correlated samples: weights differ by {difference:.0e}, "
        f"biases by {shift:.0e}; the covariance is the full one, and WN is the case "
        "of the identity by the definition of its norm",
        cases=hidden,
    )


def degrees_of_freedom() -> Judgement:
    """Section 4.1: a GmP unit has n + 1 parameters, as many as SP."""
    counts = {}
    for n in FAN_INS:
        weight, bias = _normal(f"freedom {n}", 1, 1, n), torch.zeros(1, 1, dtype=torch.float64)
        layers = GeometricUnits(weight, bias), StandardUnits(weight, bias)
        counts[n] = tuple(sum(p.numel() for p in layer.parameters()) for layer in layers)
    return sampled(
        all(count == (n + 1, n + 1) for n, count in counts.items()),
        "parameters of a unit of GmP and SP: "
        + ", ".join(f"n = {n}: {gmp} and {sp}" for n, (gmp, sp) in counts.items())
        + "; GmP's are n - 1 angles, a radius and a scale",
        cases=len(counts),
    )
