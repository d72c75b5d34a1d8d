"""Tiny ImageNet's archive: folders per class, annotations for validation."""

import io

import numpy as np
import pytest
from PIL import Image
from reactivate.preparation.tiny_imagenet import read_tiny_imagenet

GREYS = {"n02": (10, 60), "n01": (110, 160)}
ROOT = "tiny-imagenet-20"


def jpeg(grey, mode="RGB", size=(8, 8)):
    content = io.BytesIO()
    Image.new("L", size, grey).convert(mode).save(content, "JPEG", quality=95)
    return content.getvalue()


@pytest.fixture
def members():
    """Two classes of two images, and three to validate."""
    files = {
        f"train/{wnid}/images/{wnid}_{number}.JPEG": jpeg(grey)
        for wnid, greys in GREYS.items()
        for number, grey in enumerate(greys)
    }
    for number, grey in enumerate((200, 210, 220)):
        files[f"val/images/val_{number}.JPEG"] = jpeg(grey, "L")  # some are grey in the real set
    lines = ["val_2.JPEG\tn02\t0\t0\t7\t7", "val_0.JPEG\tn01\t0\t0\t7\t7"]
    lines.append("val_1.JPEG\tn02\t0\t0\t7\t7\n")
    files["val/val_annotations.txt"] = "\n".join(lines).encode()
    return files | {"wnids.txt": b"n01\nn02\n"}


@pytest.fixture
def wanted(image_set):
    return image_set([3, 8, 8], 4, 3, classes=2)


def read(tarball, wanted, members):
    inside = {f"{ROOT}/{name}": content for name, content in members.items()}
    archive = tarball("tiny.tar.xz", inside)
    return read_tiny_imagenet({archive.name: archive}, wanted)


def test_classes_are_numbered_by_name_and_validation_follows_its_annotations(
    tarball, wanted, members
):
    arrays = read(tarball, wanted, members)
    assert arrays.train_images.shape == (4, 3, 8, 8)
    np.testing.assert_array_equal(arrays.train_images[:, 1, 3, 4], [110, 160, 10, 60])
    np.testing.assert_array_equal(arrays.train_labels, [0, 0, 1, 1])
    np.testing.assert_array_equal(arrays.test_images[:, 2, 7, 0], [220, 200, 210])
    np.testing.assert_array_equal(arrays.test_labels, [1, 0, 1])


def test_order_in_the_archive_does_not_matter(tarball, wanted, members):
    one = read(tarball, wanted, members)
    other = read(tarball, wanted, dict(reversed(members.items())))
    for name, array in one.named().items():
        np.testing.assert_array_equal(array, other.named()[name])


@pytest.mark.parametrize("content", [b"", b"not a picture", jpeg(10)[:-60]])
def test_corrupt_image_is_named(tarball, wanted, members, content):
    members["train/n02/images/n02_1.JPEG"] = content
    with pytest.raises(ValueError, match=r"train/n02/images/n02_1\.JPEG .* is not a picture"):
        read(tarball, wanted, members)


def test_image_of_another_size_is_named(tarball, wanted, members):
    members["val/images/val_0.JPEG"] = jpeg(9, size=(8, 7))
    with pytest.raises(ValueError, match=r"val_0\.JPEG has shape \(3, 7, 8\), expected \(3, 8, 8"):
        read(tarball, wanted, members)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("val/val_annotations.txt", r"tiny\.tar\.xz holds no val/val_annotations\.txt"),
        ("val/images/val_1.JPEG", r"names val/images/val_1\.JPEG of class n02, .*such picture"),
    ],
)
def test_missing_member_is_named(tarball, wanted, members, name, message):
    del members[name]
    with pytest.raises(ValueError, match=message):
        read(tarball, wanted, members)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("val_0.JPEG\tn03", "no such class n03"),
        ("val_0.JPEG n01", "has the line 'val_0.JPEG n01'"),
    ],
)
def test_wrong_annotation_is_shown(tarball, wanted, members, line, message):
    members["val/val_annotations.txt"] = line.encode()
    with pytest.raises(ValueError, match=message):
        read(tarball, wanted, members)


def test_path_outside_the_archive_is_refused(tarball, wanted, members):
    with pytest.raises(
        ValueError, match=r"which points outside its folder; nothing of it is used"
    ):
        read(tarball, wanted, members | {"../../n02_9.JPEG": jpeg(1)})


def test_truncated_archive_is_named(tarball, wanted, members):
    archive = tarball("tiny.tar.xz", {f"{ROOT}/{name}": members[name] for name in members})
    archive.write_bytes(archive.read_bytes()[:-300])
    with pytest.raises(ValueError, match=r"cannot unpack tiny\.tar\.xz: .*supply the whole"):
        read_tiny_imagenet({archive.name: archive}, wanted)
