"""With ReLU and batch normalisation, networks compute what torchvision's do."""

import pytest
import torch
from reactivate.activations.coupler import DynamicCoupler
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


def test_mobilenet_v2_starts_as_in_the_files_of_iieu():
    """No dropout; variance 2 / (k k filters) of convolutions, N(0, 0.01) of linear layers."""
    torch.manual_seed(0)
    net = mobilenet_v2("iieu_dc", multiplier=1.0, classes=200)
    assert not any(isinstance(m, nn.Dropout) and m.p > 0 for m in net.modules())
    of_convs, of_linear = [], []
    for module in net.modules():
        if isinstance(module, nn.Conv2d):
            fan_out = module.out_channels * module.kernel_size[0] ** 2
            of_convs.append((module.weight * (fan_out / 2) ** 0.5).flatten())
        elif isinstance(module, nn.Linear):
            of_linear.append((module.weight / 0.01).flatten())
            assert module.bias is None or module.bias.abs().max() == 0
    assert len(of_convs) == 52
    assert len(of_linear) == 1 + 2 * 10  # two in each coupler
    for weights in (torch.cat(of_convs), torch.cat(of_linear)):
        assert weights.std().item() == pytest.approx(1, abs=0.01)
        assert weights.mean().item() == pytest.approx(0, abs=0.01)
    for weights in of_linear:  # Kaiming's would be 10 times as large
        assert weights.std().item() == pytest.approx(1, abs=0.3)


def test_dropout_of_mobilenet_v2_is_an_option():
    assert mobilenet_v2(dropout=0.2, classes=2).classifier[0].p == 0.2


def test_couplers_of_mobilenet_v2_turn_at_another_point_than_those_of_resnets():
    """Eta starts at 0.05 in the authors' file of MobileNetV2, at 0.01 in that of ResNets."""
    nets = mobilenet_v2("iieu_dc", classes=2), ResNet("iieu_dc", width=0.1, depths=(1, 1, 1, 1))
    for net, eta, reduction in zip(nets, (0.05, 0.01), (4, 16), strict=True):
        couplers = [m for m in net.modules() if isinstance(m, DynamicCoupler)]
        assert couplers
        for coupler in couplers:
            assert coupler.eta.unique().tolist() == pytest.approx([eta])
            channels = coupler.squeeze.in_features
            assert coupler.squeeze.out_features == max(2, channels // reduction)
