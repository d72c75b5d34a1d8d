"""Numbers that are the best of several rows of another table."""

import pytest
from reactivate.auditing.numbers import judge_best
from reactivate.evidence.provenance import Evidence, ShownCell
from reactivate.evidence.tables import Entry
from reactivate.experiment.exhibits import Best
from reactivate.judging.exact import not_run

LEFT_OUT = not_run("compute", "left out here")
RUNS = [80.1, 79.7, 80.3, 79.9, 80.2]
OTHERS = {("crelu", "c"): [90.0] * 3, ("gelu", "c"): [70.0] * 3}
CHOICE = {"stop": {"value": "loss", "alternatives": ["error"], "reason": "it is not said"}}
READINGS = {
    "document": "As it says.",
    "program": {"says": "As the program does.", "on_test_split": True},
}
SMALL = {"scale": "laptop", "limits": {"recipes": {"document": {"epochs": 2}}}}
BEST = {
    "kind": "best",
    "title": "The best.",
    "locator": "Table 2",
    "of": "table1",
    "over": {"ours": ["relu", "crelu"], "theirs": ["gelu"]},
    "rows": {"method": ["ours", "theirs"]},
    "columns": {"what": ["c"]},
    "printed": {"ours": ["80.0"], "theirs": ["70.0"]},
}


def best_of(table, values, best=BEST, **changed):
    """The verdict on the best of two rows, whose numbers are given by protocol."""
    entries = {
        ("ours", "c", protocol): ShownCell.of(Entry("ours", "c", protocol, runs), "80.0", [])
        for protocol, runs in values.items()
    }
    other = table({("relu", "c"): RUNS, **OTHERS}, **changed).exhibit
    form = Best.model_validate(best)
    return judge_best(other, form, "ours", "c", Evidence(entries), LEFT_OUT)


@pytest.mark.parametrize(
    ("document", "program", "verdict"),
    [(80, 80, "reproduced"), (85, 80, "depends"), (85, 85, "differs"), (80.9, 80, "undecided")],
)
def test_a_table_of_the_best_is_judged_by_the_readings_of_the_other_one(
    table, document, program, verdict
):
    values = {"document": document, "program": program}
    values = {name: [x - 80 + value for x in RUNS] for name, value in values.items()}
    asked = {name: READINGS[name] for name in values}
    assert str(best_of(table, values, protocols=asked).verdict) == verdict


def test_a_row_of_the_best_that_prints_no_number_there_changes_nothing(table):
    alone = {**BEST, "printed": {"ours": ["80.0"], "theirs": [""]}}
    assert str(best_of(table, {"document": RUNS}, alone).verdict) == "reproduced"


def test_a_table_of_the_best_has_the_choices_and_the_scale_of_the_other_one(table):
    far = {"document": [x + 5 for x in RUNS]}
    assert str(best_of(table, far, choices=CHOICE).verdict) == "undecided"
    small = best_of(table, far, **SMALL)
    assert (str(small.verdict), small.overrides) == ("not_comparable(scale)", "epochs = 2")
    assert best_of(table, {}) == LEFT_OUT
