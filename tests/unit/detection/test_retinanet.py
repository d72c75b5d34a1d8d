"""RetinaNet: counts of MMDetection, anchors, what is frozen, and what it finds."""

import math

import pytest
import torch
from reactivate.detection.anchors import STRIDES, Anchors
from reactivate.detection.retinanet import RetinaNet
from reactivate.models import MODELS
from reactivate.models.flops import count_operations, count_parameters
from torch.nn.modules.batchnorm import _BatchNorm

# of MMDetection's get_flops.py: ReLU of its own documentation, the others printed in Table 6
PRINTED = {"relu": "37.7", "swish": "37.7", "smu": "37.7", "meta_acon": "37.9", "iieu_dc": "40.4"}
TINY = {"width": 0.05, "classes": 3, "depths": (1, 1, 1, 1), "short": 64, "anchor": 1.0}


def whole(activation="relu"):
    with torch.device("meta"):
        return MODELS.load("retinanet")(activation=activation)


def tiny(**settings):
    torch.manual_seed(0)
    return RetinaNet(**TINY | settings)


def target(*boxes):
    corners = torch.tensor(boxes, dtype=torch.float).reshape(-1, 4)
    return {"boxes": corners, "labels": torch.arange(len(corners)) % 3}


@pytest.mark.parametrize("activation", PRINTED)
def test_parameters_that_learn_are_printed_in_table_6(activation):
    assert f"{count_parameters(whole(activation)) / 1e6:.1f}" == PRINTED[activation]


def test_all_parameters_are_those_of_mmdetection():
    assert sum(p.numel() for p in whole().parameters()) == 37_968_692  # 37.97M


def test_iieu_b_rounds_to_another_number_than_the_printed_one():
    assert f"{count_parameters(whole('iieu_b')) / 1e6:.1f}" == "37.8"


def test_operations_at_mmdetections_size_are_around_the_printed_ones():
    counted = count_operations(whole().dense, (3, 800, 1280))
    assert f"{counted.multiply_adds / 1e9:.1f}" == "238.5"
    assert f"{counted.total / 1e9:.1f}" == "239.2"  # 238.9 is printed


def test_anchors_are_nine_boxes_at_multiples_of_the_stride():
    levels = [torch.zeros(2, 1, math.ceil(96 / s), math.ceil(160 / s)) for s in STRIDES]
    first, second = Anchors(base=4.0)(None, levels)
    assert torch.equal(first, second)
    expected = [
        (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        for level, s in zip(levels, STRIDES, strict=True)
        for y in range(0, s * level.shape[2], s)
        for x in range(0, s * level.shape[3], s)
        for ratio in (0.5, 1, 2)
        for side in (4 * s, 4 * s * 2 ** (1 / 3), 4 * s * 4 ** (1 / 3))
        for w, h in [(side / math.sqrt(ratio), side * math.sqrt(ratio))]
    ]
    torch.testing.assert_close(first, torch.tensor(expected))


def test_stem_and_first_stage_are_frozen_and_statistics_fixed():
    net = tiny().train()
    body = net.backbone.body
    assert not any(p.requires_grad for module in body[:3] for p in module.parameters())
    assert all(p.requires_grad for module in body[3:] for p in module.parameters())
    before = {name: value.clone() for name, value in net.state_dict().items()}
    sum(net([torch.rand(3, 64, 64)] * 2, [target((4, 4, 30, 30))] * 2).values()).backward()
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
    learned = {name for name, p in net.named_parameters() if p.grad is not None}
    assert learned == {name for name, p in net.named_parameters() if p.requires_grad}
    norms = [part for part in body.modules() if isinstance(part, _BatchNorm)]
    assert norms[-1].weight.requires_grad


def test_statistics_move_where_they_are_not_fixed():
    body = tiny(fixed_statistics=False, frozen_stages=0).train().backbone.body
    assert not body[0].training
    assert body[2].training
    body(torch.rand(2, 3, 64, 64))
    assert body[0].before.num_batches_tracked == 0
    assert body[2].branch[0].before.num_batches_tracked == 1


def test_everything_learns_where_nothing_is_frozen():
    assert all(p.requires_grad for p in tiny(frozen_stages=None).parameters())


def test_a_number_of_stages_that_do_not_exist_is_refused():
    with pytest.raises(ValueError, match="frozen_stages is 5; accepted: 0"):
        tiny(frozen_stages=5)


@pytest.mark.parametrize("activation", ["relu", "swish", "smu", "meta_acon", "iieu_b", "iieu_dc"])
def test_it_finds_without_a_threshold(activation):
    """An untrained network finds nothing above 0.05, and no suppression is called."""
    net = tiny(activation=activation, threshold=0.0).eval()
    with torch.no_grad():
        found = net([torch.rand(3, 48, 96), torch.rand(3, 64, 64)])
        assert [len(each["boxes"]) for each in tiny().eval()([torch.rand(3, 64, 64)])] == [0]
    for each, (height, width) in zip(found, [(48, 96), (64, 64)], strict=True):
        assert len(each["boxes"]) == 100
        assert each["boxes"].min() >= 0
        assert each["boxes"][:, 2].max() <= width + 1e-3
        assert each["boxes"][:, 3].max() <= height + 1e-3
        assert each["scores"].diff().max() <= 0
        assert set(each["labels"].tolist()) <= {0, 1, 2}


def test_detections_are_the_best_pairs_decoded_and_suppressed():
    """Three anchors, two classes: written out by hand."""
    net = tiny(classes=2, threshold=0.3).eval()
    net.nms_thresh = 0.5
    anchors = torch.tensor([[0.0, 0, 10, 10], [0, 0, 10, 11], [20, 20, 40, 40]])
    logits = torch.tensor([[0.7, 0.1], [0.6, 0.4], [0.2, 0.9]]).logit()
    offsets = torch.zeros(3, 4)
    offsets[2] = torch.tensor([0.5, 0.0, math.log(2), 0.0])  # right by half, twice as wide
    outputs = {"cls_logits": [logits[None]], "bbox_regression": [offsets[None]]}
    (found,) = net.postprocess_detections(outputs, [[anchors]], [(30, 45)])
    torch.testing.assert_close(found["scores"], torch.tensor([0.9, 0.7, 0.4]))
    assert found["labels"].tolist() == [1, 0, 1]
    expected = torch.tensor([[20.0, 20, 45, 30], [0, 0, 10, 10], [0, 0, 10, 11]])
    torch.testing.assert_close(found["boxes"], expected)


def test_only_so_many_candidates_and_detections_are_kept():
    net = tiny(threshold=0.0).eval()
    net.topk_candidates, net.detections_per_img = 7, 5
    anchors = torch.tensor([[20.0 * i, 0, 20 * i + 9, 9] for i in range(30)])
    logits = torch.linspace(-3, 3, 90).reshape(30, 3)
    outputs = {"cls_logits": [logits[None]] * 2, "bbox_regression": [torch.zeros(1, 30, 4)] * 2}
    levels = [anchors, anchors + torch.tensor([0.0, 50, 0, 50])]
    (found,) = net.postprocess_detections(outputs, [levels], [(100, 700)])
    best = logits.flatten().sigmoid().flip(0)
    torch.testing.assert_close(found["scores"], best[[0, 0, 1, 1, 2]])
    net.detections_per_img = 100
    (found,) = net.postprocess_detections(outputs, [levels], [(100, 700)])
    assert len(found["scores"]) == 14


def test_boxes_of_a_network_are_in_pixels_of_the_image_as_given():
    """The same image, given at half the size: the network resizes both to the same."""
    net = tiny(threshold=0.0, short=32).eval()
    large = torch.rand(3, 32, 32).repeat_interleave(2, 1).repeat_interleave(2, 2)
    with torch.no_grad():
        small_found, found = net([large[:, ::2, ::2]]), net([large])
    torch.testing.assert_close(found[0]["boxes"], 2 * small_found[0]["boxes"])


def test_the_loss_of_a_batch_is_the_mean_of_its_images():
    net = tiny().double().train()
    images = [torch.rand(3, 64, 64, dtype=torch.float64) for _ in range(3)]
    targets = [target((8, 8, 24, 24)), target((1, 2, 33, 30), (20, 20, 60, 44)), target()]
    together = net(images, targets)
    alone = [net([x], [y]) for x, y in zip(images, targets, strict=True)]
    for name, value in together.items():
        torch.testing.assert_close(value, torch.stack([each[name] for each in alone]).mean())


def test_passing_a_network_leaves_torchs_stream_alone():
    net, before = tiny().train(), torch.get_rng_state()
    net([torch.rand(3, 64, 64, generator=torch.Generator())], [target((4, 4, 30, 30))])
    assert torch.equal(torch.get_rng_state(), before)
