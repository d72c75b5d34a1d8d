"""IIEU, Tables 6 and 7: parameters of a detector and of a segmentation network on ResNet-50."""

from functools import lru_cache

import torch

from reactivate.documents.shared.values import Value
from reactivate.models import MODELS
from reactivate.models.flops import count_parameters

DETECTORS = ("relu", "swish", "meta_acon", "smu", "iieu_b", "iieu_dc")
SEGMENTERS = ("swish", "meta_acon", "smu", "iieu_b")  # ReLU's number gives the decoder's width
STAGES = (256, 512, 1024, 2048)  # channels of ResNet-50
FROZEN = 5  # modules of ResNet-50 up to its first stage: stem, pooling, three blocks
CLASSES = {"coco": 80, "kitti_materials": 20}
ANCHORS = 9
BOX = 4
FEATURES = 256  # channels of the pyramid and of the heads
HEAD = 4  # convolutions of each of the two heads before their output
DECODER = 1024


def convolution(reads: int, filters: int, kernel: int = 1) -> int:
    """Weights and biases of a convolution.

    Example:
        >>> convolution(256, 36, kernel=3)
        82980
    """
    return filters * (reads * kernel**2 + 1)


@lru_cache
def backbone(activation: str) -> tuple[int, int]:
    """Parameters of ResNet-50 without its output: all, and those up to its first stage.

    Example:
        >>> backbone("relu")
        (23508032, 225344)
    """
    with torch.device("meta"):
        modules = list(MODELS.load("resnet50")(activation=activation).children())
    counts = [count_parameters(module) for module in modules]
    return sum(counts[:-1]), sum(counts[:FROZEN])


def pyramid_and_heads() -> int:
    """Parameters of RetinaNet beside its backbone, as MMDetection configures it.

    A pyramid of three lateral and three output convolutions, two more levels of which the first
    reads the last stage, and two heads that all levels share.

    Reference:
        open-mmlab/mmdetection, configs/_base_/models/retinanet_r50_fpn.py.

    Example:
        >>> pyramid_and_heads()
        14460660
    """
    lateral = sum(convolution(reads, FEATURES) for reads in STAGES[1:])
    square = convolution(FEATURES, FEATURES, kernel=3)
    extra = convolution(STAGES[-1], FEATURES, kernel=3) + square
    outputs = sum(
        convolution(FEATURES, ANCHORS * each, kernel=3) for each in (CLASSES["coco"], BOX)
    )
    return lateral + 3 * square + extra + 2 * HEAD * square + outputs


def all_mlp_decoder(width: int, classes: int) -> int:
    """Parameters of SegFormer's decoder: a layer per stage, their fusion with BN, the output.

    Reference:
        Xie et al. 2021, section 3.2 (arXiv:2105.15203).

    Example:
        >>> all_mlp_decoder(1024, 20)
        8153108
    """
    layers = sum(convolution(reads, width) for reads in STAGES)
    fusion = len(STAGES) * width**2 + 2 * width
    return layers + fusion + convolution(width, classes)


def table6() -> list[Value]:
    """Parameters of Table 6: what MMDetection counts, without the stem and first stage it freezes.

    With them ReLU has 37.97M, which does not round to the printed 37.7M.
    """
    how = "RetinaNet as MMDetection configures it; its tool leaves the frozen stem and stage out"
    return [
        Value(activation, "params", total - frozen + pyramid_and_heads(), how)
        for activation in DETECTORS
        for total, frozen in [backbone(activation)]
    ]


def table7() -> list[Value]:
    """Parameters of Table 7, with the width of the decoder that gives ReLU's printed 31.7M."""
    decoder = all_mlp_decoder(DECODER, CLASSES["kitti_materials"])
    how = f"an All-MLP decoder {DECODER} wide, which is not printed but gives ReLU's 31.7M"
    return [
        Value(activation, "params", backbone(activation)[0] + decoder, how)
        for activation in SEGMENTERS
    ]
