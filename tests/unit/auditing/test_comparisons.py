"""Comparisons from a trained table: effects over replicates, judged by the rules of evidence."""

import math

import numpy
import pytest
from scipy.stats import t, ttest_ind, ttest_rel

OURS = [80.0, 81.0, 80.5, 81.5, 80.2]
THEIRS = [70.0, 71.2, 70.3, 71.4, 70.4]
PAIRED = {"shared": "split"}


def arms(ours, theirs, column="c", protocol="document"):
    return {("crelu", column, protocol): ours, ("relu", column, protocol): theirs}


@pytest.mark.parametrize("shared", [None, "split"])
def test_arms_that_share_something_are_paired_and_others_are_not(table, judged, shared):
    ours, theirs = OURS[:3], THEIRS[:3]
    found = judged(table(arms(ours, theirs)), shared=shared)
    test = ttest_rel(ours, theirs) if shared else ttest_ind(ours, theirs, equal_var=False)
    assert [interval.level for interval in found.intervals] == [0.985, 0.995]
    for shown in found.intervals:
        wanted = tuple(test.confidence_interval(shown.level))
        assert (shown.low, shown.high) == pytest.approx(wanted, rel=1e-6)
    assert found.mean == pytest.approx(numpy.mean(ours) - numpy.mean(theirs))
    assert (str(found.verdict), found.n) == ("holds", 3)


@pytest.mark.parametrize(
    ("metric", "asked", "verdict"),
    [
        ("top1", None, "holds"),
        ("error", None, "fails"),
        ("error", "higher", "holds"),
        ("top1", "lower", "fails"),
    ],
)
def test_what_is_better_is_said_by_the_metric_or_by_the_claim(
    table, judged, metric, asked, verdict
):
    values = arms([40.0, 41.0, 42.0, 41.5, 40.5], [30.0, 31.1, 32.2, 31.3, 30.4])
    check = {"best": "crelu", **({"better": asked} if asked else {})}
    found = judged(table(values, metric=metric), check, **PAIRED)
    assert str(found.verdict) == verdict


def test_losses_are_compared_by_their_logs(table, judged):
    ours, theirs = [0.5, 0.6, 0.7], [1.0, 1.3, 1.35]
    found = judged(table(arms(ours, theirs), metric="loss_min"), **PAIRED)
    gains = [math.log(y / x) for x, y in zip(ours, theirs, strict=True)]
    assert found.mean == pytest.approx(numpy.mean(gains))
    half = t.ppf(0.9925, 2) * numpy.std(gains, ddof=1) / math.sqrt(3)
    assert found.intervals[0].high - found.mean == pytest.approx(half, rel=1e-6)


def test_equal_differences_are_as_wide_as_one_test_image(table, judged):
    found = judged(table(arms([50.01] * 3, [50.0] * 3)), **PAIRED)
    grain = 100 / 10000 / math.sqrt(6)  # the deviation of two numbers rounded to an image
    half = t.ppf(0.9925, 2) * grain / math.sqrt(3)
    assert found.intervals[0].high - found.mean == pytest.approx(half, rel=1e-6)
    assert str(found.verdict) == "undecided"


def test_a_column_may_be_the_best_of_all_columns(table, judged):
    values = {("relu", "a"): OURS, ("relu", "b"): THEIRS, ("crelu", "a"): OURS}
    found = judged(
        table({**values, ("crelu", "b"): OURS[::-1]}), {"best": "a"}, cases="all", **PAIRED
    )
    assert {name: str(part.verdict) for name, part in found.parts} == {
        "relu: b": "holds",
        "crelu: b": "undecided",
    }


def test_the_best_is_compared_with_each_rival_in_each_place_that_is_named(table, judged):
    values = arms(OURS, THEIRS, "a") | arms(THEIRS, OURS, "b")
    values |= {("gelu", column): THEIRS for column in "ab"}
    whole = judged(table(values), cases="all", **PAIRED)
    assert [name for name, _ in whole.parts] == ["a: relu", "a: gelu", "b: relu", "b: gelu"]
    assert str(whole.verdict) == "fails"
    assert whole.reason.startswith("contrary: b: relu (")
    check = {"best": "crelu", "rows": ["crelu", "relu"], "columns": ["a"]}
    assert str(judged(table(values), check, **PAIRED).verdict) == "holds"


@pytest.mark.parametrize(("contrary", "verdict"), [(1, "holds"), (2, "fails")])
def test_most_cases_are_more_than_half_of_them(table, judged, contrary, verdict):
    values = {}
    for place, column in enumerate("abc"):
        turned = place < contrary
        values |= arms(*((THEIRS, OURS) if turned else (OURS, THEIRS)), column)
    assert str(judged(table(values), cases="most", **PAIRED).verdict) == verdict


def test_runs_that_did_not_learn_leave_the_mean_and_are_counted(table, judged):
    found = judged(table(arms([10.0, *OURS], [75.0, *THEIRS])), **PAIRED)
    whole = judged(table(arms(OURS, THEIRS)), **PAIRED)
    assert (found.mean, found.n, found.unlearned) == (whole.mean, whole.n, 1)
    alone = judged(table(arms([10.0] * 3, [90.0] * 3)), **PAIRED)
    assert str(alone.verdict) == "not_comparable(untrained)"


def test_a_case_that_was_not_run_leaves_a_list_open_but_not_what_fails(table, judged):
    some = table(arms(OURS, THEIRS, "a"), columns=["a", "b"])
    assert str(judged(some, cases="all", **PAIRED).verdict) == "not_run(compute)"
    contrary = table(arms(THEIRS, OURS, "a"), columns=["a", "b"])
    found = judged(contrary, cases="all", **PAIRED)
    assert str(found.verdict) == "fails"
    assert str(found.counts) == "0 above 0, 0 open, 1 below 0, 1 not judged"


def test_where_nothing_was_run_it_is_said_why(table, judged):
    found = judged(table({("crelu", "c"): OURS}, rows=["crelu", "relu"]), **PAIRED)
    assert (str(found.verdict), found.reason) == ("not_run(compute)", "left out here")


def test_never_reached_is_no_number(table, judged):
    values = arms([5.0, 6.0, math.inf], [9.0, 9.0, 9.0])
    found = judged(table(values, metric="epoch_below_2_5"), **PAIRED)
    assert str(found.verdict) == "undecided"
    assert "never is no number" in found.reason


def along(*leads):
    """Tables of three columns in which crelu is ahead of the mean of two others, by seed."""
    values = {}
    for column, lead in zip("abc", zip(*leads, strict=True), strict=True):
        values["crelu", column] = [70.0 + x for x in lead]
        values["relu", column], values["gelu", column] = [69.0] * len(lead), [71.0] * len(lead)
    return values


GROWS = {"best": "crelu", "along": [["a", "b", "c"]]}


@pytest.mark.parametrize(
    ("leads", "rhos"),
    [
        ([[1, 2, 3], [2, 3, 9], [-3, -2, 0]], (1.0, 1.0, 1.0)),
        ([[3, 2, 1], [1, 3, 2], [2, 1, 3]], (-1.0, 0.5, 0.5)),
        ([[1, 1, 1], [1, 2, 3], [3, 2, 1]], (0.0, 1.0, -1.0)),
    ],
)
def test_a_lead_that_grows_is_a_trend_of_each_seed(table, judged, leads, rhos):
    found = judged(table(along(*leads)), GROWS)
    assert (found.mean, found.n) == (pytest.approx(sum(rhos) / 3), 3)


def test_a_lead_grows_if_rivals_fall_behind_together(table, judged):
    values = along(*[[1, 1, 1]] * 3)
    values["gelu", "c"] = [60.0] * 3  # a lead of 1, 1 and 6.5
    found = judged(table(values), GROWS)
    assert found.mean == pytest.approx(3**0.5 / 2)  # Spearman's rho of 1, 1, 2 with 1, 2, 3


def test_a_lead_counts_where_all_of_its_networks_have_learned(table, judged):
    values = along(*[[1, 2, 3]] * 4)
    values["relu", "b"] = [10.0, 69.0, 69.0, 69.0]
    found = judged(table(values), GROWS)
    assert (found.n, found.unlearned) == (3, 1)
    del values["relu", "b"]
    rows = ["crelu", "relu", "gelu"]
    missing = judged(table(values, rows=rows, columns=["a", "b", "c"]), GROWS)
    assert str(missing.verdict) == "not_run(compute)"


def test_leads_along_several_series_are_cases(table, judged):
    check = {"best": "crelu", "rows": ["crelu", "relu"], "along": [["a", "b"], ["b", "c"]]}
    found = judged(table(along(*[[1, 2, 0]] * 5)), check, cases="all")
    assert {name: part.mean for name, part in found.parts} == {"a to b": 1.0, "b to c": -1.0}


def test_a_series_that_was_not_run_leaves_out_no_other(table, judged):
    check = {"best": "crelu", "rows": ["crelu", "relu"], "along": [["a", "b"], ["b", "c"]]}
    values = along(*[[1, 2, 0]] * 5)
    del values["crelu", "a"]
    rows = ["crelu", "relu", "gelu"]
    found = judged(table(values, rows=rows, columns=["a", "b", "c"]), check, cases="all")
    assert {name: part.mean for name, part in found.parts} == {"a to b": None, "b to c": -1.0}


PRINTED = {("relu", "c"): "10.00", ("crelu", "c"): "92.00", ("gelu", "c"): "91.00"}
CHANCE = {"chance": 15.0, "rows": ["relu"]}


@pytest.mark.parametrize(
    ("runs", "control", "verdict"),
    [
        ([10.0] * 8, 90.0, "holds"),
        ([10.0] * 7, 90.0, "undecided"),
        ([90.0] * 13, 90.0, "fails"),
        ([10.0] * 8, 10.0, "not_comparable(untrained)"),
    ],
)
def test_failing_to_learn_takes_a_control_that_learns(table, judged, runs, control, verdict):
    values = {("relu", "c"): runs, ("crelu", "c"): [control] * len(runs)}
    found = judged(table(values, printed=PRINTED), CHANCE, asks="always", cases="all")
    assert str(found.verdict) == verdict
    ((name, part),) = found.parts
    assert name == "relu: c"
    assert all(shown.low <= part.mean <= shown.high for shown in part.intervals)


def test_what_is_said_not_to_learn_is_no_control(table, judged):
    values = {("relu", "c"): [10.0] * 8, ("gelu", "c"): [90.0] * 8}
    found = judged(
        table(values, printed=PRINTED),
        {**CHANCE, "rows": ["relu", "gelu"]},
        asks="always",
        cases="all",
    )
    assert str(found.verdict) == "not_comparable(untrained)"


def test_a_control_must_be_printed_to_learn(table, judged):
    values = {("relu", "c"): [10.0] * 8, ("gelu", "c"): [90.0] * 8, ("crelu", "c"): [9.0] * 8}
    printed = {**PRINTED, ("gelu", "c"): "11.00"}
    found = judged(table(values, printed=printed), CHANCE, asks="always", cases="all")
    assert str(found.verdict) == "not_comparable(untrained)"


def rates(table, monkeypatch, chosen, **changed):
    """A table in which these rates were chosen, by row and column."""
    found = table({place: [50.0] * len(rates) for place, rates in chosen.items()}, **changed)
    monkeypatch.setattr(
        type(found.evidence), "chosen_lrs", lambda _, row, column, __: chosen.get((row, column))
    )
    return found


@pytest.mark.parametrize(
    ("crelu", "verdict"),
    [([0.1] * 4, "holds"), ([0.1, 0.1, 0.3, 0.3], "undecided"), ([0.3] * 4, "fails")],
)
def test_a_rate_is_the_chosen_one_where_most_columns_choose_it(
    table, judged, monkeypatch, crelu, verdict
):
    columns = "abcd"
    chosen = {("relu", column): [0.01] * 10 for column in columns}
    chosen |= {("crelu", column): [x] * 10 for column, x in zip(columns, crelu, strict=True)}
    found = judged(
        rates(table, monkeypatch, chosen),
        {"chosen_lr": {"crelu": 0.1, "default": 0.01}},
        cases="all",
        fixed={"paper": 10},
    )
    assert str(found.verdict) == verdict
    means = {name: part.mean for name, part in found.parts}
    assert means == {"relu": 0.5, "crelu": crelu.count(0.1) / 4 - 0.5}
