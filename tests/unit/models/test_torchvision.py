"""With ReLU and batch normalisation, networks compute what torchvision's do."""

import pytest
import torch
from reactivate.models.mobile import mobilenet_v2, shufflenet_v2
from reactivate.models.resnet import ResNet
from reactivate.models.vision import torchvision
from torch import nn

BLOCKS = torchvision.models.resnet


def with_relu(net):
    for module in net.modules():
        for name, child in module.named_children():
            if isinstance(child, nn.ReLU6):
                setattr(module, name, nn.ReLU())
    return net


PAIRS = {
    "bottleneck": lambda: (
        ResNet(depths=(1, 2, 1, 1), classes=5),
        BLOCKS.ResNet(BLOCKS.Bottleneck, [1, 2, 1, 1], num_classes=5),
    ),
    "basic": lambda: (
        ResNet(depths=(1, 2, 1, 1), classes=5, bottleneck=False),
        BLOCKS.ResNet(BLOCKS.BasicBlock, [1, 2, 1, 1], num_classes=5),
    ),
    "mobilenet_v2": lambda: (
        mobilenet_v2(classes=5),
        with_relu(torchvision.models.MobileNetV2(5, width_mult=0.17)),
    ),
    "shufflenet_v2": lambda: (
        shufflenet_v2(classes=5),
        torchvision.models.shufflenet_v2_x0_5(num_classes=5),
    ),
}


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("name", sorted(PAIRS))
def test_network_equals_torchvision(name, training):
    torch.manual_seed(0)
    ours, theirs = PAIRS[name]()
    values = list(theirs.state_dict().values())
    assert [v.shape for v in ours.state_dict().values()] == [v.shape for v in values]
    ours.load_state_dict(dict(zip(ours.state_dict(), values, strict=True)))
    ours, theirs = ours.double().train(training), theirs.double().train(training)
    for net in (ours, theirs):
        for module in net.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0
    x = torch.randn(3, 3, 64, 64, dtype=torch.float64)
    torch.testing.assert_close(ours(x), theirs(x))
