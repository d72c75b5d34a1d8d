"""Pictures with a class for each pixel: both are cut alike, as the authors' program does."""

import numpy as np
import pytest
import torch
from PIL import Image
from reactivate.datasets.segmentation_items import (
    IGNORED,
    MEAN,
    STD,
    Cut,
    SegmentationItems,
    Segments,
    decode_labels,
    pixel_counts,
    scaled,
)

CLASSES = 6


def write(folder, name, height=40, width=90):
    """A picture whose red tells the class of each pixel, in blocks of ten pixels."""
    rows, columns = np.mgrid[:height, :width] // 10
    classes = ((rows + columns) % CLASSES).astype(np.uint8)
    picture = np.stack([classes * 40, columns * 20, rows * 30], axis=2).astype(np.uint8)
    for kind, content in (("images", picture), ("labels", classes)):
        (folder / kind).mkdir(exist_ok=True)
        Image.fromarray(content).save(folder / kind / name)
    return picture, classes


@pytest.fixture
def segments(tmp_path):
    write(tmp_path, "a.png")
    write(tmp_path, "b.png", 50, 60)
    names = np.array([b"a.png", b"b.png"], dtype=np.bytes_)
    return Segments(tmp_path / "images", tmp_path / "labels", names, CLASSES)


def red(x):
    """Red of normalised pixels, from 0 to 255."""
    return (x[0] * STD[0] + MEAN[0]) * 255


def test_whole_pictures_are_normalised_and_nothing_else(segments, tmp_path):
    picture, classes = write(tmp_path, "a.png")
    x, y = SegmentationItems(segments, Cut())[("", 0)]
    unit = torch.from_numpy(picture).permute(2, 0, 1) / 255
    for channel in range(3):
        expected = (unit[channel] - MEAN[channel]) / STD[channel]
        torch.testing.assert_close(x[channel], expected)
    assert y.dtype == torch.int64
    assert np.array_equal(y, classes)


@pytest.mark.parametrize("epoch", range(8))
def test_a_picture_and_its_classes_are_cut_alike(segments, epoch):
    """Where the nearest pixel and the mean of pixels agree, red is 40 times the class."""
    cut = Cut(crop=32, base=32, flip=0.5, fill=IGNORED)
    x, y = SegmentationItems(segments, cut)[(f"run/{epoch}", epoch % 2)]
    assert x.shape == (3, 32, 32)
    assert y.shape == (32, 32)
    inside = y != IGNORED
    agree = (red(x) - 40 * y).abs()[inside] < 1
    assert agree.float().mean() > 0.5
    assert (red(x)[~inside].abs() < 1e-3).all()


def test_small_pictures_are_filled_up_right_and_below(segments):
    cut = Cut(crop=64, base=64, fill=IGNORED)
    filled = 0
    for epoch in range(12):
        _, y = SegmentationItems(segments, cut)[(epoch, 1)]
        outside = y == IGNORED
        if outside.any():
            filled += 1
            assert outside[-1].all() or outside[:, -1].all()
            assert not outside[0, 0]
    assert filled
    _, authors = SegmentationItems(segments, Cut(crop=64, base=64))[(0, 1)]
    assert authors.max() < IGNORED


@pytest.mark.parametrize(("size", "expected"), [((90, 40), (67, 30)), ((40, 90), (30, 67))])
def test_the_shorter_side_is_as_asked(size, expected):
    picture, classes = scaled(Image.new("RGB", size), Image.new("L", size), 30)
    assert picture.size == classes.size == expected


def test_shorter_sides_go_from_half_of_the_base_to_twice(segments, monkeypatch):
    asked = []
    from reactivate.datasets import segmentation_items

    def record(picture, classes, shorter):
        asked.append(shorter)
        return scaled(picture, classes, shorter)

    monkeypatch.setattr(segmentation_items, "scaled", record)
    made = SegmentationItems(segments, Cut(crop=8, base=10))
    for epoch in range(200):
        made[(epoch, 0)]
    assert set(asked) == set(range(5, 21))


def test_blur_changes_the_picture_only(segments):
    plain, labels = SegmentationItems(segments, Cut())[(0, 0)]
    changed = 0
    for epoch in range(20):
        x, y = SegmentationItems(segments, Cut(blur=0.5))[(epoch, 0)]
        assert torch.equal(y, labels)
        changed += not torch.equal(x, plain)
    assert 4 < changed < 16


def test_an_item_is_the_same_whenever_it_is_asked_for(segments):
    made = SegmentationItems(segments, Cut(crop=32, base=32, flip=0.5, blur=0.5))
    first, second, other = made[("run/1", 0)], made[("run/1", 0)], made[("run/2", 0)]
    assert torch.equal(first[0], second[0])
    assert not torch.equal(first[0], other[0])


def test_pixels_are_counted(segments):
    every = torch.cat([SegmentationItems(segments, Cut())[(0, n)][1].flatten() for n in (0, 1)])
    assert torch.equal(pixel_counts(segments), torch.bincount(every, minlength=CLASSES))
    assert pixel_counts(segments, [1]).sum() == 50 * 60


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (Image.new("RGB", (4, 4)), "of mode RGB; accepted: L or P"),
        (Image.new("L", (4, 4), 6), "has the class 6; accepted: 0 to 5, and 255"),
    ],
)
def test_labels_of_another_kind_are_refused(tmp_path, picture, message):
    picture.save(tmp_path / "x.png")
    with pytest.raises(ValueError, match=message):
        decode_labels(tmp_path / "x.png", CLASSES)


@pytest.mark.slow
def test_pixels_that_do_not_count_are_accepted_and_a_damaged_file_is_not(tmp_path):
    Image.new("L", (4, 4), IGNORED).save(tmp_path / "x.png")
    assert (decode_labels(tmp_path / "x.png", CLASSES) == IGNORED).all()
    (tmp_path / "x.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match="is not a picture of classes"):
        decode_labels(tmp_path / "x.png", CLASSES)


def test_a_picture_and_classes_of_different_sizes_are_refused(segments):
    Image.new("L", (4, 4)).save(segments.labels / "a.png")
    with pytest.raises(ValueError, match=r"has \(90, 40\) pixels and .* \(4, 4\)"):
        SegmentationItems(segments, Cut())[("", 0)]
