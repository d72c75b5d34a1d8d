"""The stage ``prepare`` on images: one file of four tensors, or one clear message."""

import hashlib
import json
import struct
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from reactivate.experiment.catalog import entries
from reactivate.experiment.catalog.catalog import catalog
from reactivate.foundation.files import sha256, verify_checksum
from reactivate.preparation import clients
from reactivate.preparation.prepared import load_images
from reactivate.preparation.sources import fetch_files
from reactivate.stages.prepare import main, prepare

ROOT = Path(__file__).parents[3]
OUT = Path("data/prepared/toy.safetensors")
IMAGES = {
    "kind": "images",
    "title": "Toy",
    "licence": "none",
    "classes": 3,
    "shape": [1, 2, 2],
    "train": 2,
    "test": 1,
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project folder without a dataset."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REACTIVATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("REACTIVATE_MIRROR", raising=False)
    (tmp_path / "data" / "raw").mkdir(parents=True)
    (tmp_path / "config").mkdir()
    return tmp_path


def write_catalog(entry):
    Path("config/datasets.yaml").write_text(yaml.safe_dump({"toy": entry}), encoding="utf-8")
    entries.forget()  # two may be written within one tick of the clock


def run(monkeypatch):
    """Runs the command line; returns its exit code."""
    monkeypatch.setattr(sys, "argv", ["prepare", "--dataset", "toy", "--out", str(OUT)])
    try:
        main()
    except SystemExit as stop:
        return stop.code
    return 0


def idx(sizes, numbers):
    """A file in MNIST's format."""
    return struct.pack(f">HBB{len(sizes)}I", 0, 8, len(sizes), *sizes) + bytes(numbers)


@pytest.fixture
def pictures(project):
    """A set of three images, its files supplied by hand."""
    contents = {
        "train-images-idx3-ubyte": idx([2, 2, 2], range(8)),
        "train-labels-idx1-ubyte": idx([2], [2, 0]),
        "t10k-images-idx3-ubyte": idx([1, 2, 2], [9, 8, 7, 6]),
        "t10k-labels-idx1-ubyte": idx([1], [1]),
    }
    for name, content in contents.items():
        (project / "data" / "raw" / name).write_bytes(content)
    files = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    official = {name: hashlib.md5(content).hexdigest() for name, content in contents.items()}
    source = {"kind": "mirror", "format": "idx", "files": files}
    prepared = "71c3ec893315d6bde179fab04a460310b572c1711744f6d9c270d9c6ef84d5fa"
    entry = IMAGES | {"prepared": prepared, "official": official, "sources": [source]}
    write_catalog(entry)
    return entry


def test_prepared_images_can_be_loaded(pictures, monkeypatch):
    assert run(monkeypatch) == 0
    data = load_images("toy", OUT.parent)
    assert data.train_images.tolist() == [[[[0, 1], [2, 3]]], [[[4, 5], [6, 7]]]]
    assert data.train_images.dtype == torch.uint8
    assert data.train_labels.tolist() == [2, 0]
    assert data.test_images.tolist() == [[[[9, 8], [7, 6]]]]
    assert data.test_labels.tolist() == [1]
    assert verify_checksum(OUT) == pictures["prepared"]


def test_record_of_images_has_their_sizes_and_the_checksum_of_every_file(pictures, monkeypatch):
    assert run(monkeypatch) == 0
    record = json.loads(OUT.with_suffix(".json").read_text(encoding="utf-8"))
    sizes = {key: record[key] for key in ("train", "test", "shape", "classes")}
    assert sizes == {"train": 2, "test": 1, "shape": [1, 2, 2], "classes": 3}
    assert record["source"] == pictures["sources"][0]
    assert record["sha256"] == sha256(OUT)


def test_images_that_are_not_the_official_ones_are_one_message(
    pictures, project, monkeypatch, capsys
):
    wrong = pictures["official"] | {"t10k-labels-idx1-ubyte": "0" * 32}
    write_catalog(pictures | {"official": wrong})
    assert run(monkeypatch) == 1
    said = capsys.readouterr().err
    assert "error: t10k-labels-idx1-ubyte (9 bytes) has md5" in said
    assert "Traceback" not in said
    assert not OUT.parent.exists()


FOLDER = {key: value for key, value in IMAGES.items() if key != "shape"} | {
    "kind": "folder",
    "format": "imagenet",
    "variable": "REACTIVATE_TOY",
}


def test_missing_folder_is_one_message(project, monkeypatch, capsys):
    write_catalog(FOLDER)
    monkeypatch.delenv("REACTIVATE_TOY", raising=False)
    assert run(monkeypatch) == 1
    assert "REACTIVATE_TOY is not set. Set it to the folder" in capsys.readouterr().err


def test_streamed_set_is_not_prepared(project, monkeypatch, capsys):
    write_catalog(FOLDER)
    monkeypatch.setenv("REACTIVATE_TOY", str(project))
    assert run(monkeypatch) == 1
    assert "Toy is too large to be prepared; it is read from REACT" in capsys.readouterr().err


def test_downsampled_imagenet_is_prepared_from_its_folder(project, monkeypatch):
    entry = {"format": "imagenet32", "shape": [3, 1, 1], "train": 20, "test": 2, "classes": 5}
    write_catalog(FOLDER | entry)
    monkeypatch.setenv("REACTIVATE_TOY", str(project))
    data, labels = np.arange(66, dtype=np.uint8).reshape(22, 3), np.arange(22) % 5 + 1
    names = [*(f"train_data_batch_{number}" for number in range(1, 11)), "val_data"]
    for at, name in enumerate(names):
        part = slice(2 * at, 2 * at + 2)
        np.savez(project / f"{name}.npz", data=data[part], labels=labels[part])
    assert run(monkeypatch) == 0
    loaded = load_images("toy", OUT.parent)
    assert loaded.train_images.flatten().tolist() == data[:20].ravel().tolist()
    assert loaded.test_labels.tolist() == [0, 1]
    text = OUT.with_suffix(".json").read_text(encoding="utf-8")
    assert json.loads(text)["source"] == {"kind": "folder", "variable": "REACTIVATE_TOY"}
    assert str(project) not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["mnist", "fashion_mnist", "cifar10", "cifar100", "tiny_imagenet20"]
)
def test_real_images_are_prepared_with_the_recorded_bytes(tmp_path, monkeypatch, name):
    """Only what this user already has: these are hundreds of megabytes to download."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(clients, "CLIENTS", {name: ["not-asked"] for name in clients.CLIENTS})
    monkeypatch.setattr(urllib.request, "urlopen", _not_asked)
    wanted = catalog()[name]
    try:
        fetch_files(name, wanted)
    except ValueError as error:
        pytest.skip(str(error))
    out = tmp_path / f"{name}.safetensors"
    prepare(name, out)
    data = load_images(name, tmp_path)
    assert data.train_images.shape == (wanted.train, *wanted.shape)
    assert data.test_images.shape == (wanted.test, *wanted.shape)
    assert torch.bincount(data.test_labels, minlength=wanted.classes).min() > 0
    assert sha256(out) == wanted.prepared


def _not_asked(*_arguments, **_options):
    raise OSError("no download in tests")
