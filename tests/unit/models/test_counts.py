"""Exact parameter counts, and the printed ones they must round to."""

import pytest
import torch
from reactivate.models import MODELS
from reactivate.models.allcnn import LAYERS
from reactivate.models.flops import count_parameters

EXACT = [  # computed from the layers that the documents and the authors' codes list
    ("vgg6", {}, 5_089_384),
    ("vgg6", {"parameterization": "gmp"}, 5_089_384),
    ("vgg6", {"parameterization": "gmp_imn"}, 5_089_384),
    ("fcnn", {}, 784 * 256 + 8 * 256**2 + 9 * 2 * 256 + 2570),
    ("convpool9", {"classes": 100}, 1_387_108),
    ("resnet14", {}, 10_064_936),
    ("resnet26", {}, 15_995_176),
    ("resnet34", {}, 21_797_672),
    ("resnet50", {}, 25_557_032),
    ("resnet14", {"activation": "iieu_b"}, 10_064_936 + 28_992),
    ("resnet26", {"activation": "iieu_b"}, 15_995_176 + 46_272),
    ("resnet50", {"activation": "iieu_b"}, 25_557_032 + 79_680),
    ("resnet14", {"activation": "iieu_dc"}, 10_822_168),
    ("resnet26", {"activation": "iieu_dc"}, 17_497_928),
    ("resnet50", {"activation": "iieu_dc"}, 28_277_208),
    ("resnet26", {"activation": "meta_acon"}, 15_995_176 + 104_288),
    ("mobilenet_v2", {}, 1_445_720),
    ("shufflenet_v2", {}, 1_366_792),
    ("cifar_resnet56", {}, 858_868),
    ("cifar_resnet56_projection", {}, 861_620),
]

MILLIONS = [  # what the layers of the printed tables add up to
    ("vgg16", {}, "33.66"),
    ("cifar_vgg", {}, "14.99"),
    ("cifar_vgg_conv1", {}, "14.99"),
    ("cifar_vgg_conv1_3", {}, "14.95"),
    ("cifar_vgg_conv1_3_5", {}, "14.81"),
    ("convpool8", {"classes": 10}, "1.29"),
    ("convpool8_double", {"classes": 10}, "5.14"),
    ("convpool8", {"classes": 10, "activation": "crelu"}, "2.57"),
    ("convpool8_half_printed", {"classes": 10}, "0.52"),
    ("convpool8_half", {"classes": 10}, "0.64"),
    ("convpool8", {"classes": 100}, "1.30"),
    ("convpool8_double", {"classes": 100}, "5.17"),
    ("convpool8", {"classes": 100, "activation": "crelu"}, "2.60"),
    ("convpool8_half_printed", {"classes": 100}, "0.54"),
    ("convpool9", {"classes": 10}, "1.37"),
    ("convpool9_double", {"classes": 10}, "5.47"),
    ("convpool9", {"classes": 10, "activation": "crelu"}, "2.74"),
    ("convpool9_half", {"classes": 10}, "0.69"),
    ("convpool9", {"classes": 100}, "1.39"),
    ("convpool9_double", {"classes": 100}, "5.50"),
    ("convpool9", {"classes": 100, "activation": "crelu"}, "2.77"),
    ("convpool9_half", {"classes": 100}, "0.70"),
    ("allcnn", {}, "9.37"),
    ("allcnn_conv1_4_7", {}, "8.61"),
    ("allcnn_conv1_4", {}, "10.14"),
    ("allcnn_conv1_7", {}, "11.77"),
    ("allcnn_conv1_9", {}, "16.63"),
]

WEIGHTS = [  # without biases, as the errata count All-CNN-B
    ("allcnn", 9_367_584),
    ("allcnn_all", 4_683_792),
    ("allcnn_conv1_4_7", 8_600_592),
    ("allcnn_conv1_4", 10_139_680),
]


def build(name, settings=None):
    with torch.device("meta"):
        return MODELS.load(name)(**(settings or {}))


@pytest.mark.parametrize(("name", "settings", "expected"), EXACT)
def test_parameter_count_is_exact(name, settings, expected):
    assert count_parameters(build(name, settings)) == expected


@pytest.mark.parametrize(("name", "settings", "expected"), MILLIONS)
def test_parameter_count_in_millions(name, settings, expected):
    assert f"{count_parameters(build(name, settings)) / 1e6:.2f}" == expected


@pytest.mark.parametrize(("name", "expected"), WEIGHTS)
def test_weights_without_biases(name, expected):
    assert sum(p.numel() for p in build(name).parameters() if p.dim() > 1) == expected


def test_table_s11_as_printed_has_fewer_weights_than_halving_gives():
    reads, weights = 3, 0
    for filters, kernel, _, _ in LAYERS[:-1]:
        weights += reads * filters // 2 * kernel**2
        reads = filters
    printed = weights + 512 * 512 + 512 * 1000  # conv11, conv12
    assert f"{printed / 1e6:.2f}" == "4.42"
    assert weights + 1024 * 512 + 1024 * 500 == 4_683_792


@pytest.mark.parametrize(
    ("name", "published"),
    [("resnet14", 0.288), ("resnet26", 0.289), ("resnet50", 0.312)],
)
def test_iieu_b_adds_about_three_per_mille(name, published):
    plain = count_parameters(build(name))
    more = count_parameters(build(name, {"activation": "iieu_b"})) - plain
    assert 100 * more / plain == pytest.approx(published, abs=5e-4)


def test_thesis_vgg16_has_the_stated_number_of_hidden_units():
    net = build("vgg16")
    units = 0

    def count(module, inputs, output):
        nonlocal units
        units += output[0].numel()

    for unit in net:
        if getattr(unit, "activation", None) is not None:
            unit.register_forward_hook(count)
    net(torch.zeros(2, 3, 32, 32, device="meta"))
    assert units == 284_672
