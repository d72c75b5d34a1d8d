"""The stage ``prepare``: a catalog entry becomes a file that loads, or one clear message."""

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import torch
import yaml
from reactivate.experiment.catalog.catalog import catalog
from reactivate.foundation.files import sha256, verify_checksum
from reactivate.preparation.prepared import load_prepared
from reactivate.preparation.sources import fetch
from reactivate.stages.prepare import main, prepare

ROOT = Path(__file__).parents[3]
PREPARED = "479b884d08e564fb2c106cf639028096fb9c50771aaa950a7ce30ac1afe3393a"
TABLE = b"a,b,t\n1,2,3\n4,5,6\n"
SOURCE = {
    "kind": "mirror",
    "file": "toy.csv",
    "sha256": hashlib.sha256(TABLE).hexdigest(),
    "read": {"format": "csv", "header": 1},
}
NPM = {key: value for key, value in SOURCE.items() if key != "file"} | {
    "kind": "npm",
    "package": "toy",
    "version": "1.0",
    "member": "package/toy.csv",
}
TOY = {
    "title": "Toy",
    "licence": "none",
    "rows": 2,
    "features": 2,
    "target": "t",
    "prepared": PREPARED,
    "sources": [SOURCE],
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project folder with one dataset, its file supplied by hand."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REACTIVATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("REACTIVATE_MIRROR", raising=False)
    raw = tmp_path / "data" / "raw"
    raw.mkdir(parents=True)
    (raw / "toy.csv").write_bytes(TABLE)
    describe(tmp_path)
    return tmp_path


def describe(project, **changes):
    """Writes the catalog of the project."""
    path = project / "config" / "datasets.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump({"toy": TOY | changes}), encoding="utf-8")


def run(monkeypatch, *arguments):
    """Runs the command line; returns its exit code."""
    monkeypatch.setattr(sys, "argv", ["prepare", *arguments])
    try:
        main()
    except SystemExit as stop:
        return stop.code
    return 0


OUT = Path("data/prepared/toy.safetensors")
COMMAND = ["--dataset", "toy", "--out", str(OUT)]


def test_prepared_dataset_can_be_loaded(project, monkeypatch):
    assert run(monkeypatch, *COMMAND) == 0
    x, y = load_prepared("toy", OUT.parent)
    torch.testing.assert_close(x, torch.tensor([[1, 2], [4, 5]], dtype=torch.float64))
    torch.testing.assert_close(y, torch.tensor([[3], [6]], dtype=torch.float64))
    assert verify_checksum(OUT) == PREPARED


def test_record_says_where_the_bytes_are_from_and_nothing_of_the_machine(project, monkeypatch):
    assert run(monkeypatch, *COMMAND) == 0
    text = OUT.with_suffix(".json").read_text(encoding="utf-8")
    assert json.loads(text) == {
        "dataset": "toy",
        "title": "Toy",
        "licence": "none",
        "rows": 2,
        "features": 2,
        "target": "t",
        "bytes": OUT.stat().st_size,
        "sha256": sha256(OUT),
        "source": SOURCE,
    }
    assert str(project) not in text


def test_damaged_prepared_file_is_not_loaded(project, monkeypatch):
    run(monkeypatch, *COMMAND)
    OUT.write_bytes(OUT.read_bytes()[:-1])
    with pytest.raises(ValueError, match=rf"has sha256 .* says {PREPARED}; it was changed"):
        load_prepared("toy", OUT.parent)


def test_other_prepared_bytes_than_recorded_are_an_error(project, monkeypatch, capsys):
    describe(project, prepared="1" * 64)
    assert run(monkeypatch, *COMMAND) == 1
    said = capsys.readouterr().err
    assert f"'toy' has sha256 {PREPARED}, expected {'1' * 64}" in said
    assert "toy.prepared in config/datasets.yaml" in said
    assert list(OUT.parent.iterdir()) == []


def test_unknown_dataset_is_one_message_without_traceback(project, monkeypatch, capsys):
    assert run(monkeypatch, "--dataset", "tyo", "--out", str(OUT)) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: unknown dataset 'tyo'; did you mean toy? Known: toy.")
    assert "Traceback" not in said


def test_no_source_is_one_message_and_no_output(project, monkeypatch, capsys):
    (project / "data" / "raw" / "toy.csv").write_bytes(b"")
    assert run(monkeypatch, *COMMAND) == 1
    said = capsys.readouterr().err
    assert "error: no source of dataset 'toy' works; tried:" in said
    assert "(sha256 " + SOURCE["sha256"] + ") into data/raw/" in said
    assert not OUT.parent.exists()


def test_unwritable_folder_is_one_message(project, monkeypatch, capsys):
    OUT.parent.write_text("in the way")
    assert run(monkeypatch, *COMMAND) == 1
    assert "is not a folder; make the folder writable or set" in capsys.readouterr().err


def test_two_processes_download_once_and_both_succeed(project):
    with tarfile.open(project / "toy.tgz", "w:gz") as archive:
        info = tarfile.TarInfo("package/toy.csv")
        info.size = len(TABLE)
        archive.addfile(info, io.BytesIO(TABLE))
    describe(project, sources=[NPM | {"archive": sha256(project / "toy.tgz")}])
    npm = project / "npm"
    npm.write_text(f'#!/bin/sh\necho x >> "{project}/calls"\nsleep 1\ncp "{project}/toy.tgz" .\n')
    npm.chmod(0o755)
    command = [sys.executable, "-m", "reactivate.stages.prepare", *COMMAND]
    path = f"{project}:{os.environ['PATH']}"
    both = [subprocess.Popen(command, env=os.environ | {"PATH": path}) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert (project / "calls").read_text() == "x\n"
    assert verify_checksum(OUT) == PREPARED


NAMES = ["boston", "concrete", "energy", "power", "wine", "yacht", "banana"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_real_dataset_is_prepared_with_the_recorded_bytes(tmp_path, monkeypatch, name):
    monkeypatch.chdir(ROOT)
    wanted = catalog()[name]
    try:
        fetch(name, wanted)
    except ValueError as error:
        pytest.skip(str(error))
    out = tmp_path / f"{name}.safetensors"
    prepare(name, out)
    x, y = load_prepared(name, tmp_path)
    assert x.shape == (wanted.rows, wanted.features)
    assert y.shape == (wanted.rows, 1)
    assert sha256(out) == wanted.prepared
