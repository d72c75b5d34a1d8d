"""MNIST's own format, by hand: header, sizes, bytes."""

import gzip
import struct

import numpy as np
import pytest
from reactivate.preparation.idx import FILES, parse_idx, read_idx

PIXELS = np.arange(3 * 4 * 5, dtype=np.uint8).reshape(3, 4, 5)


def idx(array):
    head = struct.pack(">HBB", 0, 8, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return head + array.tobytes()


CONTENTS = {
    "train-images-idx3-ubyte": idx(PIXELS),
    "train-labels-idx1-ubyte": idx(np.array([7, 0, 9], dtype=np.uint8)),
    "t10k-images-idx3-ubyte": idx(PIXELS[:1]),
    "t10k-labels-idx1-ubyte": idx(np.array([4], dtype=np.uint8)),
}


@pytest.fixture
def files(tmp_path):
    for name, content in CONTENTS.items():
        (tmp_path / name).write_bytes(content)
    return {name: tmp_path / name for name in CONTENTS}


def test_images_and_labels_are_those_of_the_files(files, image_set):
    arrays = read_idx(files, image_set([1, 4, 5], 3, 1, CONTENTS))
    np.testing.assert_array_equal(arrays.train_images, PIXELS[:, None])
    np.testing.assert_array_equal(arrays.train_labels, [7, 0, 9])
    np.testing.assert_array_equal(arrays.test_images, PIXELS[:1, None])
    assert arrays.test_labels.dtype == np.int64


def test_compressed_files_give_the_same_and_are_checked_uncompressed(files, image_set):
    wanted = image_set([1, 4, 5], 3, 1, CONTENTS)
    for name, path in list(files.items()):
        files[name] = path.with_name(f"{name}.gz")
        files[name].write_bytes(gzip.compress(path.read_bytes(), mtime=3))
    np.testing.assert_array_equal(read_idx(files, wanted).train_images, PIXELS[:, None])


def test_another_content_than_the_official_is_not_read(files, image_set):
    wanted = image_set([1, 4, 5], 3, 1, CONTENTS)
    files[FILES["train_labels"]].write_bytes(idx(np.array([7, 0, 8], dtype=np.uint8)))
    with pytest.raises(
        ValueError, match=r"train-labels-idx1-ubyte \(11 bytes\) has md5 .* it is "
    ):
        read_idx(files, wanted)


def test_truncated_gzip_is_named(files, image_set):
    name = FILES["train_images"]
    files[name] = files[name].with_name(f"{name}.gz")
    files[name].write_bytes(gzip.compress(CONTENTS[name])[:-9])
    with pytest.raises(ValueError, match=r"cannot unpack train-images-idx3-ubyte\.gz"):
        read_idx(files, image_set([1, 4, 5], 3, 1, CONTENTS))


def test_missing_file_is_named(files, image_set):
    del files[FILES["test_labels"]]
    with pytest.raises(ValueError, match="the source has no t10k-labels-idx1-ubyte"):
        read_idx(files, image_set([1, 4, 5], 3, 1, CONTENTS))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "starts with , not with the head"),
        (b"\x1f\x8b\x08\x00", "starts with 1f8b0800, not with the head of an idx file"),
        (b"\x00\x00\x0d\x01\x00\x00\x00\x01abcd", "starts with 00000d01, not with the head"),
        (idx(PIXELS)[:-1], r"59 bytes of data, its head says \(3, 4, 5\)"),
    ],
)
def test_something_else_is_refused(content, message):
    with pytest.raises(ValueError, match=message):
        parse_idx("toy", content)
