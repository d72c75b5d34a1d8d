"""CIFAR-100's pickles are opened only with the official checksum, and may only make arrays."""

import os
import pickle
import struct

import numpy as np
import pytest
from reactivate.preparation.cifar100 import read_cifar100
from reactivate.preparation.pickles import load_arrays

PIXELS = np.random.default_rng(0).integers(0, 256, (3, 3, 32, 32), dtype=np.uint8)


def _text(text):
    """A byte string of Python 2, as its pickles write it."""
    return b"T" + struct.pack("<I", len(text)) + text


def _numbers(numbers):
    return b"](" + b"".join(b"K" + bytes([number]) for number in numbers) + b"e"


def python2_pickle(data, labels):
    """What Python 2 and its numpy wrote, protocol 2: byte strings as keys, a C-ordered array."""
    state = b"(K\x01K" + bytes([len(data)]) + b"M\x00\x0c\x86"  # version 1, shape (N, 3072)
    kind = b"cnumpy\ndtype\n" + _text(b"u1") + b"K\x00K\x01\x87R(K\x03" + _text(b"|")
    kind += b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    array = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85" + _text(b"b")
    array += b"\x87R" + state + kind + b"\x89" + _text(data.tobytes()) + b"tb"
    items = _text(b"data") + array + _text(b"fine_labels") + _numbers(labels)
    items += _text(b"coarse_labels") + _numbers([0] * len(labels))
    return b"\x80\x02}(" + items + b"u."


MEMBERS = {
    "test": python2_pickle(PIXELS[2:], [99]),
    "train": python2_pickle(PIXELS[:2], [4, 0]),
    "meta": pickle.dumps({"fine_label_names": ["apple"]}, 2),
}


@pytest.fixture
def wanted(image_set):
    return image_set([3, 32, 32], 2, 1, MEMBERS, classes=100)


def read(tarball, wanted, members=None):
    members = MEMBERS if members is None else members
    inside = {f"cifar-100-python/{name}": content for name, content in members.items()}
    archive = tarball("cifar-100-python.tar.xz", inside)
    return read_cifar100({archive.name: archive}, wanted)


def test_images_and_fine_labels_are_those_of_the_pickles(tarball, wanted):
    arrays = read(tarball, wanted)
    np.testing.assert_array_equal(arrays.train_images, PIXELS[:2])
    np.testing.assert_array_equal(arrays.train_labels, [4, 0])
    np.testing.assert_array_equal(arrays.test_images, PIXELS[2:])
    np.testing.assert_array_equal(arrays.test_labels, [99])


class Hostile:
    """Leaves a mark when its pickle is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("name", sorted(MEMBERS))
def test_pickle_with_a_wrong_checksum_is_not_opened(tarball, wanted, tmp_path, monkeypatch, name):
    def opened(*_arguments, **_options):
        raise AssertionError("a pickle was opened")

    monkeypatch.setattr("reactivate.preparation.cifar100.load_arrays", opened)
    members = MEMBERS | {name: pickle.dumps(Hostile(tmp_path / "mark"))}
    with pytest.raises(ValueError, match=rf"^{name} \(\d+ bytes\) has md5 .*; it is not read"):
        read(tarball, wanted, members)
    assert not (tmp_path / "mark").exists()


def test_pickle_without_a_known_checksum_is_not_opened(tarball, image_set):
    known = {"train": MEMBERS["train"]}
    with pytest.raises(ValueError, match=r"test has no official md5 \(known: train\)"):
        read(tarball, image_set([3, 32, 32], 2, 1, known))


def test_hostile_pickle_calls_nothing_even_when_opened(tmp_path):
    with pytest.raises(
        ValueError, match=r"toy is not a pickle of numpy arrays: it asks for posix"
    ):
        load_arrays("toy", pickle.dumps(Hostile(tmp_path / "mark")))
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_arrays_pickled_by_python_3_are_read(protocol):
    content = pickle.dumps({"data": PIXELS.reshape(3, -1), "labels": [1, 2, 3]}, protocol)
    loaded = load_arrays("toy", content)
    np.testing.assert_array_equal(loaded["data"], PIXELS.reshape(3, -1))
    assert loaded["labels"] == [1, 2, 3]


@pytest.mark.parametrize("cut", [0, 1, 10, 200, 3000])
def test_damaged_pickle_is_named(cut):
    with pytest.raises(ValueError, match="toy is not a pickle of numpy arrays"):
        load_arrays("toy", MEMBERS["train"][:cut])


def test_pickle_of_something_else_is_named(tarball, image_set):
    with pytest.raises(ValueError, match="toy holds a list, expected a mapping"):
        load_arrays("toy", pickle.dumps([1]))
    members = MEMBERS | {"train": pickle.dumps({"data": 1}, 2)}
    with pytest.raises(ValueError, match="train has no fine_labels; it has data"):
        read(tarball, image_set([3, 32, 32], 2, 1, members), members)


def test_missing_member_is_named(tarball, wanted):
    with pytest.raises(ValueError, match=r"cifar-100-python\.tar\.xz holds no train"):
        read(tarball, wanted, {"test": MEMBERS["test"], "meta": MEMBERS["meta"]})


def test_truncated_archive_is_named(tarball, wanted):
    archive = tarball("a.tar.xz", MEMBERS)
    archive.write_bytes(archive.read_bytes()[:-500])
    with pytest.raises(ValueError, match=r"cannot unpack a\.tar\.xz: .*supply the whole"):
        read_cifar100({archive.name: archive}, wanted)


@pytest.mark.parametrize("name", ["../train", "/train", "a/../../train"])
def test_path_outside_the_archive_is_refused(tarball, wanted, name):
    archive = tarball("a.tar.xz", {name: MEMBERS["train"]} | MEMBERS)
    with pytest.raises(ValueError, match=rf"a\.tar\.xz holds the path '{name}', which points out"):
        read_cifar100({archive.name: archive}, wanted)


def test_link_in_the_archive_is_refused(tarball, wanted):
    archive = tarball("a.tar.xz", MEMBERS, links=["words"])
    with pytest.raises(ValueError, match=r"words in a\.tar\.xz is not a regular file"):
        read_cifar100({archive.name: archive}, wanted)
