"""What a scale changes of an exhibit: settings, data that stand in, data that must be supplied."""

from dataclasses import replace

import pytest
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.loading import load_paper
from reactivate.experiment.measurements import Fewer
from reactivate.experiment.overrides import arms_of
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.scales import Limits, PaperScale
from reactivate.experiment.statements import Check
from reactivate.judging.scale import Override, unfair_settings

STAND_INS = {"imagenet": "tiny_imagenet20", "imagenet32": "tiny_imagenet20"}
ANY = Check(exhibit="table2", best="gmp")


def exhibit(paper, name, limits, stand_ins=None, scale="laptop"):
    """An exhibit of the project at a scale with these limits, whatever its own are."""
    source = load_paper(paper)
    every = {recipe: Limits() for recipe in source.recipes} | limits.get("recipes", {})
    changed = PaperScale(**{**limits, "recipes": every})
    return RunExhibit(scale, source, changed, stand_ins or {}, None, name)


def first(run, **asked):
    return next(p for p in run.places if all(getattr(p, k) == v for k, v in asked.items()))


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (Limits(), {}),
        (Limits(seeds=1), {}),  # fewer seeds widen an interval, they change nothing
        (Limits(epochs=5, width=0.125), {"epochs": "5", "width": "0.125"}),
        (Limits(data_fraction=0.25, batch_size=16), {"data_fraction": "0.25", "batch_size": "16"}),
        (Limits(lr_factor={"default": 0.5}), {"lr_factor": "0.5"}),
        (Limits(lr_factor={"default": 0.5, "bn": 4.0}), {"lr_factor": "4"}),
        (Limits(lr_factor={"default": 0.5, "gmp": 4.0}), {"lr_factor": "0.5"}),
        (Limits(dropout_factor=0.0), {"dropout_factor": "0"}),
    ],
)
def test_what_a_scale_changes_of_a_run_is_told_in_words(limit, expected):
    run = exhibit("gmp", "table2", {"recipes": {"vgg6_256": limit}})
    place = first(run, row="bn", column="top1_256", protocol="document")
    assert run.overrides_of(place) == expected
    assert {f"{key} = {value}" for key, value in expected.items()} <= set(run.overrides)
    other = first(run, row="bn", column="top1_512", protocol="document")
    assert run.overrides_of(other) == {}


def test_the_printed_scale_changes_nothing():
    limits = {"recipes": {"vgg6_256": Limits(epochs=5)}, "settings": {"table2": {"draws": 3}}}
    run = exhibit("gmp", "table2", limits, scale="paper")
    assert all(run.overrides_of(place) == {} for place in run.places)
    assert run.overrides == []


def test_settings_of_an_analysis_are_told_once_before_those_of_its_runs():
    run = exhibit("gmp", "figure1", {"settings": {"figure1": {"draws": 20}}})
    assert run.overrides == ["draws = 20"]
    each = Limits(epochs=5)
    limits = {
        "recipes": {"vgg6_256": each, "vgg6_512": each},
        "settings": {"table2": {"draws": 3}},
    }
    assert exhibit("gmp", "table2", limits).overrides == ["draws = 3", "epochs = 5"]


def test_fewer_images_of_a_measurement_are_told():
    fewer = {"fgsm_8": Fewer(images=100, window=None, skip_wrong=True)}
    run = exhibit("thesis", "table6_1", {"measurements": fewer})
    place = first(run, measurement="fgsm_8")
    assert run.overrides_of(place) == {"images": "100", "skip_wrong": "True"}
    assert run.is_cut(place.row, place.column, place.protocol)


@pytest.mark.parametrize(("name", "printed"), [("table1", "imagenet"), ("table2", "imagenet32")])
def test_data_that_stands_in_is_told_with_the_printed_one(name, printed):
    run = exhibit("gmp", name, {}, STAND_INS)
    assert run.stands_in(ANY)
    for place in run.places:
        assert run.overrides_of(place) == {"dataset": f"tiny_imagenet20 for {printed}"}


def test_data_that_stands_in_elsewhere_is_the_printed_one_here():
    run = exhibit("gmp", "table2", {}, {"cifar10": "imagenet32"})
    assert {place.cell.dataset for place in run.places} == {"imagenet32"}
    assert not run.stands_in(ANY)
    assert run.overrides == []


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, True),
        ({"columns": ["boston"]}, True),
        ({"columns": ["wine", "boston"], "rows": ["sp"]}, True),
        ({"columns": ["wine", "yacht"]}, False),
        ({"rows": ["a row that is not run"]}, False),
    ],
)
def test_data_stands_in_for_a_claim_only_in_the_rows_and_columns_it_names(asked, expected):
    run = exhibit("gmp", "table3", {}, {"boston": "concrete"})
    assert run.stands_in(Check(exhibit="table3", chance=1.0, **asked)) == expected


def test_a_number_that_no_scale_runs_is_cut_but_at_the_printed_one():
    run = exhibit("gmp", "table3", {})
    there = first(run)
    assert run.place(there.row, there.column, there.protocol) == there
    nowhere = there.row, there.column, "a protocol that the table does not have"
    assert run.is_cut(*nowhere) == (run.scale != "paper")
    with pytest.raises(KeyError):
        run.place(*nowhere)


def test_nothing_stands_in_without_a_stand_in():
    assert not exhibit("gmp", "table2", {}).stands_in(ANY)
    assert not exhibit("gmp", "figure1", {}, STAND_INS).stands_in(ANY)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("table1", ["imagenet"]), ("table2", ["imagenet32"]), ("table3", []), ("figure1", [])],
)
def test_the_printed_scale_needs_data_that_a_user_supplies(name, expected):
    assert exhibit("gmp", name, {}, scale="paper").unsupplied == expected
    assert exhibit("gmp", name, {}, STAND_INS).unsupplied == []


def test_a_part_of_an_exhibit_needs_the_data_of_the_whole():
    run = Experiment.load("paper", "cpu").exhibit("gmp", "table1")
    assert run.places == []
    assert run.unsupplied == ["imagenet"]


UNEVEN = {"recipes": {"vgg6_256": Limits(epochs=5, lr_factor={"default": 0.5, "bn": 4.0})}}


def test_arms_of_a_comparison_are_rows_with_what_the_scale_changes_of_each():
    run = exhibit("gmp", "table2", UNEVEN)
    check = Check(exhibit="table2", best="gmp", rows=["gmp", "bn"], columns=["top1_256"])
    arms = arms_of(run, check)
    place = "(top1_256, document)"
    assert {arm: found for arm, found in arms.items() if place in " ".join(found)} == arms
    assert {arm: found[f"lr_factor {place}"] for arm, found in arms.items()} == {
        "gmp": Override("0.5"),
        "bn": Override("4"),
    }
    assert arms["gmp"][f"epochs {place}"] == Override("5")
    unfair = {name.partition(" ")[0] for name in unfair_settings(arms)}
    assert unfair == {"lr_factor"}


def test_only_what_is_compared_with_each_other_has_to_be_alike():
    """Batches of 256 and 512 are columns: each is compared within itself."""
    limits = {"recipes": {"vgg6_256": Limits(epochs=5), "vgg6_512": Limits(epochs=7)}}
    run = exhibit("gmp", "table2", limits)
    columns = ["top1_256", "top1_512"]
    rows = Check(exhibit="table2", best="gmp", rows=["gmp", "bn"], columns=columns)
    assert unfair_settings(arms_of(run, rows)) == []
    across = Check(exhibit="table2", best="top1_256", rows=["gmp"], columns=columns)
    assert set(arms_of(run, across)) == set(columns)
    assert {name.partition(" ")[0] for name in unfair_settings(arms_of(run, across))} == {"epochs"}


def test_an_exhibit_without_runs_has_no_arms():
    run = exhibit("gmp", "figure1", {})
    assert arms_of(run, ANY) == {}
    assert arms_of(replace(run, scale="paper", name="table2"), ANY) == {}
