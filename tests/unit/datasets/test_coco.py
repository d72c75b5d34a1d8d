"""Objects of COCO's format: which ones a detector is trained on, flips, and batches."""

import io
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from reactivate.datasets.coco import read_objects, results
from reactivate.datasets.detection_items import DetectionItems, mirrored, together
from reactivate.datasets.streams import Stream


def annotation(number, image, box, category=3, **changes):
    area = box[2] * box[3]
    entry = {"id": number, "image_id": image, "category_id": category, "bbox": box}
    return entry | {"area": area, "iscrowd": 0} | changes


def instances():
    sizes = {20: (100, 60), 10: (40, 50), 30: (33, 90), 40: (200, 31)}
    listed = [
        {"id": number, "file_name": f"{number}.png", "width": w, "height": h}
        for number, (w, h) in sizes.items()
    ]
    annotations = [
        annotation(1, 20, [10, 5, 30.5, 20], category=90),
        annotation(2, 10, [0, 0, 40, 50]),
        annotation(3, 20, [90, 50, 20, 20]),  # reaches out of the picture
        annotation(4, 20, [1, 1, 50, 50], iscrowd=1),
        annotation(5, 20, [100, 5, 10, 10]),  # outside
        annotation(6, 20, [5, 5, 0.5, 30]),  # thinner than a pixel
        annotation(7, 20, [5, 5, 30, 30], area=0),
        annotation(8, 40, [5, 5, 20, 20]),  # in a picture lower than 32 pixels
    ]
    categories = [{"id": 90}, {"id": 3}]
    return {"images": listed, "annotations": annotations, "categories": categories}


def test_a_detector_is_trained_on_whole_objects_of_pictures_that_have_any():
    read = read_objects(Path("here"), instances(), training=True)
    assert read.names.tolist() == [b"10.png", b"20.png"]
    assert read.categories == (3, 90)
    first, second = read.target(0), read.target(1)
    assert (first["image_id"], second["image_id"]) == (10, 20)
    assert first["boxes"].tolist() == [[0, 0, 40, 50]]
    assert second["boxes"].tolist() == [[10, 5, 40.5, 25], [90, 50, 110, 70]]
    assert second["labels"].tolist() == [1, 0]
    assert second["labels"].dtype == torch.int64


def test_it_is_tested_on_all_pictures():
    read = read_objects(Path("here"), instances(), training=False)
    assert read.image_ids.tolist() == [10, 20, 30, 40]
    assert read.target(2)["boxes"].shape == (0, 4)
    assert len(read) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"annotations": None}, "have no list 'annotations'"),
        ({"annotations": [annotation(1, 77, [0, 0, 5, 5])]}, "annotation 1 names picture 77"),
        ({"annotations": [annotation(1, 20, [0, 0, 5, 5], 8)]}, "annotation 1 names category 8"),
    ],
)
def test_annotations_of_another_form_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        read_objects(Path("here"), instances() | change, training=True)


def test_results_are_read_back_as_they_were():
    boxes = torch.rand(5, 4)
    boxes[:, 2:] += boxes[:, :2]
    found = {"boxes": boxes, "labels": torch.tensor([0, 1, 1, 0, 1]), "scores": torch.rand(5)}
    rows = results([found, {key: value[:0] for key, value in found.items()}], [8, 9], [3, 90])
    assert [row["category_id"] for row in rows] == [3, 90, 90, 3, 90]
    assert {row["image_id"] for row in rows} == {8}
    back = torch.tensor([row["bbox"] for row in rows])
    torch.testing.assert_close(back[:, :2] + back[:, 2:], boxes[:, 2:])
    torch.testing.assert_close(torch.tensor([row["score"] for row in rows]), found["scores"])


@pytest.fixture
def folder(tmp_path):
    draw = np.random.default_rng(0)
    for image in instances()["images"]:
        pixels = draw.integers(0, 256, (image["height"], image["width"], 3), dtype=np.uint8)
        content = io.BytesIO()
        Image.fromarray(pixels).save(content, "PNG")
        (tmp_path / image["file_name"]).write_bytes(content.getvalue())
    return tmp_path


def items(folder, flip):
    return DetectionItems(read_objects(folder, instances(), training=False), flip)


def test_a_mirrored_picture_has_mirrored_boxes(folder):
    picture, target = items(folder, 0.0)[("run", 1)]
    other, mirror = items(folder, 1.0)[("run", 1)]
    assert picture.dtype == torch.float
    assert picture.min() >= 0
    assert 0.9 < picture.max() <= 1
    assert torch.equal(other, picture.flip(2))
    for (x1, y1, x2, y2), (a, b, c, d) in zip(target["boxes"], mirror["boxes"], strict=True):
        assert (a, b, c, d) == (100 - x2, y1, 100 - x1, y2)
    assert torch.equal(mirrored(mirror["boxes"], 100), target["boxes"])
    # what was in a box is in its mirror image
    x1, y1, x2, y2 = target["boxes"][0].int().tolist()
    assert torch.equal(picture[:, y1:y2, x1:x2].flip(2), other[:, y1:y2, 100 - x2 : 100 - x1])


def test_half_of_the_pictures_are_mirrored_and_each_has_its_own_stream(folder):
    made = items(folder, 0.5)
    plain = items(folder, 0.0)[("", 0)][0]
    flipped = [not torch.equal(made[(f"run/{epoch}", 0)][0], plain) for epoch in range(60)]
    assert 15 < sum(flipped) < 45
    assert torch.equal(made[("run/7", 0)][0], made[("run/7", 0)][0])


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_are_the_same_with_any_number_of_workers(folder, workers):
    stream = Stream(items(folder, 0.5), workers, together)
    numbers = [torch.tensor([3, 0]), torch.tensor([1])]
    made = list(stream.batches(numbers, "run/1"))
    alone = items(folder, 0.5)
    for (pictures, targets), own in zip(made, ([3, 0], [1]), strict=True):
        for picture, target, number in zip(pictures, targets, own, strict=True):
            expected, wanted = alone[("run/1", number)]
            assert torch.equal(picture, expected)
            assert torch.equal(target["boxes"], wanted["boxes"])
            assert target["image_id"] == wanted["image_id"]
