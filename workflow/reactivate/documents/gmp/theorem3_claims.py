"""GmP, Theorem 3 and the metric of its proof, recomputed."""

import math
from itertools import pairwise

import torch

from reactivate.documents.gmp.theorem3 import metric, product_metric, turned_by
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

SIZES = (2, 3, 5, 10, 50)  # n, the fan-in
DRAWS = 4000  # of perturbations, per size
ANGLES = 20  # draws of angles, per size
STEPS = (1e-2, 1e-3, 1e-4)  # lengths of a perturbation
ROUNDING = 1e-9


def theorem3_bound() -> Judgement:
    """Eq. 13's inequality: a direction turns by at most the length of the perturbation."""
    stream = generator("gmp", "theorem3")
    largest = 0.0
    for n in SIZES:
        theta = math.pi * torch.rand(DRAWS, n - 1, generator=stream, dtype=torch.float64)
        size = 10 ** (4 * torch.rand(DRAWS, 1, generator=stream, dtype=torch.float64) - 3)
        epsilon = size * torch.randn(DRAWS, n - 1, generator=stream, dtype=torch.float64)
        ratio = turned_by(theta, epsilon) / epsilon.norm(dim=-1)
        largest = max(largest, ratio.max().item())
    draws = DRAWS * len(SIZES)
    return sampled(
        largest <= 1 + ROUNDING,
        f"largest angle / |eps| is {largest:.4f} over {draws} draws, n in {SIZES}, "
        "|eps| not only small",
        cases=draws,
    )


def theorem3_first_order() -> Judgement:
    """Eq. 13's equality: for a small perturbation the angle is its norm in the metric.

    The metric that the direction's derivatives give is the one of Eq. 13, so that the equality
    holds to first order; and its gap falls in proportion to the perturbation.
    """
    stream = generator("gmp", "first order")
    theta = math.pi * torch.rand(9, generator=stream, dtype=torch.float64)
    direction = torch.randn(9, generator=stream, dtype=torch.float64)
    gaps = []
    for size in STEPS:
        epsilon = size * direction / direction.norm()
        norm = (product_metric(theta) * epsilon.square()).sum().sqrt()
        gaps.append(abs(turned_by(theta, epsilon) / norm - 1).item())
    error = 0.0
    for n in SIZES:
        drawn = math.pi * torch.rand(ANGLES, n - 1, generator=stream, dtype=torch.float64)
        errors = [(metric(each) - product_metric(each).diag()).abs().max() for each in drawn]
        error = max(error, torch.stack(errors).max().item())
    shrinks = all(later < 0.2 * gap for gap, later in pairwise(gaps))
    draws = ANGLES * len(SIZES)
    return sampled(
        shrinks and error < ROUNDING,
        f"the metric of Equation 13 is that of the derivatives, to {error:.0e} at {draws} draws "
        f"of angles, n in {SIZES}; at one more the relative gap of the equality is "
        f"{', '.join(f'{gap:.1e}' for gap in gaps)} for |eps| = {STEPS}: it vanishes with eps",
        cases=draws,
    )
