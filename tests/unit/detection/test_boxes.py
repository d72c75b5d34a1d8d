"""Non-maximum suppression against its definition, box by box, in exact arithmetic."""

from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.detection import boxes as ours
from reactivate.detection.boxes import nms, nms_of_classes

CORNER = st.integers(0, 6)
BOX = st.tuples(CORNER, CORNER, CORNER, CORNER).map(
    lambda b: (min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3]))
)
DETECTION = st.tuples(BOX, st.integers(0, 4), st.integers(0, 2))
THRESHOLD = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)])


def overlap(a, b):
    """Intersection over union of two boxes of whole numbers; None if neither has an area."""
    width = max(0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0, min(a[3], b[3]) - max(a[1], b[1]))
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    union = sum(areas) - width * height
    return Fraction(width * height, union) if union else None


def suppressed(detections, threshold):
    """Numbers of the kept boxes: each is compared with all better ones that were kept."""
    order = sorted(range(len(detections)), key=lambda i: (-detections[i][1], i))
    kept = []
    for i in order:
        box, _, label = detections[i]
        better = [overlap(box, detections[j][0]) for j in kept if detections[j][2] == label]
        if all(share is None or share <= threshold for share in better):
            kept.append(i)
    return kept


def tensors(detections):
    corners = torch.tensor([box for box, *_ in detections]).reshape(-1, 4).double()
    scores = torch.tensor([score for _, score, _ in detections]).double()
    return corners, scores, torch.tensor([label for *_, label in detections]).long()


@given(st.lists(DETECTION, max_size=12), THRESHOLD)
def test_kept_boxes_are_those_of_the_definition(detections, threshold):
    one_class = [(box, score, 0) for box, score, _ in detections]
    corners, scores, labels = tensors(detections)
    assert nms(corners, scores, float(threshold)).tolist() == suppressed(one_class, threshold)
    kept = nms_of_classes(corners, scores, labels, float(threshold))
    assert kept.tolist() == suppressed(detections, threshold)


def test_the_compiled_operator_is_used_where_it_is(monkeypatch):
    answer = torch.tensor([1])
    monkeypatch.setattr(ours.torchvision.extension, "_has_ops", lambda: True)
    monkeypatch.setattr(ours.torchvision.ops, "batched_nms", lambda *args: answer)
    assert nms_of_classes(*tensors([((0, 0, 1, 1), 1, 0)]), 0.5) is answer


@pytest.mark.skipif(
    not ours.torchvision.extension._has_ops(), reason="torchvision's operators do not load here"
)
def test_the_compiled_operator_keeps_the_same():
    torch.manual_seed(0)
    corners = torch.rand(300, 4)
    corners[:, 2:] += corners[:, :2]
    scores = torch.rand(300)
    assert torch.equal(nms(corners, scores, 0.3), ours.torchvision.ops.nms(corners, scores, 0.3))
