"""Learned first; and what a setting cannot reach."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.judging.effects import difference
from reactivate.judging.learned import (
    Control,
    Gate,
    is_part_of_the_way,
    judge_no_convergence,
    keep_learned,
    passes_regression,
)
from reactivate.judging.looks import judge
from reactivate.judging.reach import beyond_reach, radius_cap
from reactivate.judging.verdicts import FAILS, HOLDS, UNDECIDED, UNREACHABLE, UNTRAINED
from scipy import stats


@given(
    st.integers(0, 400),
    st.sampled_from([10, 100, 400]),
    st.sampled_from([0.05, 0.1, 0.5]),
    st.floats(0.1, 1.0),
)
def test_the_gate_is_the_exact_binomial_test_and_a_third_of_the_way(correct, images, chance, best):
    accuracy = min(correct, images) / images
    expected = (
        stats.binomtest(min(correct, images), images, chance, alternative="greater").pvalue < 0.001
        and 3 * (accuracy - chance) >= best - chance - 1e-8
    )
    assert Gate(chance, best, images).passes(accuracy) == expected


def test_a_network_at_chance_has_not_learned():
    """gmp_imn had 2.8 % where chance is 5 %; convpool9 with CReLU stayed at a tenth."""
    assert not Gate(chance=0.05, best=0.3, images=1000).passes(0.028)
    assert not Gate(chance=0.1, best=0.7, images=10_000).passes(0.1)
    assert not Gate(chance=0.1, best=0.1, images=10_000).passes(0.1)


def test_few_images_are_no_evidence_of_learning():
    assert not Gate(chance=0.1, best=0.5, images=10).passes(0.3)
    assert Gate(chance=0.1, best=0.5, images=100).passes(0.3)


def test_above_chance_is_not_enough_beside_a_far_better_network():
    assert not Gate(chance=0.1, best=0.94, images=10_000).passes(0.2)
    assert Gate(chance=0.1, best=0.4, images=10_000).passes(0.2)  # exactly a third


def test_a_printed_network_learned_by_the_same_measure():
    assert is_part_of_the_way(0.9, 0.1, 0.93)
    assert not is_part_of_the_way(0.1, 0.1, 0.93)
    assert not is_part_of_the_way(0.1, 0.1, 0.1)
    assert is_part_of_the_way(0.2 - 0.9e-9, 0.1, 0.4)  # a third, but for a billionth
    assert not is_part_of_the_way(0.2 - 1.1e-9, 0.1, 0.4)


def test_a_regression_learned_if_it_beats_the_mean():
    assert passes_regression(0.9, 1.0)
    assert not passes_regression(1.0, 1.0)


def test_only_runs_that_learned_are_compared_where_the_printed_one_learned():
    accuracies = {0: 0.9, 1: 0.1, 2: 0.8}
    gate = Gate(0.1, 0.9, 1000)
    learned = {seed: gate.passes(x) for seed, x in accuracies.items()}
    assert keep_learned(accuracies, learned) == {0: 0.9, 1: None, 2: 0.8}
    assert keep_learned(accuracies, learned, printed_learned=False) == accuracies


def test_networks_at_chance_give_no_order():
    """Both directions of an order were once judged from networks that had not learned."""
    gate = Gate(chance=0.1, best=0.7, images=10_000)
    arms = []
    for accuracies in ([0.70, 0.69, 0.71], [0.10, 0.10, 0.10]):
        runs = dict(enumerate(accuracies))
        arms.append(keep_learned(runs, {s: gate.passes(x) for s, x in runs.items()}))
    assert judge(difference(*arms, paired=False, grain=1e-4)).verdict == UNTRAINED


GOOD = Control("relu", "laptop", printed_to_learn=True, learned=(True, True, False))


@pytest.mark.parametrize(
    "control",
    [
        replace(GOOD, scale="paper"),
        replace(GOOD, printed_to_learn=False),
        replace(GOOD, learned=(True, False)),
        replace(GOOD, learned=()),
    ],
)
def test_no_convergence_needs_a_control_that_converges_at_the_same_scale(control):
    dead = dict.fromkeys(range(8), False)
    assert judge_no_convergence(dead, [control], "laptop").verdict == UNTRAINED
    assert judge_no_convergence(dead, [], "laptop").verdict == UNTRAINED
    assert judge_no_convergence(dead, [control, GOOD], "laptop").verdict == HOLDS


def test_a_network_that_converges_after_all_contradicts():
    alive = dict.fromkeys(range(13), True)
    assert judge_no_convergence(alive, [GOOD], "laptop").verdict == FAILS
    assert judge_no_convergence({0: False, 1: False}, [GOOD], "laptop").verdict == UNDECIDED


@pytest.mark.parametrize("draws", [100, 1000, 100_000])
def test_the_largest_radius_is_that_of_unanimous_draws(draws):
    bound = stats.binomtest(draws, draws).proportion_ci(1 - 2 * 0.001, method="exact").low
    assert radius_cap(draws, 0.001, 0.5) == pytest.approx(0.5 * stats.norm.ppf(bound))


def test_a_radius_above_the_cap_is_unreachable():
    cap = radius_cap(100, 0.001, 0.25)
    assert beyond_reach(cap + 0.01, cap, "radius").verdict == UNREACHABLE
    assert beyond_reach(cap, cap, "radius") is None
    assert radius_cap(1, 0.001, 0.25) == 0.0
