"""Downsampled ImageNet as its authors offer it, in a folder that the user names."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.preparation.folders import user_folder
from reactivate.preparation.imagenet32 import TRAIN, VALIDATION, read_imagenet32

PIXELS = np.random.default_rng(0).integers(0, 256, (22, 3, 2, 2), dtype=np.uint8)
LABELS = np.arange(22) % 5 + 1  # they count from 1


def describe(**changes):
    entry = {"kind": "folder", "title": "Small ImageNet", "licence": "none"}
    entry |= {"format": "imagenet32", "variable": "REACTIVATE_IMAGENET32", "classes": 5}
    return FolderSet.model_validate(
        entry | {"shape": [3, 2, 2], "train": 20, "test": 2, "official": {}} | changes
    )


def batch(position):
    pair = slice(2 * position, 2 * position + 2)
    return {"data": PIXELS[pair].reshape(2, -1), "labels": LABELS[pair].tolist()}


@pytest.fixture
def folder(tmp_path):
    """Ten training batches and one to validate, as pickles."""
    for position, name in enumerate([*TRAIN, VALIDATION]):
        content = batch(position) | {"mean": PIXELS.reshape(22, -1).mean(0)}
        (tmp_path / name).write_bytes(pickle.dumps(content, 4))
    return tmp_path


def read(folder, wanted):
    """The arrays that the pieces are parts of."""
    images, labels = np.zeros_like(PIXELS), np.zeros_like(LABELS)
    arrays = {
        "train_images": images[:20],
        "train_labels": labels[:20],
        "test_images": images[20:],
        "test_labels": labels[20:],
    }
    for name, start, rows in read_imagenet32(folder, wanted):
        assert len(rows) == 2
        arrays[name][start : start + 2] = rows
    return arrays


def check(arrays):
    np.testing.assert_array_equal(arrays["train_images"], PIXELS[:20])
    np.testing.assert_array_equal(arrays["train_labels"], LABELS[:20] - 1)
    np.testing.assert_array_equal(arrays["test_images"], PIXELS[20:])
    np.testing.assert_array_equal(arrays["test_labels"], LABELS[20:] - 1)


def test_pickles_are_read_in_the_order_of_their_numbers(folder):
    check(read(folder, describe()))


def test_npz_files_are_read(folder):
    for position, name in enumerate([*TRAIN, VALIDATION]):
        (folder / name).unlink()
        np.savez(folder / f"{name}.npz", **batch(position))
    check(read(folder, describe()))


def test_missing_batches_are_named(folder):
    (folder / "train_data_batch_3").unlink()
    (folder / VALIDATION).unlink()
    message = r"\(REACTIVATE_IMAGENET32\) has no train_data_batch_3, val_data; expected train_data"
    with pytest.raises(ValueError, match=message):
        read(folder, describe())


@pytest.mark.parametrize("train", [18, 22])
def test_another_number_of_images_is_an_error(folder, train):
    with pytest.raises(ValueError, match=f"hold 20 images, expected {train}; set REACTIVATE_IMAG"):
        read(folder, describe(train=train))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"data": PIXELS[:2].reshape(2, -1)}, r"data of shape \(2, 12\) \(uint8\) for 1 labels"),
        (batch(0) | {"data": np.zeros((2, 12))}, r"\(float64\) for 2 labels; expected \(2, 12\)"),
        (batch(0) | {"data": PIXELS[:2]}, r"data of shape \(2, 3, 2, 2\)"),
        (batch(0) | {"labels": [0, 1]}, "train labels go from -1 to 0; expected 0 to 4"),
        (print, "is not a pickle of numpy arrays: it asks for builtins.print"),
    ],
)
def test_batch_of_another_form_is_named(folder, content, message):
    (folder / "train_data_batch_2").write_bytes(pickle.dumps(content, 4))
    with pytest.raises(ValueError, match=message):
        read(folder, describe())


@pytest.mark.parametrize("suffix", ["", ".npz"])
def test_batch_cut_short_is_named(folder, suffix):
    path = folder / f"train_data_batch_4{suffix}"
    if suffix:
        np.savez(path, **batch(3))
        (folder / "train_data_batch_4").unlink()
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match=r"train_data_batch_4.*supply the official file"):
        read(folder, describe())


def test_pickle_inside_npz_is_not_opened(folder):
    (folder / VALIDATION).unlink()
    np.savez(folder / f"{VALIDATION}.npz", data=np.array([print], dtype=object), labels=[1])
    with pytest.raises(ValueError, match="Object arrays cannot be loaded"):
        read(folder, describe())


def test_batch_with_another_checksum_than_recorded_is_not_opened(folder):
    wanted = describe(official={"val_data": "0" * 32})
    with pytest.raises(ValueError, match=r"val_data .* has md5 .* it is not read"):
        read(folder, wanted)


def test_folder_is_the_one_the_variable_names(tmp_path, monkeypatch):
    monkeypatch.setenv("REACTIVATE_IMAGENET32", str(tmp_path))
    assert user_folder("imagenet32", describe()) == tmp_path


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "imagenet32 may not be passed on .* REACTIVATE_IMAGENET32 is not set. Set it to"),
        ("", "REACTIVATE_IMAGENET32 is not set"),
        ("nowhere", "REACTIVATE_IMAGENET32 is '.*nowhere', which does not exist; set it to"),
        ("file", "REACTIVATE_IMAGENET32 is '.*file', which is not a folder; set it to"),
    ],
)
def test_missing_folder_is_named_with_the_variable(tmp_path, monkeypatch, value, message):
    (tmp_path / "file").touch()
    monkeypatch.delenv("REACTIVATE_IMAGENET32", raising=False)
    if value is not None:
        monkeypatch.setenv("REACTIVATE_IMAGENET32", value and str(tmp_path / value))
    with pytest.raises(ValueError, match=message):
        user_folder("imagenet32", describe())


MEASURE = """
import resource
from pathlib import Path
from reactivate.stages.prepare import prepare
import reactivate.preparation.imagenet32

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

before = peak()
prepare("imagenet32", Path("data/prepared/imagenet32.safetensors"))
print(peak() - before)
"""


def test_preparing_needs_the_memory_of_a_batch_and_not_of_the_set(tmp_path):
    rows, side = 600, 100
    random = np.random.default_rng(0)
    entry = describe(shape=[3, side, side], train=10 * rows, test=rows, classes=rows)
    folder = tmp_path / "brought"
    folder.mkdir()
    for name in [*TRAIN, VALIDATION]:
        data = random.integers(0, 256, (rows, 3 * side * side), dtype=np.uint8)
        content = {"data": data, "labels": list(range(1, rows + 1))}
        (folder / name).write_bytes(pickle.dumps(content, 4))
    batch = data.nbytes / 1024
    (tmp_path / "config").mkdir()
    described = {"imagenet32": entry.model_dump(mode="json")}
    (tmp_path / "config/datasets.yaml").write_text(yaml.safe_dump(described), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", MEASURE],
        cwd=tmp_path,
        env=os.environ
        | {
            "PYTHONPATH": str(Path(__file__).parents[3] / "workflow"),
            "REACTIVATE_IMAGENET32": str(folder),
        },
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    written = tmp_path / "data/prepared/imagenet32.safetensors"
    assert written.stat().st_size > 11 * 1024 * batch
    assert float(done.stdout) < 4 * batch  # bytes of a file, its arrays, and no more
