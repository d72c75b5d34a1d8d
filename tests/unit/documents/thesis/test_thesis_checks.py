"""Checks of the thesis' lemmas and theorems answer otherwise where the statement is otherwise."""

import pytest
from reactivate.documents.thesis.chapter5 import entropy_claims as thesis_entropy
from reactivate.documents.thesis.chapter5 import similarity_claims as thesis_similarity
from reactivate.documents.thesis.chapter5 import theorem4_claims
from reactivate.documents.thesis.chapter5 import theorems5_to_7_claims as thesis_expressivity
from reactivate.documents.thesis.chapter5 import transitions_claims as thesis_transitions
from reactivate.documents.thesis.small_networks import dense, random_dense
from reactivate.evidence.judgement import Verdict
from reactivate.patterns.similarity import pair_similarity

SUM = ([[1.0, 1.0]], [0.0])
STAIRS = thesis_transitions.STAIRS  # one hidden layer: every neuron is crossed once
# two lines side by side at the edge of the unit square, and three lines across it
EDGE = dense(([[1.0, 0.0]] * 3, [-0.1, -0.11, -0.12]), ([[1.0, 1.0, 1.0]], [0.0]))

CORRECTED = [
    (
        theorem4_claims,
        {"SLANTED": dense(([[1.0, 0.0], [0.8, 0.6]], [0.0, 0.0]), SUM)},
        "union_constant",
    ),
    (
        theorem4_claims,
        {"QUADRANTS": dense(([[-1.0, 0.0], [0.0, -1.0]], [0.0, 0.0]), SUM)},
        "theorem4",
    ),
    (theorem4_claims, {"ALIKE": ((1.0, 1.0), (2.0, 1.9))}, "theorem4_datasets"),
    (thesis_transitions, {"VALLEY": STAIRS}, "lemma10"),
    (thesis_transitions, {"VALLEY": STAIRS}, "theorem3"),
    (thesis_transitions, {"DEPTHS": (1,)}, "equation5_6"),
    (
        thesis_transitions,
        {"SHORT": thesis_transitions.LONG, "LONG": thesis_transitions.SHORT},
        "theorem3_last_line",
    ),
    (thesis_transitions, {"TO_FLOAT": 7.0, "TO_FIXED": -1.0}, "more_float_neurons"),
    (thesis_similarity, {"PRINTED_SIZES": (4, 8, 2)}, "transition_estimate"),
    (thesis_similarity, {"SIGMOID_BREAKPOINTS": (-0.5, 0.5)}, "sigmoid_separation"),
    (
        thesis_similarity,
        {"segment_constants": lambda net, x, y: _rising(net, x, y)},
        "bound_rises",
    ),
    (thesis_entropy, {"ENTRY_LAYER": 0.69}, "half_at_entry"),
    (
        thesis_expressivity,
        {"RARE_BUT_LARGE": (thesis_expressivity.RARE_BUT_LARGE[0], 1)},
        "theorem5_distance",
    ),
    (thesis_expressivity, {"CLASSES": 1}, "same_class"),
    (thesis_expressivity, {"STRIPS": thesis_expressivity.CROSSES, "CROSSES": EDGE}, "theorem6"),
    (
        thesis_expressivity,
        {"STRIPS": thesis_expressivity.CROSSES, "CROSSES": EDGE},
        "shared_pattern",
    ),
    (
        thesis_expressivity,
        {"HIGHER": thesis_expressivity.EVENLY, "LOWER": thesis_expressivity.UNEVENLY},
        "theorem7",
    ),
]
BROKEN = [
    (
        thesis_transitions,
        {"random_dense": lambda sizes, stream: random_dense((8, 16, 16, 16, 1), stream)},
        "lemma10_first_layer",
    ),
    (thesis_transitions, {"VALLEY": STAIRS}, "equation5_6_not_always"),
    (
        thesis_similarity,
        {"pair_similarity": lambda a, b: -pair_similarity(a, b)},
        "similarity_falls",
    ),
    (thesis_similarity, {"INPUTS": ((0.6, -0.2), (-1.5, 1.8))}, "similarity_example"),
    (thesis_entropy, {"largest_entropy": lambda p, k: p * (1 - p)}, "maximum_of_two"),
    (thesis_entropy, {"NEAR_MAXIMUM": 0.62}, "half_near_maximum"),
    (thesis_entropy, {"WORST_MODELS": 0.62}, "constant_at_low_entropy"),
]


def _rising(network, x, y):
    """A bound that does grow with the transitions."""
    return thesis_similarity.count_transitions(network, x, y).regions.double()


@pytest.mark.parametrize(("module", "changes", "check"), CORRECTED)
def test_a_statement_that_is_put_right_is_confirmed(verdicts, module, changes, check):
    assert verdicts(module, changes, check) == (Verdict.INCONSISTENT, Verdict.RECOMPUTED_OK)


@pytest.mark.parametrize(("module", "changes", "check"), BROKEN)
def test_a_statement_that_is_broken_is_refused(verdicts, module, changes, check):
    assert verdicts(module, changes, check) == (Verdict.RECOMPUTED_OK, Verdict.INCONSISTENT)
