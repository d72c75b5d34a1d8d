"""Comparisons of ours: every row that is ahead with every row behind, from runs that are there."""

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from reactivate.auditing.own_comparisons import compared_places, inquire_runs
from reactivate.experiment.statements import Check, Comparison

ROOT = Path(__file__).parents[3]
OURS, THEIRS = (90.0, 91.0, 92.0), (80.0, 82.0, 84.0)


@pytest.fixture
def exhibit(tmp_path, monkeypatch):
    """``exhibit(runs, fraction)``: of places, ``(row, column)``, with these accuracies."""
    monkeypatch.chdir(ROOT)  # for config/datasets.yaml and config/metrics.yaml

    def made(runs, fraction=1.0):
        for (row, column), accuracies in runs.items():
            for seed, top1 in enumerate(accuracies):
                folder = tmp_path / row / column / str(seed)
                folder.mkdir(parents=True)
                table = pd.DataFrame({"top1": [top1], "error": [100.0 - top1]})
                table.to_csv(folder / "metrics.csv", index=False)

        def cell(place):
            folders = [tmp_path / place.row / place.column / str(seed) for seed in range(5)]
            settings = SimpleNamespace(tested_fraction=fraction)
            return SimpleNamespace(image_settings=settings, folders=lambda: folders)

        data = SimpleNamespace(dataset="cifar10")
        places = [SimpleNamespace(row=row, column=column, cell=data) for row, column in runs]
        return SimpleNamespace(places=places, scale="laptop", cell=cell)

    return made


def asked(columns=None, behind=("relu",), metric="top1", **effect):
    check = Check(exhibit="accuracy", columns=columns, judge="reactivate.made_up:judge")
    effect = {"number": "accuracy", "replicate": "seed", "cases": "all", **effect}
    compared = {"ahead": ["psc"], "behind": list(behind), "metric": metric, "effect": effect}
    return check, Comparison.model_validate(compared)


def numbers(inquiry):
    return {name: (effect.stated, effect.other) for name, effect in inquiry.found.items()}


def test_rows_are_compared_on_each_column_with_the_runs_of_that_column(exhibit):
    runs = {("psc", "a"): OURS, ("relu", "a"): THEIRS, ("psc", "b"): THEIRS, ("relu", "b"): OURS}
    found = inquire_runs(exhibit(runs), *asked())
    wanted = {"a: psc over relu": (OURS, THEIRS), "b: psc over relu": (THEIRS, OURS)}
    assert numbers(found) == wanted


def test_only_rows_and_columns_that_are_asked_for_are_looked_at(exhibit):
    runs = {("psc", "a"): OURS, ("relu", "a"): THEIRS, ("gelu", "a"): OURS, ("psc", "b"): OURS}
    check, compared = asked(columns=["a"])
    places = compared_places(exhibit(runs), check, compared)
    assert [(place.row, place.column) for place in places] == [("psc", "a"), ("relu", "a")]


def test_where_less_is_better_the_one_with_less_is_ahead(exhibit):
    runs = {("psc", "a"): OURS, ("relu", "a"): THEIRS}
    found = inquire_runs(exhibit(runs), *asked(metric="error"))
    ((stated, other),) = numbers(found).values()
    assert stated == tuple(accuracy - 100 for accuracy in OURS)
    assert other == tuple(accuracy - 100 for accuracy in THEIRS)
    assert str(found.judgement.verdict) == "holds"


def test_a_network_that_has_not_learned_has_no_number(exhibit):
    found = inquire_runs(exhibit({("psc", "a"): (90.0, 10.1), ("relu", "a"): OURS}), *asked())
    assert numbers(found) == {"a: psc over relu": ((90.0, None), OURS)}


@pytest.mark.parametrize(("fraction", "images"), [(1.0, 10000), (0.02, 200)])
def test_the_smallest_step_is_one_of_the_test_images(exhibit, fraction, images):
    runs = {("psc", "a"): OURS, ("relu", "a"): THEIRS}
    (effect,) = inquire_runs(exhibit(runs, fraction), *asked()).found.values()
    assert effect.grain == pytest.approx(100 / images)


def test_rows_without_a_run_are_named(exhibit):
    runs = {("psc", "a"): OURS, ("relu", "a"): ()}
    found = inquire_runs(exhibit(runs), *asked(behind=("relu", "gelu")))
    assert str(found.verdict) == "not_run(compute)"
    assert found.reason == "no run of relu, gelu on a is there"


def test_a_scale_that_runs_none_of_the_rows_is_named(exhibit):
    found = inquire_runs(exhibit({("gelu", "a"): OURS}), *asked())
    assert str(found.verdict) == "not_run(compute)"
    assert found.reason == "the scale laptop runs none of its networks"
