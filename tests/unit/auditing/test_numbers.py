"""Printed numbers: reproduced by runs under every reading, or recomputed from the definitions."""

import math

import pytest
from reactivate.auditing.numbers import judge_protocol, judge_recomputed, judge_trained
from reactivate.experiment.printed import Printed
from reactivate.judging.exact import not_run
from scipy.stats import t, ttest_ind_from_stats

LEFT_OUT = not_run("compute", "left out here")
COLUMN = {("relu", "c"): "80.0", ("crelu", "c"): "90.0", ("gelu", "c"): "70.0"}
RUNS = [80.1, 79.7, 80.3, 79.9, 80.2]
OTHERS = {("crelu", "c"): [90.0] * 3, ("gelu", "c"): [70.0] * 3}
CHOICE = {"stop": {"value": "loss", "alternatives": ["error"], "reason": "it is not said"}}


def judged(table, row="relu", column="c"):
    printed = Printed.parse(table.form.printed_at(row, column))
    return judge_trained(table, row, column, printed, LEFT_OUT)


def runs_around(value, **changed):
    return {**{("relu", "c"): [x - 80 + value for x in RUNS], **OTHERS}, **changed}


def test_a_number_without_a_spread_is_one_run_and_its_tolerance_the_prediction(table):
    found = judged(table(runs_around(80), printed=COLUMN))
    mean = sum(RUNS) / 5 - 80.0
    deviation = math.sqrt(sum((x - 80 - mean) ** 2 for x in RUNS) / 4)
    half = t.ppf(0.975, 4) * deviation * math.sqrt(1 + 1 / 5) + 0.05  # half a printed unit
    narrow = found.intervals[0]
    assert (narrow.low, narrow.high) == pytest.approx((mean - half, mean + half), rel=1e-6)
    assert (str(found.verdict), found.n, found.scale) == ("reproduced", 5, "paper")


@pytest.mark.parametrize(
    ("value", "verdict"), [(80, "reproduced"), (80.9, "undecided"), (85, "differs")]
)
def test_a_number_differs_outside_the_wider_interval_only(table, value, verdict):
    assert str(judged(table(runs_around(value), printed=COLUMN)).verdict) == verdict


@pytest.mark.parametrize(
    ("off", "verdict"), [(0.0, "reproduced"), (0.06, "undecided"), (1, "differs")]
)
def test_runs_that_happen_to_be_equal_are_as_wide_as_one_test_image(table, off, verdict):
    found = judged(table({("relu", "c"): [80.0 + off] * 5, **OTHERS}, printed=COLUMN))
    image = 100 / 10000 / math.sqrt(12)
    half = t.ppf(0.975, 4) * image * math.sqrt(1 + 1 / 5) + 0.05
    assert found.intervals[0].high - found.mean == pytest.approx(half, rel=1e-4)
    assert str(found.verdict) == verdict


@pytest.mark.parametrize(("lowest", "verdict"), [("79.9", "undecided"), ("70.0", "reproduced")])
def test_an_agreement_must_be_narrower_than_half_the_range_of_its_column(table, lowest, verdict):
    printed = {("relu", "c"): "80.0", ("crelu", "c"): "80.1", ("gelu", "c"): lowest}
    assert str(judged(table(runs_around(80), printed=printed)).verdict) == verdict


def test_the_column_of_a_number_measures_the_same_on_the_same_data(table):
    columns = {
        "ten": {"dataset": "cifar10"},
        "hundred": {"dataset": "cifar100"},
        "loss": {"dataset": "cifar10", "metric": "loss_min"},
    }
    places = {(row, column): [1.0] for row in ("relu", "crelu") for column in columns}
    printed = {place: str(number) for number, place in enumerate(places)}
    made = table(places, columns=columns, printed={**printed, ("crelu", "ten"): ""})
    assert made.column("relu", "ten") == [0.0]
    assert made.column("relu", "hundred") == [1.0, 4.0]
    assert made.column("crelu", "loss") == [2.0, 5.0]


@pytest.mark.parametrize(("spread", "runs"), [("standard_deviation", 1), ("standard_error", 10)])
def test_a_printed_spread_is_welchs_with_the_runs_of_the_recipe(table, spread, runs):
    made = table(
        {("relu", "c"): RUNS, **OTHERS},
        printed={**COLUMN, ("relu", "c"): "80.0±0.3"},
        spread=spread,
        recipe={"seeds": 10},
    )
    found = judged(made)
    mean = sum(RUNS) / 5
    deviation = math.sqrt(sum((x - mean) ** 2 for x in RUNS) / 4)
    theirs = 0.3 * math.sqrt(runs)
    welch = ttest_ind_from_stats(mean, deviation, 5, 80.0, theirs, 10, equal_var=False)
    low, high = _interval(mean - 80.0, mean, deviation, theirs)
    assert found.intervals[0].low == pytest.approx(low - 0.05, rel=1e-6)
    assert found.intervals[0].high == pytest.approx(high + 0.05, rel=1e-6)
    assert welch.pvalue > 0.05
    assert str(found.verdict) == "reproduced"


def _interval(difference, mean, deviation, theirs):
    """Welch's 95 % interval, from its definition."""
    parts = [(deviation**2 / 5, 4), (theirs**2 / 10, 9)]
    variance = sum(part for part, _ in parts)
    freedom = variance**2 / sum(part**2 / n for part, n in parts)
    half = t.ppf(0.975, freedom) * math.sqrt(variance)
    return difference - half, difference + half


def test_an_unstated_spread_is_read_both_ways(table):
    made = table(
        {("relu", "c"): [x + 0.65 for x in RUNS], **OTHERS},
        printed={**COLUMN, ("relu", "c"): "80.0±0.3"},
        recipe={"seeds": 10},
    )
    found = judged(made)
    assert {name: str(part.verdict) for name, part in found.parts} == {
        "± is a deviation": "differs",
        "± is a standard error": "reproduced",
    }
    assert str(found.verdict) == "depends"


def test_runs_that_did_not_learn_are_counted_and_not_in_the_mean(table):
    found = judged(table({("relu", "c"): [10.0, *RUNS], **OTHERS}, printed=COLUMN))
    assert (found.n, found.unlearned) == (5, 1)
    assert found.mean == pytest.approx(sum(RUNS) / 5 - 80.0)
    none = judged(table({("relu", "c"): [10.0] * 3, **OTHERS}, printed=COLUMN))
    assert str(none.verdict) == "not_comparable(untrained)"


READINGS = {
    "document": "As it says.",
    "program": {"says": "As the program does.", "on_test_split": True},
    "ours": {"says": "With more care.", "is_ours": True},
}


@pytest.mark.parametrize(
    ("document", "program", "verdict"),
    [(85, 80, "depends"), (80, 85, "depends"), (85, 85, "differs"), (80.9, 80, "undecided")],
)
def test_protocols_are_readings_and_that_of_the_test_split_is_never_enough(
    table, document, program, verdict
):
    second = {("relu", "c", "program"): [x - 80 + program for x in RUNS]}
    second |= {(*place, "program"): runs for place, runs in OTHERS.items()}
    asked = {name: READINGS[name] for name in ("document", "program")}
    found = judged(table(runs_around(document) | second, printed=COLUMN, protocols=asked))
    assert str(found.verdict) == verdict


def test_a_protocol_of_ours_is_no_reading(table):
    second = {("relu", "c", "ours"): RUNS}
    asked = {name: READINGS[name] for name in ("document", "ours")}
    made = table(runs_around(85) | second, printed=COLUMN, protocols=asked)
    assert str(judged(made).verdict) == "differs"
    assert judged(made).parts == ()
    beside = judge_protocol(made, "relu", "c", Printed.parse("80.0"), "ours")
    assert str(beside.verdict) == "reproduced"


def test_a_choice_that_was_not_run_softens_a_difference(table):
    found = judged(table(runs_around(85), printed=COLUMN, choices=CHOICE))
    assert str(found.verdict) == "undecided"
    assert "stop: error: not_run(compute)" in found.reason


def test_what_was_not_run_is_left_out(table):
    made = table({("relu", "c"): RUNS}, rows=["relu", "crelu"], printed=COLUMN)
    assert judged(made, "crelu") == LEFT_OUT
    assert judge_protocol(made, "crelu", "c", Printed.parse("90"), "document") is None


SMALL = {"scale": "laptop", "limits": {"recipes": {"document": {"epochs": 2}}}}


@pytest.mark.parametrize("value", [80, 85])
@pytest.mark.parametrize(
    ("setting", "verdict", "told"),
    [
        (SMALL, "not_comparable(scale)", "epochs = 2"),
        (
            {**SMALL, "dataset": "imagenet32", "stand_ins": {"imagenet32": "cifar10"}},
            "not_comparable(data)",
            "epochs = 2; dataset = cifar10 for imagenet32",
        ),
    ],
)
def test_no_number_is_judged_below_its_scale(table, value, setting, verdict, told):
    found = judged(table(runs_around(value), printed=COLUMN, **setting))
    assert (str(found.verdict), found.overrides) == (verdict, told)
    assert found.mean == pytest.approx(value - 80 + sum(RUNS) / 5 - 80)


def test_fewer_seeds_are_no_smaller_scale(table):
    limits = {"recipes": {"document": {"seeds": 5}}}
    found = judged(table(runs_around(80), printed=COLUMN, scale="laptop", limits=limits))
    assert str(found.verdict) == "reproduced"


CERTIFIED = {"stage": "certify", "sigma": 0.25, "n0": 10, "alpha": 0.001, "every": 20}


@pytest.mark.parametrize(
    ("draws", "radius", "verdict"),
    [
        (100, 0.25, "reproduced"),
        (100, 0.5, "not_comparable(unreachable)"),  # of 100 draws at most 0.375
        (10000, 0.5, "reproduced"),
    ],
)
def test_a_radius_that_the_draws_cannot_certify_is_unreachable(table, draws, radius, verdict):
    metric = f"certified_{100 * radius:03.0f}"
    measured = {"m": {**CERTIFIED, "n": draws, "radii": [0.0, 0.25, 0.5]}}
    columns = {"c": {"metric": metric, "measurement": "m"}}
    made = table(runs_around(80), columns=columns, measurements=measured, printed=COLUMN)
    assert str(judged(made).verdict) == verdict


NEVER = math.inf


@pytest.mark.parametrize(
    ("printed", "runs", "verdict"),
    [
        ("–", [NEVER] * 8, "reproduced"),
        ("–", [NEVER] * 3, "undecided"),
        ("–", [97.0] * 13, "differs"),
        ("97", [NEVER, 97.0, 97.0], "undecided"),
        ("97", [NEVER] * 13, "undecided"),
    ],
)
def test_an_epoch_that_is_never_reached_is_a_dash(table, printed, runs, verdict):
    made = table({("relu", "c"): runs}, metric="epoch_below_2_5", printed={("relu", "c"): printed})
    found = judged(made)
    assert str(found.verdict) == verdict
    if printed == "97":
        never = sum(map(math.isinf, runs))
        assert found.reason.startswith(
            f"{never} of {len(runs)} runs never reach it, printed is 97"
        )


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("25.6M", 25_557_032, "confirmed(exhaustive)"),
        ("25.6M", 25_549_999, "refuted"),
        ("25.6M", 25_650_000, "confirmed(exhaustive)"),
        ("0.30", 0.304, "confirmed(exhaustive)"),
        ("0.30", 0.306, "refuted"),
        ("✓", 1.0, "confirmed(exhaustive)"),
        ("✓", 0.0, "refuted"),
    ],
)
@pytest.mark.parametrize("convention", [None, "biases are not counted"])
def test_a_recomputed_number_rounds_to_the_printed_one_or_depends_on_a_convention(
    table, text, value, verdict, convention
):
    conventions = {} if convention is None else {"relu/c": convention}
    places, printed = {("relu", "c"): [1.0]}, {("relu", "c"): text}
    form = table(places, printed=printed, conventions=conventions).form
    found = judge_recomputed(form, "relu", "c", Printed.parse(text), value, "counted")
    excused = convention is not None and verdict == "refuted"
    assert str(found.verdict) == ("depends" if excused else verdict)
    assert "; counted" in found.reason
    assert (convention or "") in found.reason or not excused
    assert found.cases == 1
