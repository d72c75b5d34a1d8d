"""Learned first, at its own scale; and what a setting cannot reach."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.judging.effects import difference
from reactivate.judging.intervals import Interval
from reactivate.judging.judgement import Judgement, Size
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
from reactivate.judging.scale import Override, at_scale, unfair_settings
from reactivate.judging.verdicts import (
    DEPENDS,
    DIFFERS,
    FAILS,
    HOLDS,
    REFUTED,
    REPRODUCED,
    SCALE,
    UNDECIDED,
    UNREACHABLE,
    UNTRAINED,
    Verdict,
)
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


def judgement(verdict):
    return Judgement(
        verdict,
        "because",
        mean=-1.0,
        intervals=(Interval(-2.0, -0.5, 0.995),),
        n=5,
        size=Size(1.0, DIFFERS),
        seeds_to_decide=9,
    )


@pytest.mark.parametrize("verdict", [FAILS, DIFFERS, DEPENDS])
def test_a_contrary_result_below_paper_is_not_comparable_and_shows_its_evidence(verdict):
    found = at_scale(judgement(verdict), "laptop")
    assert found.verdict == SCALE
    assert found.mean == -1.0
    assert found.intervals == judgement(verdict).intervals
    assert found.n == 5
    assert "because" in found.reason
    assert at_scale(judgement(verdict), "paper").verdict == verdict


def test_what_holds_names_its_scale():
    found = at_scale(judgement(HOLDS), "laptop")
    assert found.verdict == HOLDS
    assert found.scale == "laptop"
    assert "at scale laptop" in found.reason
    assert at_scale(judgement(HOLDS), "paper").scale == "paper"


@pytest.mark.parametrize("verdict", [HOLDS, UNDECIDED, FAILS])
def test_magnitudes_are_judged_at_paper_only(verdict):
    assert at_scale(judgement(verdict), "laptop", is_magnitude=True).verdict == SCALE
    assert at_scale(judgement(verdict), "paper", is_magnitude=True).verdict == verdict


def test_a_printed_number_is_never_reproduced_by_smaller_runs():
    assert at_scale(judgement(REPRODUCED), "laptop").verdict == SCALE


def test_the_size_of_an_effect_is_judged_at_paper_only():
    assert at_scale(judgement(HOLDS), "laptop").size is None
    assert at_scale(judgement(HOLDS), "paper").size == Size(1.0, DIFFERS)


def test_an_open_comparison_stays_open_below_paper():
    found = at_scale(judgement(UNDECIDED), "laptop")
    assert (found.verdict, found.seeds_to_decide) == (UNDECIDED, 9)


@pytest.mark.parametrize("text", ["confirmed(proof)", "misprint", "not_run(compute)"])
def test_exact_results_have_no_scale(text):
    exact = judgement(Verdict.parse(text))
    assert at_scale(exact, "laptop", is_magnitude=True) == exact
    assert at_scale(judgement(REFUTED), "laptop").verdict == REFUTED
    assert at_scale(judgement(UNTRAINED), "laptop").verdict == UNTRAINED


FACTOR, SEARCHED = Override(0.1), Override(0.1, "grid of 5 rates")


@pytest.mark.parametrize(
    ("overrides", "unfair"),
    [
        ({}, []),
        ({"gmp": {}, "sp": {}}, []),
        ({"gmp": {"lr": FACTOR}, "sp": {"lr": FACTOR}}, []),
        ({"gmp": {"lr": FACTOR}, "sp": {}}, ["lr"]),
        ({"gmp": {"lr": FACTOR}, "sp": {"lr": Override(0.2)}}, ["lr"]),
        ({"gmp": {"lr": SEARCHED}, "sp": {"lr": replace(SEARCHED, value=0.2)}}, []),
        ({"gmp": {"lr": SEARCHED}, "sp": {"lr": Override(0.2, "another")}}, ["lr"]),
        ({"gmp": {"lr": SEARCHED}, "sp": {"lr": Override(0.2)}}, ["lr"]),
        ({"gmp": {"lr": SEARCHED}, "sp": {}}, ["lr"]),
        (
            {"a": {"epochs": Override(3)}, "b": {"epochs": Override(4), "lr": FACTOR}},
            ["epochs", "lr"],
        ),
    ],
)
def test_settings_that_favour_an_arm_make_nothing_comparable(overrides, unfair):
    assert unfair_settings(overrides) == unfair
    for scale in ("laptop", "paper"):
        for verdict in (HOLDS, UNDECIDED):
            found = at_scale(judgement(verdict), scale, overrides=overrides)
            assert found.verdict == (SCALE if unfair else verdict)


def test_overrides_are_shown_with_the_verdict():
    shared = {"gmp": {"epochs": Override(3)}, "sp": {"epochs": Override(3)}}
    assert at_scale(judgement(HOLDS), "laptop", overrides=shared).overrides == (
        "gmp: epochs = 3; sp: epochs = 3"
    )


@pytest.mark.parametrize("draws", [100, 1000, 100_000])
def test_the_largest_radius_is_that_of_unanimous_draws(draws):
    bound = stats.binomtest(draws, draws).proportion_ci(1 - 2 * 0.001, method="exact").low
    assert radius_cap(draws, 0.001, 0.5) == pytest.approx(0.5 * stats.norm.ppf(bound))


def test_a_radius_above_the_cap_is_unreachable():
    cap = radius_cap(100, 0.001, 0.25)
    assert beyond_reach(cap + 0.01, cap, "radius").verdict == UNREACHABLE
    assert beyond_reach(cap, cap, "radius") is None
    assert radius_cap(1, 0.001, 0.25) == 0.0
