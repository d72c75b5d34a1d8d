"""config/weights.yaml is complete, and its pickles may only make arrays."""

import os
import pickle
from pathlib import Path

import numpy as np
import pytest
import yaml
from reactivate.experiment.catalog.catalog import catalog
from reactivate.experiment.catalog.weights import WeightSet, weight_set, weight_sets
from reactivate.preparation.kernels import read_kernels

CONFIG = Path(__file__).parents[3] / "config"
ALEXNET = {  # torchvision's: filters, channels, height, width
    "conv1": (64, 3, 11, 11),
    "conv2": (192, 64, 5, 5),
    "conv3": (384, 192, 3, 3),
    "conv4": (256, 384, 3, 3),
    "conv5": (256, 256, 3, 3),
}
KERNEL = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)  # height, width, channels, filters
HELD = {"Net_0": {"Conv_0": {"kernel": KERNEL, "bias": np.zeros(5, np.float32)}}}


class Hostile:
    """Leaves a mark when its pickle is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def described(key="Net_0/Conv_0/kernel", shape=(5, 4, 2, 3), **changes):
    """The entry of weights with one kernel."""
    source = {"kind": "mirror", "file": "toy.ckpt", "sha256": "0" * 64}
    entry = {"title": "Toy", "licence": "none", "prepared": "0" * 64, "sources": [source]}
    return entry | {"kernels": {"conv1": {"key": key, "shape": list(shape)}}} | changes


def read(folder, held, **changes):
    path = folder / "toy.ckpt"
    path.write_bytes(held if isinstance(held, bytes) else pickle.dumps(held))
    return read_kernels(path, WeightSet.model_validate(described(**changes)))


def test_alexnet_has_the_convolutions_of_torchvision():
    kernels = weight_set("alexnet", CONFIG / "weights.yaml").kernels
    assert {name: kernel.shape for name, kernel in kernels.items()} == ALEXNET


def test_no_weights_have_the_name_of_a_dataset():
    """Both are prepared to the same folder."""
    names = set(weight_sets(CONFIG / "weights.yaml"))
    assert names
    assert names.isdisjoint(catalog(CONFIG / "datasets.yaml"))


def test_unknown_weights_are_named_with_what_is_known():
    with pytest.raises(ValueError, match=r"unknown weights 'alexnett'.*alexnet.*weights\.yaml"):
        weight_set("alexnett", CONFIG / "weights.yaml")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kernels": {}}, "toy.kernels"),
        ({"kernels": {"conv1": {"key": "a//b", "shape": [1, 1, 1, 1]}}}, "toy.kernels.conv1.key"),
        ({"kernels": {"conv1": {"key": "a", "shape": [1, 1, 1]}}}, "toy.kernels.conv1.shape"),
        ({"prepared": "0"}, "toy.prepared"),
        ({"sources": []}, "toy.sources"),
        ({"licence": 3}, "toy.licence"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, changes, message):
    path = tmp_path / "weights.yaml"
    path.write_text(yaml.safe_dump({"toy": described(**changes)}))
    with pytest.raises(ValueError, match=rf"weights\.yaml: {message}"):
        weight_set("toy", path)


def test_any_change_of_an_entry_changes_its_fingerprint():
    one, other = (
        WeightSet.model_validate(described(**changes)) for changes in ({}, {"title": "Other"})
    )
    assert one.fingerprint() == WeightSet.model_validate(described()).fingerprint()
    assert one.fingerprint() != other.fingerprint()


def test_a_kernel_is_turned_to_filters_first(tmp_path):
    kernel = read(tmp_path, HELD)["conv1"]
    assert kernel.shape == (5, 4, 2, 3)
    assert kernel.flags["C_CONTIGUOUS"]
    for filters, channels, y, x in [(0, 0, 0, 0), (4, 1, 0, 2), (2, 3, 1, 0)]:
        assert kernel[filters, channels, y, x] == KERNEL[y, x, channels, filters]


def test_a_pickle_that_calls_something_is_refused_and_calls_nothing(tmp_path):
    held = {"Net_0": {"Conv_0": {"kernel": KERNEL}}, "more": Hostile(tmp_path / "mark")}
    with pytest.raises(ValueError, match=r"^toy\.ckpt is not a pickle of numpy arrays: it asks"):
        read(tmp_path, held)
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize(
    ("held", "changes", "message"),
    [
        (HELD, {"key": "Net_0/Conv_1/kernel"}, r"no Net_0/Conv_1/kernel for conv1: .* has Conv_0"),
        (HELD, {"key": "Net_0/Conv_0/kernel/x"}, "where 'x' is expected it has no mapping"),
        (HELD, {"key": "Net_0/Conv_0/bias"}, r"is float32 \(5,\); accepted: a float32 kernel"),
        ({"Net_0": {"Conv_0": {"kernel": KERNEL.astype(float)}}}, {}, "is float64"),
        (HELD, {"shape": (5, 4, 3, 2)}, r"has shape \(5, 4, 2, 3\) .* expected \(5, 4, 3, 2\)"),
        ({"Net_0": {"Conv_0": {"kernel": KERNEL * np.nan}}}, {}, "120 numbers that are not"),
        ([1], {}, "toy.ckpt holds a list, expected a mapping"),
        (b"\x80\x04", {}, "toy.ckpt is not a pickle of numpy arrays"),
    ],
)
def test_a_file_with_something_else_is_named(tmp_path, held, changes, message):
    with pytest.raises(ValueError, match=message):
        read(tmp_path, held, **changes)
