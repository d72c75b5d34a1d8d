"""The deviation of a target: what a network must fall below, and no part of what is prepared."""

from pathlib import Path

import pytest
import yaml
from reactivate.experiment.catalog.catalog import catalog, dataset
from reactivate.preparation.prepared import load_prepared
from reactivate.preparation.sources import fetch
from reactivate.stages.prepare import prepare

ROOT = Path(__file__).parents[4]
REGRESSION = ["boston", "concrete", "energy", "power", "wine", "yacht"]
TOY = {
    "title": "Toy",
    "licence": "none",
    "rows": 2,
    "features": 2,
    "target": "t",
    "prepared": "0" * 64,
    "sources": [
        {"kind": "mirror", "file": "toy.csv", "sha256": "0" * 64, "read": {"format": "csv"}}
    ],
}


def toy(folder, **changes):
    path = folder / "datasets.yaml"
    path.write_text(yaml.safe_dump({"toy": TOY | changes}), encoding="utf-8")
    return dataset("toy", path)


def test_the_deviation_is_no_part_of_the_fingerprint(tmp_path):
    plain = toy(tmp_path)
    other = toy(tmp_path, deviation=9.5)
    assert (plain.deviation, other.deviation) == (None, 9.5)
    assert plain.fingerprint() == other.fingerprint() == toy(tmp_path, deviation=1).fingerprint()
    assert plain.fingerprint() != toy(tmp_path, deviation=9.5, rows=3).fingerprint()


@pytest.mark.parametrize("wrong", [0, -1.0, "large"])
def test_a_deviation_is_a_positive_number(tmp_path, wrong):
    with pytest.raises(ValueError, match=rf"datasets\.yaml: toy\.deviation is {wrong!r}; "):
        toy(tmp_path, deviation=wrong)


def test_every_table_whose_error_is_printed_has_a_deviation(monkeypatch):
    monkeypatch.chdir(ROOT)
    tables = {name: found for name, found in catalog().items() if found.kind == "table"}
    assert {name for name, found in tables.items() if found.deviation} == set(REGRESSION)


@pytest.mark.slow
@pytest.mark.parametrize("name", REGRESSION)
def test_the_deviation_is_that_of_the_prepared_target(tmp_path, monkeypatch, name):
    monkeypatch.chdir(ROOT)
    try:
        fetch(name, dataset(name))
    except ValueError as error:
        pytest.skip(str(error))
    prepare(name, tmp_path / f"{name}.safetensors")
    _, y = load_prepared(name, tmp_path)
    assert dataset(name).deviation == pytest.approx(float(y.std()), rel=1e-4)
