"""CIFAR-10 as official records and as pictures: the same arrays, or an error."""

import io
import json

import numpy as np
import pytest
from PIL import Image
from reactivate.datasets.pictures import decode
from reactivate.preparation.cifar10 import TEST, TRAIN, read_cifar10_bin, read_cifar10_png

BATCHES = [*TRAIN, TEST]
PIXELS = np.random.default_rng(0).integers(0, 256, (12, 3, 32, 32), dtype=np.uint8)
LABELS = np.arange(12, dtype=np.uint8) % 10
# Two images per batch: a label byte, then the red, the green and the blue plane, row by row.
RECORDS = {
    f"{batch}.bin": b"".join(
        bytes([LABELS[i]]) + PIXELS[i].tobytes() for i in (2 * position, 2 * position + 1)
    )
    for position, batch in enumerate(BATCHES)
}


@pytest.fixture
def wanted(image_set):
    return image_set([3, 32, 32], 10, 2, RECORDS)


@pytest.fixture
def pictures(tmp_path):
    """One PNG per batch, one image per row; labels as JSON."""
    for position, batch in enumerate(BATCHES):
        pair = PIXELS[2 * position : 2 * position + 2]
        rows = pair.transpose(0, 2, 3, 1).reshape(2, 1024, 3)
        Image.fromarray(rows).save(tmp_path / f"{batch}.png")
    for name, labels in (("train", LABELS[:10]), ("test", LABELS[10:])):
        (tmp_path / f"{name}_lables.json").write_text(json.dumps(labels.tolist()))
    return {path.name: path for path in tmp_path.iterdir()}


@pytest.fixture
def archive(tarball):
    return tarball(
        "cifar-10-binary.tar.gz",
        {f"cifar-10-batches-bin/{name}": content for name, content in RECORDS.items()}
        | {"cifar-10-batches-bin/batches.meta.txt": b"airplane\n"},
    )


def check(arrays):
    np.testing.assert_array_equal(arrays.train_images, PIXELS[:10])
    np.testing.assert_array_equal(arrays.train_labels, LABELS[:10])
    np.testing.assert_array_equal(arrays.test_images, PIXELS[10:])
    np.testing.assert_array_equal(arrays.test_labels, LABELS[10:])


def test_binary_archive_is_read_in_the_official_order(archive, wanted):
    check(read_cifar10_bin({archive.name: archive}, wanted))


def test_pictures_hold_the_official_records(pictures, wanted):
    check(read_cifar10_png(pictures, wanted))


def test_one_other_pixel_is_noticed(pictures, wanted):
    with Image.open(pictures["data_batch_3.png"]) as picture:
        rows = np.asarray(picture).copy()
    rows[1, 5, 2] ^= 1
    Image.fromarray(rows).save(pictures["data_batch_3.png"])
    with pytest.raises(ValueError, match=r"data_batch_3\.bin \(6146 bytes\) has md5 .* expected"):
        read_cifar10_png(pictures, wanted)


def test_swapped_labels_are_noticed(pictures, wanted):
    pictures["test_lables.json"].write_text("[1, 0]")
    with pytest.raises(ValueError, match=r"test_batch\.bin .* has md5"):
        read_cifar10_png(pictures, wanted)


@pytest.mark.parametrize("text", ["", "{}", "[1, 300]", "[1, 0.5]", '["a", 1]'])
def test_labels_that_are_no_labels_are_named(pictures, wanted, text):
    pictures["test_lables.json"].write_text(text)
    with pytest.raises(ValueError, match=r"test_lables\.json is not a list of labels: .*supply"):
        read_cifar10_png(pictures, wanted)


def test_picture_of_another_size_is_named(pictures, wanted):
    Image.new("RGB", (1024, 3)).save(pictures["data_batch_1.png"])
    with pytest.raises(ValueError, match=r"data_batch_1\.png is 1024 x 3 pixels for 2 labels"):
        read_cifar10_png(pictures, wanted)


@pytest.mark.parametrize("content", [b"", b"<html>"])
def test_corrupt_picture_is_named(pictures, wanted, content):
    pictures["data_batch_2.png"].write_bytes(content)
    with pytest.raises(
        ValueError, match=r"data_batch_2\.png .* is not a picture that can be read"
    ):
        read_cifar10_png(pictures, wanted)


def test_picture_cut_short_is_named(pictures, wanted):
    whole = pictures["data_batch_2.png"].read_bytes()
    pictures["data_batch_2.png"].write_bytes(whole[: len(whole) // 2])
    with pytest.raises(
        ValueError, match=r"data_batch_2\.png .* is not a picture .* supply an und"
    ):
        read_cifar10_png(pictures, wanted)


def test_missing_files_are_named(pictures, archive, tarball, wanted):
    del pictures["test_lables.json"]
    with pytest.raises(ValueError, match=r"the source has no test_lables\.json"):
        read_cifar10_png(pictures, wanted)
    partial = tarball("a.tar.gz", {"x/data_batch_1.bin": RECORDS["data_batch_1.bin"]})
    with pytest.raises(ValueError, match=r"a\.tar\.gz holds no data_batch_2\.bin, .*test_batch"):
        read_cifar10_bin({partial.name: partial}, wanted)


def test_truncated_archive_is_named(archive, wanted):
    archive.write_bytes(archive.read_bytes()[:-2000])
    with pytest.raises(ValueError, match=r"cannot unpack cifar-10-binary\.tar\.gz: .*supply the"):
        read_cifar10_bin({archive.name: archive}, wanted)


def test_grey_picture_is_read_as_colour():
    content = io.BytesIO()
    Image.new("L", (2, 1), 7).save(content, "PNG")
    np.testing.assert_array_equal(decode("grey", content.getvalue()), np.full((1, 2, 3), 7))
