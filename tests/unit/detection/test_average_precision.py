"""Average precision: on random detections, by its definition and by COCO's tool on files."""

import contextlib
import io
import json
import random
from bisect import bisect_left

import numpy as np
import pytest
import torch
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from reactivate.datasets.coco import results
from reactivate.detection.average_precision import METRICS, average_precisions

OVERLAPS = np.linspace(0.5, 0.95, 10).tolist()
RECALLS = np.linspace(0, 1, 101).tolist()  # COCO's: 0.35 is a bit more than 35 / 100
RANGES = {"all": (0, 1e10), "small": (0, 32**2), "medium": (32**2, 96**2), "large": (96**2, 1e10)}
CASES = 200


def overlap(found, true):
    """Intersection over union; of a crowd, over the detection."""
    (x, y, w, h), (u, v, p, q) = found["bbox"], true["bbox"]
    inside = max(0, min(x + w, u + p) - max(x, u)) * max(0, min(y + h, v + q) - max(y, v))
    return inside / (w * h if true["iscrowd"] else w * h + p * q - inside)


def matched(found, true, threshold, ignored, inside):
    """Of each detection whether it is right, or None where it does not count."""
    taken, marks = set(), []
    order = sorted(range(len(true)), key=lambda i: ignored(true[i]))  # those that count first
    for one in found:
        best, chosen = threshold, None
        for i in order:
            if i in taken and not true[i]["iscrowd"]:
                continue
            if chosen is not None and not ignored(true[chosen]) and ignored(true[i]):
                break
            if overlap(one, true[i]) >= best:
                best, chosen = overlap(one, true[i]), i
        if chosen is None:
            marks.append(False if inside(one["bbox"][2] * one["bbox"][3]) else None)
        else:
            taken.add(chosen)
            marks.append(None if ignored(true[chosen]) else True)
    return marks


def precision_of_class(instances, found, category, threshold, area):
    """Mean over 101 recalls of the best precision from each recall on; None without objects."""

    def inside(size):
        return area[0] <= size <= area[1]

    def ignored(annotation):
        return bool(annotation["iscrowd"]) or not inside(annotation["area"])

    marks, objects = [], 0
    for image in sorted(image["id"] for image in instances["images"]):
        true = [
            a
            for a in instances["annotations"]
            if (a["image_id"], a["category_id"]) == (image, category)
        ]
        own = [f for f in found if (f["image_id"], f["category_id"]) == (image, category)]
        own = sorted(own, key=lambda one: -one["score"])[:100]
        objects += sum(not ignored(a) for a in true)
        scores = [one["score"] for one in own]
        marks += zip(scores, matched(own, true, threshold, ignored, inside), strict=True)
    if not objects:
        return None
    counted = [mark for _, mark in sorted(marks, key=lambda m: -m[0]) if mark is not None]
    right, curve = 0, []
    for number, mark in enumerate(counted, start=1):
        right += mark
        curve.append((right / objects, right / number))
    reached = [recall for recall, _ in curve]
    at = [bisect_left(reached, recall) for recall in RECALLS]
    return sum(max((p for _, p in curve[i:]), default=0.0) for i in at) / len(RECALLS)


def by_definition(instances, found):
    def mean(thresholds, area):
        values = [
            precision_of_class(instances, found, category["id"], threshold, RANGES[area])
            for category in instances["categories"]
            for threshold in thresholds
        ]
        there = [value for value in values if value is not None]
        return sum(there) / len(there) if there else -1.0

    every = {"map": OVERLAPS, "ap50": OVERLAPS[:1], "ap75": OVERLAPS[5:6]}
    sizes = {f"ap_{size}": mean(OVERLAPS, size) for size in ("small", "medium", "large")}
    return {name: mean(thresholds, "all") for name, thresholds in every.items()} | sizes


def by_files(instances, found, folder):
    """COCO's tool as its manual has it: both from files."""
    for name, value in (("true", instances), ("found", found)):
        (folder / f"{name}.json").write_text(json.dumps(value))
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(str(folder / "true.json"))
        evaluation = COCOeval(truth, truth.loadRes(str(folder / "found.json")), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return dict(zip(METRICS, evaluation.stats, strict=False))


def random_case(seed):
    """Objects of all sizes, crowds, and detections near to some of them."""
    draw = random.Random(seed)
    images, classes = range(1, draw.randint(1, 4) + 1), [1, 4, 9][: draw.randint(1, 3)]

    def box():
        side = draw.choice([20, 60, 120])
        corner = [draw.randint(0, 100), draw.randint(0, 100)]
        return [*corner, draw.randint(side // 2, side), draw.randint(side // 2, side)]

    annotations, found = [], []
    for image in images:
        for _ in range(draw.randint(0, 5)):
            x, y, w, h = box()
            about = {"image_id": image, "category_id": draw.choice(classes), "bbox": [x, y, w, h]}
            crowd, area = int(draw.random() < 0.1), w * h * draw.choice([1, 0.6])
            number = len(annotations) + 1
            annotations.append({"id": number, "iscrowd": crowd, "area": area, **about})
            for _ in range(draw.randint(0, 2)):
                moved = [x + draw.randint(-4, 4), y + draw.randint(-4, 4), w, h]
                found.append({**about, "bbox": moved, "score": draw.randint(0, 20) / 20})
        for _ in range(draw.randint(0, 3)):
            about = {"image_id": image, "category_id": draw.choice(classes)}
            found.append({**about, "bbox": box(), "score": draw.randint(0, 20) / 20})
    listed = [{"id": image} for image in images]
    categories = [{"id": category} for category in classes]
    return {"images": listed, "annotations": annotations, "categories": categories}, found


def perfect(instances):
    """A detection for each object, as it is."""
    return [
        {key: a[key] for key in ("image_id", "category_id", "bbox")} | {"score": 0.5}
        for a in instances["annotations"]
        if not a["iscrowd"]
    ]


@pytest.mark.slow
def test_it_equals_the_definition_and_cocos_tool_on_random_detections(tmp_path):
    with_detections = 0
    for seed in range(CASES):
        instances, found = random_case(seed)
        ours = average_precisions(instances, found)
        assert list(ours) == list(METRICS)
        assert ours == pytest.approx(by_definition(instances, found), abs=1e-9), seed
        if found:  # the tool takes no empty file
            assert ours == by_files(instances, found, tmp_path), seed
            with_detections += 1
    assert with_detections > 0.8 * CASES


def test_a_perfect_prediction_has_precision_one():
    instances, _ = random_case(3)
    ours = average_precisions(instances, perfect(instances))
    assert {round(value, 9) for value in ours.values()} <= {1.0, -1.0}
    assert ours["map"] == pytest.approx(1)


def test_an_empty_prediction_has_precision_zero():
    instances, _ = random_case(3)
    ours = average_precisions(instances, [])
    assert ours == by_definition(instances, [])
    assert ours["map"] == 0


def test_nothing_to_find_is_minus_one():
    instances = random_case(3)[0] | {"annotations": []}
    assert set(average_precisions(instances, []).values()) == {-1.0}


def test_what_is_given_is_left_as_it_is():
    instances, found = random_case(5)
    before = json.dumps([instances, found])
    average_precisions(instances, found)
    assert json.dumps([instances, found]) == before


def test_a_detection_in_an_unknown_picture_is_refused():
    instances, _ = random_case(3)
    with pytest.raises(ValueError, match="are of picture 77, which the annotations do not list"):
        average_precisions(instances, [{**perfect(instances)[0], "image_id": 77}])


def test_detections_of_a_network_are_judged_in_the_numbers_of_the_annotations():
    """Class 1 of the network is category 4; corners become width and height."""
    box = {"image_id": 8, "category_id": 4, "bbox": [10, 20, 50, 40]}
    truth = {"images": [{"id": 8}], "categories": [{"id": 1}, {"id": 4}]}
    truth["annotations"] = [{"id": 1, "iscrowd": 0, "area": 2000, **box}]
    one = {"boxes": torch.tensor([[10.0, 20, 60, 60]]), "scores": torch.tensor([0.7])}
    for label, expected in ((1, 1.0), (0, 0.0)):
        found = results([one | {"labels": torch.tensor([label])}], [8], [1, 4])
        assert average_precisions(truth, found)["map"] == pytest.approx(expected)
