"""Thesis, Eq. 6.12: the changes of fixed and float paths, added up as they are defined."""

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.small_networks import normal, random_dense, shown
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.paths import fixed_paths, float_paths

SIZES = (4, 8, 8, 3)
NETWORKS = 20
PAIRS = 10
ROUNDING = 1e-9


def equation6_12() -> Judgement:
    """Eq. 6.12 with its delta^T: the float paths of x' under A, minus those under A'."""
    stream = generator("thesis", "equation 6.12")
    error = 0.0
    for _ in range(NETWORKS):
        network = random_dense(SIZES, stream)
        x, other = normal((2, PAIRS, SIZES[0]), stream)
        fixed, other_fixed = fixed_paths(network, x, other)
        under, own = float_paths(network, x, other)
        missed = network(x) - network(other) - (fixed - other_fixed) - (under - own)
        error = max(error, float(missed.abs().max()))
    return judge(
        error < ROUNDING,
        f"error up to {shown(error)} in {NETWORKS} random ReLU networks, {PAIRS} pairs of inputs "
        "each: the sum lacks what float paths change from x to x' under A; with "
        "Z^T(x, A) - Z^T(x', A'), as in Eq. 6.9, it adds up",
    )
