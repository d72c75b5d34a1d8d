"""Snakemake's memory: the same file names as Snakemake's, and what there is to ask for."""

import pytest
from reactivate.artifacts.metadata import Memory, final_outputs, record_path, recorded_outputs
from snakemake.persistence.file import FilePersistence

OUTPUTS = ["results/smoke/a.csv", "results/" + "long/" * 60 + "a.csv", "results/ü/a.csv"]


@pytest.mark.parametrize("output", OUTPUTS)
def test_records_are_where_snakemake_keeps_them(tmp_path, monkeypatch, output):
    monkeypatch.chdir(tmp_path)
    theirs = FilePersistence()._record_path(tmp_path, output)
    assert str(record_path(output, tmp_path)) == theirs


@pytest.mark.parametrize("output", OUTPUTS)
def test_an_output_is_found_by_its_record(tmp_path, output):
    path = record_path(output, tmp_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    assert list(recorded_outputs(tmp_path)) == [output]


def memory(log, inputs):
    return Memory(
        rule="sweep",
        input=inputs,
        log=[log],
        params=[],
        code="",
        record_format_version=6,
        software_stack_hash="0" * 32,
        starttime=0,
        endtime=0,
        incomplete=False,
        input_checksums={},
    )


def test_final_outputs_are_those_nobody_reads():
    memories = {
        "run.json": memory("1.log", []),
        "model.safetensors": memory("1.log", []),
        "table.csv": memory("2.log", ["run.json"]),
        "table.md": memory("2.log", ["run.json"]),
    }
    assert final_outputs(memories) == ["table.csv"]
