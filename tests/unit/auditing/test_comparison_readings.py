"""Comparisons under all readings and choices, and at the scale of their runs."""

import numpy
import pytest

OURS = [80.0, 81.0, 80.5, 81.5, 80.2]
THEIRS = [70.0, 71.2, 70.3, 71.4, 70.4]
PAIRED = {"shared": "split"}
READINGS = {
    "document": "As it says.",
    "program": {"says": "As the program does.", "on_test_split": True},
    "later": {"says": "As it may be meant.", "afterwards": True},
    "other": "As it could be read.",
    "ours": {"says": "With more care.", "is_ours": True},
}


def arms(ours, theirs, protocol="document"):
    return {("crelu", "c", protocol): ours, ("relu", "c", protocol): theirs}


@pytest.mark.parametrize(
    ("protocol", "document", "other", "verdict"),
    [
        ("other", OURS, THEIRS, "holds"),
        ("other", THEIRS, OURS, "depends"),
        ("program", THEIRS, OURS, "depends"),
        ("later", THEIRS, OURS, "depends"),
        ("ours", THEIRS, OURS, "fails"),  # it is no reading of the document
    ],
)
def test_protocols_are_readings_of_the_document(table, judged, protocol, document, other, verdict):
    contrary = {OURS[0]: THEIRS, THEIRS[0]: OURS}
    values = arms(document, contrary[document[0]])
    second = OURS if protocol == "other" and verdict == "holds" else other
    values |= arms(second, contrary[second[0]], protocol=protocol)
    asked = {name: READINGS[name] for name in ("document", protocol)}
    assert str(judged(table(values, protocols=asked), **PAIRED).verdict) == verdict


def test_a_reading_that_looks_at_the_test_split_makes_nothing_favourable(table, judged):
    values = arms(OURS, OURS[::-1]) | arms(OURS, THEIRS, protocol="program")
    asked = {name: READINGS[name] for name in ("document", "program")}
    found = judged(table(values, protocols=asked), **PAIRED)
    assert str(found.verdict) == "undecided"
    assert "program: holds [selects on the test split]" in found.reason


def test_a_protocol_that_the_claim_names_is_judged_alone(table, judged):
    values = arms(THEIRS, OURS) | arms(OURS, THEIRS, protocol="other")
    asked = {name: READINGS[name] for name in ("document", "other")}
    found = judged(
        table(values, protocols=asked), {"best": "crelu", "protocol": "other"}, **PAIRED
    )
    assert str(found.verdict) == "holds"
    assert found.parts == ()


CHOICE = {"stop": {"value": "loss", "alternatives": ["error"], "reason": "it is not said"}}


@pytest.mark.parametrize("where", ["table", "claim"])
@pytest.mark.parametrize(
    ("ours", "theirs", "verdict"), [(THEIRS, OURS, "undecided"), (OURS, THEIRS, "holds")]
)
def test_an_alternative_that_was_not_run_softens_what_is_contrary(
    table, judged, where, ours, theirs, verdict
):
    found = table(arms(ours, theirs), choices=CHOICE if where == "table" else None)
    choices = CHOICE if where == "claim" else None
    assert str(judged(found, choices=choices, **PAIRED).verdict) == verdict


def test_an_alternative_that_is_a_protocol_was_run(table, judged):
    choice = {"stop": {**CHOICE["stop"], "alternatives": ["other"]}}
    values = arms(THEIRS, OURS) | arms(THEIRS, OURS, protocol="other")
    asked = {name: READINGS[name] for name in ("document", "other")}
    found = table(values, choices=choice, protocols=asked)
    assert str(judged(found, **PAIRED).verdict) == "fails"


SMALL = {"scale": "laptop", "limits": {"recipes": {"document": {"epochs": 2}}}}
STOOD_IN = {**SMALL, "dataset": "imagenet32", "stand_ins": {"imagenet32": "cifar10"}}


@pytest.mark.parametrize(
    ("setting", "verdict"),
    [(SMALL, "not_comparable(scale)"), (STOOD_IN, "not_comparable(data)"), ({}, "fails")],
)
def test_what_is_contrary_below_the_printed_scale_is_not_held_against_it(
    table, judged, setting, verdict
):
    found = judged(table(arms(THEIRS, OURS), **setting), **PAIRED)
    assert str(found.verdict) == verdict
    assert found.mean == pytest.approx(numpy.mean(THEIRS[:3]) - numpy.mean(OURS[:3]))
    assert found.overrides.startswith("epochs = 2" if setting else "")


def test_what_holds_names_its_scale(table, judged):
    found = judged(table(arms(OURS, THEIRS), **SMALL), **PAIRED)
    assert str(found.verdict) == "holds"
    assert found.reason.startswith("at scale laptop: effect 10")
    assert (found.scale, found.overrides) == ("laptop", "epochs = 2")


def test_a_magnitude_is_not_judged_below_the_printed_scale(table, judged):
    found = judged(table(arms(OURS, THEIRS), **SMALL), magnitude=True, **PAIRED)
    assert str(found.verdict) == "not_comparable(scale)"


def test_fewer_seeds_alone_are_the_printed_protocol(table, judged):
    limits = {"recipes": {"document": {"seeds": 3}}}
    found = judged(table(arms(THEIRS, OURS), scale="laptop", limits=limits), **PAIRED)
    assert (str(found.verdict), found.scale) == ("fails", "paper")


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [({"default": 1.0, "gmp": 0.1}, "not_comparable(scale)"), ({"default": 0.5}, "holds")],
)
def test_settings_that_a_scale_makes_for_one_arm_only_are_unfair(table, judged, factor, verdict):
    columns = {"a": {"parameterization": "gmp"}, "b": {"parameterization": "sp"}}
    limits = {"recipes": {"document": {"lr_factor": factor}}}
    values = {("relu", "a"): OURS, ("relu", "b"): THEIRS}
    small = table(values, columns=columns, scale="laptop", limits=limits)
    found = judged(small, {"best": "a"}, **PAIRED)
    assert str(found.verdict) == verdict
    assert ("the arms differ in lr_factor" in found.reason) == (verdict != "holds")
