"""What functions found is kept, and told as records: own code and time, one environment."""

import json
from pathlib import Path

import pytest
from reactivate.auditing.currency import CHECK, targets_of
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.records import Record, read_record
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import checks_file

ROOT = Path(__file__).parents[3]
LAPTOP = ROOT / "published/laptop"


def test_a_judgement_is_a_record_of_its_own(finished):
    found = read_judgements(checks_file("smoke", "gmp"))
    own = {"gmp_best (own table)", "gmp_significant (own table)"}
    assert set(found.looked) == {"degrees_of_freedom", "uniform_angles", *own}
    for name, looked in found.looked.items():
        record = found.record(name)
        assert (record.code, record.function) == (looked.code, looked.function)
        assert (record.times.seconds, record.warnings) == (looked.seconds, looked.warnings)
        assert (record.environment, record.modules) == (found.environment, found.modules)
        assert (record.stage, record.paper, record.scale) == ("check", "gmp", "smoke")
        assert targets_of(record) == (CHECK, looked.function)


@pytest.mark.parametrize(
    ("verdict", "said"), [("order_holds", "'order_holds' is no verdict"), (None, "no judgement")]
)
def test_a_file_that_keeps_no_judgement_is_refused_and_named(finished, verdict, said):
    path = checks_file("smoke", "gmp")
    content = json.loads(path.read_text(encoding="utf-8"))
    kept = content["claims"]["degrees_of_freedom"]["judgement"]
    if verdict is None:
        del kept["verdict"]
    else:
        kept["verdict"] = verdict
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=said) as error:
        read_judgements(path)
    assert str(path) in str(error.value)
    assert "snakemake --force" in str(error.value)


def test_judgements_of_an_older_form_are_refused_with_the_way_to_make_them_again(finished):
    path = checks_file("smoke", "gmp")
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, "version": 2}), encoding="utf-8")
    with pytest.raises(ValueError, match="version is 2; accepted: 3"):
        read_judgements(path)


@pytest.mark.parametrize("stage", ["analyse", "plot"])
def test_an_exhibit_is_made_again_by_the_stage_that_made_it(stage, monkeypatch):
    monkeypatch.chdir(ROOT)
    record = read_record(LAPTOP / "crelu/analyse/figure1/run.json")
    found = targets_of(record.model_copy(update={"stage": stage}))
    assert found == Experiment.load("paper").exhibit("crelu", "figure1").modules(stage)
    assert found[0] == f"reactivate.stages.{stage}"


@pytest.mark.parametrize("stage", ["train", "observe", "attack"])
def test_a_cell_is_made_again_by_the_stage_that_made_it(stage, monkeypatch):
    monkeypatch.chdir(ROOT)
    record = next(iter(sorted((LAPTOP / "thesis/runs").rglob("run.json"))))
    found = read_record(record).model_copy(update={"stage": stage})
    assert isinstance(found, Record)
    assert targets_of(found) == Experiment.load("paper").cell("thesis", found.cell).modules(stage)
