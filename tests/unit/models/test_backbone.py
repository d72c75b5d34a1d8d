"""The backbone of detectors and segmentation networks is the network of classes, cut."""

import pytest
import torch
from reactivate.models import MODELS
from reactivate.models.backbone import Backbone, load_backbone
from reactivate.models.resnet import ResNet

SMALL = {"width": 0.05, "depths": (1, 2, 1, 1)}


def classes(**settings):
    torch.manual_seed(1)
    return ResNet(**SMALL | {"classes": 7} | settings)


@pytest.mark.parametrize("activation", ["relu", "iieu_dc", "meta_acon"])
def test_stages_are_those_of_the_network_of_classes(activation):
    net = classes(activation=activation).eval()
    backbone = Backbone(activation, **SMALL).eval()
    load_backbone(backbone, net.state_dict())
    x = torch.randn(2, 3, 64, 64)
    found, ends = backbone(x), (3, 5, 6, 7)
    assert [stage.shape[1] for stage in found] == backbone.channels
    for stage, end in zip(found, ends, strict=True):
        torch.testing.assert_close(stage, net[:end](x), rtol=0, atol=0)


@pytest.mark.parametrize("name", ["retinanet", "allmlp_segmenter"])
def test_weights_of_a_classification_run_are_loaded(name):
    net = MODELS.load(name)(activation="iieu_b", classes=5, **SMALL)
    others = {key: v.clone() for key, v in net.state_dict().items() if ".fpn." in key}
    given = classes(activation="iieu_b")
    load_backbone(net, given.state_dict())
    body = next(part for part in net.modules() if isinstance(part, Backbone))
    for key, value in body.state_dict().items():
        assert torch.equal(value, given.state_dict()[key])
    assert all(torch.equal(net.state_dict()[key], value) for key, value in others.items())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"width": 0.1}, r"differ, first 0.layer.weight is \(6, 3, 7, 7\) for \(3, 3, 7, 7\)"),
        ({"activation": "swish"}, "are unknown, first 0.activation.beta"),
        ({"depths": (1, 1, 1, 1)}, "are missing, first 6.branch.0.before.bias"),
    ],
)
def test_weights_of_another_network_are_refused(settings, message):
    backbone = Backbone(**SMALL)
    before = {key: value.clone() for key, value in backbone.state_dict().items()}
    with pytest.raises(ValueError, match=message):
        load_backbone(backbone, classes(**settings).state_dict())
    assert all(torch.equal(value, before[key]) for key, value in backbone.state_dict().items())


def test_weights_of_torchvision_are_refused():
    with pytest.raises(ValueError, match=r"the name 'conv1.weight', which no ResNet"):
        load_backbone(Backbone(**SMALL), {"conv1.weight": torch.zeros(1)})


def test_a_network_without_a_backbone_is_refused():
    with pytest.raises(ValueError, match="Linear has no backbone"):
        load_backbone(torch.nn.Linear(1, 1), {})
