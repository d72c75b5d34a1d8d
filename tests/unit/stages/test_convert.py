"""The stage ``convert``: an entry of weights becomes a file that loads, or one clear message."""

import hashlib
import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from reactivate.foundation.files import sha256, verify_checksum
from reactivate.stages.convert import convert, main
from safetensors.numpy import load_file, save

KERNEL = np.random.default_rng(0).normal(size=(2, 2, 3, 4)).astype(np.float32)
CONTENT = pickle.dumps({"Net_0": {"kernel": KERNEL}})
CONVERTED = np.ascontiguousarray(KERNEL.transpose(3, 2, 0, 1))
OUT = Path("data/prepared/toy.safetensors")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project folder with one file of weights, supplied by hand."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REACTIVATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("REACTIVATE_MIRROR", raising=False)
    for folder in ("config", "data/raw"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "data/raw/toy.ckpt").write_bytes(CONTENT)
    describe()
    return tmp_path


def describe(content=CONTENT, **changes):
    """Writes the configuration of the project."""
    checksum = hashlib.sha256(content).hexdigest()
    entry = {
        "title": "Toy",
        "licence": "none",
        "prepared": hashlib.sha256(save({"conv1": CONVERTED})).hexdigest(),
        "kernels": {"conv1": {"key": "Net_0/kernel", "shape": [4, 3, 2, 2]}},
        "sources": [{"kind": "mirror", "file": "toy.ckpt", "sha256": checksum}],
    }
    Path("config/weights.yaml").write_text(yaml.safe_dump({"toy": entry | changes}))


@pytest.mark.usefixtures("project")
def test_weights_become_a_file_with_its_checksum_and_record():
    convert("toy", OUT)
    np.testing.assert_array_equal(load_file(OUT)["conv1"], CONVERTED)
    record = json.loads(OUT.with_suffix(".json").read_text())
    assert record["sha256"] == verify_checksum(OUT) == sha256(OUT)
    assert (record["weights"], record["licence"]) == ("toy", "none")
    assert record["kernels"] == {"conv1": [4, 3, 2, 2]}
    assert record["source"]["file"] == "toy.ckpt"


@pytest.mark.usefixtures("project")
def test_a_file_with_a_wrong_checksum_is_refused_before_it_is_opened(monkeypatch):
    def opened(*_arguments):
        raise AssertionError("the file was opened")

    monkeypatch.setattr("reactivate.stages.convert.read_kernels", opened)
    Path("data/raw/toy.ckpt").write_bytes(CONTENT + b" ")
    with pytest.raises(ValueError, match=r"wrong checksum of toy\.ckpt .*expected [0-9a-f]{64}"):
        convert("toy", OUT)
    assert not OUT.exists()


@pytest.mark.usefixtures("project")
def test_weights_that_come_out_otherwise_than_recorded_are_refused():
    describe(prepared="1" * 64)
    with pytest.raises(ValueError, match=rf"expected {'1' * 64}; .*toy\.prepared in config"):
        convert("toy", OUT)
    assert not OUT.exists()


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("name", "code"), [("toy", 0), ("toi", 1)])
def test_the_command_line_reports_a_mistake_in_one_line(monkeypatch, capsys, name, code):
    monkeypatch.setattr(sys, "argv", ["convert", "--weights", name, "--out", str(OUT)])
    ended = 0
    try:
        main()
    except SystemExit as stop:
        ended = stop.code
    assert ended == code
    said = capsys.readouterr().err
    assert said.startswith("error: unknown weights 'toi'") if code else not said
    assert "Traceback" not in said
