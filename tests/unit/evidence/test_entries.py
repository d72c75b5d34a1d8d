"""A table of what exists: runs that are there, as configured, and votes as published."""

import shutil
from pathlib import Path
from types import SimpleNamespace

from reactivate.evidence.entries import _kept_vote, entries_of
from reactivate.evidence.provenance import Evidence
from reactivate.experiment.experiment import EXISTING, Experiment
from reactivate.stages.tabulate import tabulate

RUNS = Path("results/smoke/gmp/runs")


def places(existing=True):
    exhibit = Experiment.load("smoke").exhibit("gmp", "table3")
    return [entry.place for entry, _ in entries_of(exhibit, existing)]


def test_a_place_without_runs_is_left_out(finished):
    every = places()
    assert every == places(existing=False)
    shutil.rmtree(RUNS / "yacht/mlp100-relu-sp-document")
    assert places() == [place for place in every if place[:2] != ("sp", "yacht")]


def test_weights_may_be_missing_where_a_publication_has_none(finished):
    for path in RUNS.rglob("model.safetensors"):
        path.unlink()
    assert len(places()) == 4


def test_nothing_is_written_where_nothing_is_there(finished):
    shutil.rmtree(RUNS)
    before = Path("results/smoke/gmp/table3.csv").read_bytes()
    assert not tabulate("smoke", "gmp", "table3", EXISTING)
    assert Path("results/smoke/gmp/table3.csv").read_bytes() == before


def test_a_vote_is_kept_if_it_is_of_the_same_runs():
    place = SimpleNamespace(row="a", column="b", protocol="document")
    records = [SimpleNamespace(record=f"results/s/seed{n}/run.json") for n in (0, 1)]
    cell = SimpleNamespace(values=[12.5], records=records)
    kept = Evidence({("a", "b", "document"): cell})
    folders = [Path("results/s/seed0"), Path("results/s/seed1")]
    assert _kept_vote(place, folders, kept) == [12.5]
    assert _kept_vote(place, folders[:1], kept) is None
    assert _kept_vote(SimpleNamespace(**{**vars(place), "row": "c"}), folders, kept) is None
