"""A judged statement is told as a record: its own code and time, the process's environment."""

from pathlib import Path

import pytest
from reactivate.auditing.currency import CHECK, targets_of
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.records import Record, read_record
from reactivate.experiment.papers import functions, modules

ROOT = Path(__file__).parents[3]
LAPTOP = Path("published/laptop")


@pytest.fixture(autouse=True)
def _from_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_a_judgement_is_a_record_of_its_own():
    found = read_judgements(LAPTOP / "thesis/analyse/claims.json")
    for name, judged in found.claims.items():
        record = found.record(name)
        assert (record.code, record.function) == (judged.code, judged.function)
        assert (record.times.seconds, record.warnings) == (judged.seconds, judged.warnings)
        assert (record.environment, record.modules) == (found.environment, found.modules)
        assert (record.stage, record.paper, record.scale) == ("check", "thesis", "laptop")
        assert targets_of(record) == (CHECK, judged.function)


@pytest.mark.parametrize("stage", ["analyse", "plot"])
def test_an_exhibit_is_made_again_by_the_stage_that_made_it(stage):
    record = read_record(LAPTOP / "crelu/analyse/figure1/run.json")
    found = targets_of(record.model_copy(update={"stage": stage}))
    assert found == functions("crelu", "figure1", stage)
    assert found[0] == f"reactivate.stages.{stage}"


@pytest.mark.parametrize("stage", ["train", "observe", "attack"])
def test_a_cell_is_made_again_by_the_stage_that_made_it(stage):
    record = next(iter(sorted((LAPTOP / "thesis/runs").rglob("run.json"))))
    found = read_record(record).model_copy(update={"stage": stage})
    assert isinstance(found, Record)
    assert targets_of(found) == modules("thesis", found.cell, stage)
