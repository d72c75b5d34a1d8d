"""Figures 5.4 to 5.6 are read with every set of breakpoints, with and without normalisation."""

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter5 import figures5_4_to_5_6_claims as claims
from reactivate.documents.thesis.chapter5.figures5_4_to_5_6_picture import similarity
from reactivate.documents.thesis.chapter5.pattern_readings import of_networks, of_patterns
from reactivate.experiment.choices import marked, unread
from reactivate.experiment.loading import load_paper
from reactivate.foundation.registry import load_function
from reactivate.judging.asked import is_among
from reactivate.judging.replicates import Effect

POINTS = {"-0.5, 0.5": 0.1, "-1, 1": 0.2, "-2, 2": 0.3}
NAMES = ("sigmoid", "tanh", "relu", "gelu")
READINGS = [
    f"breakpoints {points} / {bn} batch normalisation"
    for points in POINTS
    for bn in ("with", "without")
]


def numbers(networks=("fcnn", "vgg16"), names=NAMES, learned=lambda row, name: True):
    """Similarities 0.1, 0.2, 0.3 by breakpoints, 0.4 of ReLU; 1 more without normalisation."""
    rows = [
        (row, name, step, points, value + row.endswith("_without_bn"), learned(row, name))
        for network in networks
        for row in (network, f"{network}_without_bn")
        for name in names
        for step in (0, 600)
        for points, value in (POINTS if name in ("sigmoid", "tanh") else {"0": 0.4}).items()
    ]
    columns = ["row", "column", "step", "breakpoints", "similarity", "learned"]
    found = pd.DataFrame(rows, columns=columns)
    step = found["step"]
    return found.assign(
        printed_step=step, distance_mean=step + 1.0, distance_variance=1.0, accuracy=90.0
    )


def mean_by_name(part):
    return {
        str(name): Effect((x,)) for name, x in part.groupby("column")["similarity"].mean().items()
    }


def test_a_reading_takes_breakpoints_for_saturated_networks_only():
    found = of_patterns(numbers(), "fcnn", NAMES, mean_by_name)
    assert list(found) == READINGS
    for reading, cases in found.items():
        more = 1 if "without" in reading else 0
        value = next(v for points, v in POINTS.items() if f"breakpoints {points} /" in reading)
        expected = {"sigmoid": value, "tanh": value, "relu": 0.4, "gelu": 0.4}
        assert {name: case.mean for name, case in cases.items()} == pytest.approx(
            {name: x + more for name, x in expected.items()}
        )


def test_what_no_breakpoint_changes_is_counted_once():
    seen = []
    found = of_networks(
        numbers(), "vgg16", ["tanh"], lambda part: seen.append(part) or Effect((1.0,))
    )
    assert list(found) == ["with batch normalisation", "without batch normalisation"]
    assert [part["step"].tolist() for part in seen] == [[0, 600], [0, 600]]
    assert [set(part["row"]) for part in seen] == [{"vgg16"}, {"vgg16_without_bn"}]


def test_a_network_that_was_not_run_leaves_its_reading_open():
    part = numbers()
    part = part[(part["row"] != "fcnn_without_bn") | (part["column"] != "tanh")]
    found = of_patterns(part, "fcnn", NAMES, mean_by_name)
    for reading in READINGS:
        if "without" in reading:
            assert str(found[reading].verdict) == "not_run(compute)"
            assert "tanh" in found[reading].reason
        else:
            assert set(found[reading]) == set(NAMES)


def test_a_network_that_did_not_learn_spoils_its_reading_and_no_other():
    part = numbers(learned=lambda row, name: (row, name) != ("fcnn_without_bn", "sigmoid"))
    found = of_patterns(part, "fcnn", NAMES, mean_by_name)
    for reading in READINGS:
        if "without" in reading:
            assert str(found[reading].verdict) == "not_comparable(untrained)"
            assert "sigmoid" in found[reading].reason
        else:
            assert set(found[reading]) == set(NAMES)
    assert all(
        isinstance(x, dict) for x in of_patterns(part, "fcnn", ["tanh"], mean_by_name).values()
    )


def judged():
    paper = load_paper("thesis")
    return {
        name: claim
        for name, claim in paper.claims.items()
        if claim.check and claim.check.judge and claims.__name__ in claim.check.judge
    }


@pytest.mark.parametrize("name", judged())
def test_every_alternative_of_a_claim_is_computed_and_marked(name):
    claim = judged()[name]
    found = load_function(claim.check.judge)(numbers()).found
    assert unread(claim.choices, found) == []
    later = [
        reading for reading in found if is_among(reading, marked(claim.choices, "afterwards"))
    ]
    first = next(iter(found))
    assert first not in later
    for reading in found:
        afterwards = any(x in reading for x in ("-1, 1", "-2, 2", "without", "over training"))
        assert (reading in later) == afterwards
    assert len(later) < len(found)


def test_there_are_eight_claims_about_these_figures():
    assert len(judged()) == 8


@pytest.mark.parametrize(
    ("names", "panels"), [(NAMES, 4), (("relu", "gelu"), 2), (("sigmoid", "relu"), 4)]
)
def test_a_picture_has_a_panel_for_each_reading(names, panels):
    figure = similarity(numbers(names=names))
    assert len(figure.axes) == panels * 4  # columns: two networks, with and without
    titles = [axis.get_title() for axis in figure.axes if axis.get_title()]
    assert titles[:2] == ["FCNN with batch normalisation", "FCNN without batch normalisation"]
    drawn = figure.axes[0].get_lines()
    assert len(drawn) == len(names)
    if "sigmoid" in names:
        by_row = [figure.axes[4 * row].get_lines()[0].get_ydata()[0] for row in range(3)]
        assert by_row == list(POINTS.values())
