"""Every verdict at its own scale: contrary results, magnitudes, unfair settings, stand-ins."""

from dataclasses import replace

import pytest
from reactivate.judging.intervals import Interval
from reactivate.judging.judgement import Judgement, Size
from reactivate.judging.readings import PRINTED_SETTINGS
from reactivate.judging.scale import Override, at_scale, contrary_verdict, unfair_settings
from reactivate.judging.verdicts import (
    DATA,
    DEPENDS,
    DIFFERS,
    FAILS,
    HOLDS,
    REFUTED,
    REPRODUCED,
    SCALE,
    UNDECIDED,
    UNTRAINED,
    Verdict,
)


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


@pytest.mark.parametrize(("stands_in", "told"), [(False, SCALE), (True, DATA)])
@pytest.mark.parametrize("verdict", [UNDECIDED, UNTRAINED])
def test_a_contrary_case_below_paper_is_not_told_as_one_that_fails(verdict, stands_in, told):
    cases = (("tanh", judgement(HOLDS)), ("relu", judgement(FAILS)))
    listed = replace(judgement(verdict), parts=cases)
    found = at_scale(listed, "laptop", stands_in=stands_in)
    assert found.verdict == verdict
    assert [part.verdict for _, part in found.parts] == [HOLDS, told]
    assert found.parts[1][1].reason == "contrary below the printed scale; because"
    assert found.parts[1][1].intervals == judgement(FAILS).intervals
    assert at_scale(listed, "paper").parts == cases


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


def test_what_is_told_of_a_scale_takes_the_place_of_each_arms_settings():
    shared = {"gmp": {"epochs": Override(3)}, "sp": {"epochs": Override(3)}}
    found = at_scale(judgement(HOLDS), "laptop", overrides=shared, told="epochs = 3")
    assert found.overrides == "epochs = 3"
    assert at_scale(judgement(HOLDS), "laptop", told="width = 0.5").overrides == "width = 0.5"
    assert at_scale(judgement(HOLDS), "laptop").overrides == ""


def test_what_is_told_does_not_hide_settings_that_favour_an_arm():
    unfair = {"gmp": {"lr": FACTOR}, "sp": {}}
    found = at_scale(judgement(HOLDS), "laptop", overrides=unfair, told="lr_factor = 0.1")
    assert (found.verdict, found.overrides) == (SCALE, "lr_factor = 0.1")
    assert "the arms differ in lr" in found.reason


@pytest.mark.parametrize("verdict", [FAILS, DIFFERS, DEPENDS, REPRODUCED])
def test_a_result_on_data_that_stands_in_is_not_comparable_for_the_data(verdict):
    found = at_scale(judgement(verdict), "laptop", stands_in=True)
    assert found.verdict == DATA
    assert (found.mean, found.n, found.seeds_to_decide) == (-1.0, 5, None)
    if verdict in (FAILS, DEPENDS):
        assert f"{verdict} may come from the data" in found.reason
        at_least = at_scale(judgement(verdict), "laptop").reason
        assert f"{verdict} may come from the scale" in at_least


@pytest.mark.parametrize("verdict", [HOLDS, UNDECIDED])
def test_what_holds_on_data_that_stands_in_holds_at_its_scale(verdict):
    assert at_scale(judgement(verdict), "laptop", stands_in=True).verdict == verdict
    magnitude = at_scale(judgement(verdict), "laptop", stands_in=True, is_magnitude=True)
    assert magnitude.verdict == DATA


def test_settings_that_favour_an_arm_come_before_the_data():
    unfair = {"gmp": {"lr": FACTOR}, "sp": {}}
    found = at_scale(judgement(FAILS), "laptop", overrides=unfair, stands_in=True)
    assert found.verdict == SCALE


def test_what_would_change_it_are_runs_as_printed():
    found = at_scale(judgement(FAILS), "laptop", stands_in=True)
    assert found.would_change == "runs with the printed settings at the printed scale"
    assert found.reason.startswith("at scale laptop: ")


def test_contrary_results_have_a_verdict_of_their_own_below_paper():
    assert contrary_verdict("laptop") == SCALE
    assert contrary_verdict("smoke", stands_in=True) == DATA
    assert contrary_verdict("paper", stands_in=True) is None


@pytest.mark.parametrize(("verdict", "stands_in"), [(SCALE, False), (DATA, True)])
def test_readings_that_only_the_scale_contradicts_show_scale_and_overrides(verdict, stands_in):
    read = replace(judgement(verdict), would_change=PRINTED_SETTINGS)
    found = at_scale(read, "laptop", told="epochs = 3", stands_in=stands_in)
    assert (found.verdict, found.scale, found.overrides) == (verdict, "laptop", "epochs = 3")
    assert found.reason == "at scale laptop: because"
    assert (found.mean, found.intervals) == (read.mean, read.intervals)
    assert at_scale(read, "paper", told="epochs = 3") == read
    unjudged = judgement(verdict)  # as a case that could not be judged makes it
    assert at_scale(unjudged, "laptop", told="epochs = 3", stands_in=stands_in) == unjudged
