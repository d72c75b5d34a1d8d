"""Checks of the thesis' lemmas and theorems answer otherwise where the statement is otherwise."""

import pytest
import torch
from reactivate.documents.thesis.chapter3 import theorem1_claims as thesis_updates
from reactivate.documents.thesis.chapter4 import lemmas1_to_3_claims as thesis_regions
from reactivate.documents.thesis.chapter4 import lemmas4_7_to_9_claims as thesis_neighbours
from reactivate.documents.thesis.chapter4 import lemmas5_6_claims as thesis_lipschitz
from reactivate.documents.thesis.chapter4 import theorem2_claims as thesis_bounds
from reactivate.documents.thesis.segments import segment_constants
from reactivate.documents.thesis.small_networks import dense
from reactivate.evidence.judgement import Verdict
from reactivate.patterns import lipschitz
from reactivate.patterns.regions import hyperplanes_between
from reactivate.patterns.slopes import slopes_of
from torch import nn

ONE = ([[1.0]], [0.0])
SUM = ([[1.0, 1.0]], [0.0])
STAIRS = dense(([[1.0], [1.0]], [0.0, -1.0]), SUM)  # every neuron is crossed once
# z(2) = |x - 1|, which is positive on either side of x = 1
UPWARD = dense(([[1.0], [-1.0]], [-1.0, 1.0]), SUM, ONE)
# a ReLU network in place of tanh: both ends of the segment have the pattern (0, 1, 1)
STRAIGHT = dense(([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), ([[10.0, 10.0]], [4.9]), ONE)
# tanh x + tanh y - 0.9: not convex where both are positive
HOLLOW = dense(
    ([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), ([[1.0, 1.0]], [-0.9]), ONE, activation=nn.Tanh
)
TIED = dense(([[1.0, 0.0, 0.0, 0.0]], [0.0]), ONE, ONE)

CORRECTED = [
    (thesis_updates, {"TARGET": 0.0}, "theorem1"),
    (
        thesis_updates,
        {"softmax_jacobian": lambda p: torch.diag(p) - torch.outer(p, p)},
        "softmax_derivative",
    ),
    (thesis_regions, {"PRINTED_JOIN": any}, "lemma1_as_printed"),
    (thesis_regions, {"UNBIASED": dense(ONE, ([[1.0]], [0.1]), ONE)}, "lemma2"),
    (
        thesis_regions,
        {"BENT": STRAIGHT, "BENT_BREAKPOINTS": (0.0,), "BENT_ENDS": ((-0.9, 0.6), (-0.1, 0.9))},
        "lemma3",
    ),
    (thesis_neighbours, {"printed_fixed": thesis_neighbours.fixed}, "definition4"),
    (thesis_neighbours, {"IMPLIED": STAIRS}, "released_neurons"),
    (thesis_neighbours, {"VALLEY": STAIRS}, "lemma9"),
    (thesis_neighbours, {"VALLEY": UPWARD}, "equation4_36"),
    (thesis_lipschitz, {"DOUBLE": dense(([[0.5]], [0.0]), ONE)}, "equation4_17"),
    (
        thesis_lipschitz,
        {"printed_slope": lambda code: slopes_of(nn.ReLU(), channels=1)[code].item()},
        "lemma5_interval",
    ),
    (thesis_lipschitz, {"FALLING": nn.Softplus()}, "lemma5_falling"),
    (
        thesis_bounds,
        {"RAMP": dense(([[1.0], [-1.0]], [0.0, 0.0]), ([[1.0, 4.0]], [0.0]))},
        "theorem2",
    ),
]
BROKEN = [
    (thesis_updates, {"mse_loss": lambda a, b: (a - b).pow(3).sum()}, "theorem1_linear"),
    (
        thesis_updates,
        {"cross_entropy": lambda z, labels, reduction: z.square().sum()},
        "cross_entropy_gradient",
    ),
    (
        thesis_regions,
        {"memberships": lambda z, points: ([True, True], [False])},
        "lemma1_in_words",
    ),
    (thesis_regions, {"random_dense": lambda sizes, stream: TIED}, "lemma2_generic"),
    (thesis_regions, {"random_dense": lambda sizes, stream: HOLLOW}, "lemma3_relu"),
    (thesis_regions, {"codes": lambda network, x: torch.zeros(len(x), 1)}, "line_visits_once"),
    (
        thesis_neighbours,
        {"adjacent_regions": lambda a, b: hyperplanes_between(a, b) == 2},
        "lemma7",
    ),
    (thesis_neighbours, {"fixed": thesis_neighbours.printed_fixed}, "lemma8"),
    (
        thesis_lipschitz,
        {
            "layer_bounds": lambda *rest: [
                lipschitz.LayerBound(layer.name, layer.slope, layer.norm / 2)
                for layer in lipschitz.layer_bounds(*rest)
            ]
        },
        "lemma5",
    ),
    (
        thesis_lipschitz,
        {"product_bound": lambda bounds: lipschitz.product_bound(bounds) / 10},
        "lemma6",
    ),
    (
        thesis_bounds,
        {"segment_constants": lambda *ends: segment_constants(*ends) / 2},
        "segment_bound",
    ),
]


@pytest.mark.parametrize(("module", "changes", "check"), CORRECTED)
def test_a_statement_that_is_put_right_is_confirmed(verdicts, module, changes, check):
    assert verdicts(module, changes, check) == (Verdict.INCONSISTENT, Verdict.RECOMPUTED_OK)


@pytest.mark.parametrize(("module", "changes", "check"), BROKEN)
def test_a_statement_that_is_broken_is_refused(verdicts, module, changes, check):
    assert verdicts(module, changes, check) == (Verdict.RECOMPUTED_OK, Verdict.INCONSISTENT)
