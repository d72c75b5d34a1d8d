"""Anchors of RetinaNet as MMDetection lays them out."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from reactivate.models.vision import torchvision

STRIDES = (8, 16, 32, 64, 128)  # of the levels P3 to P7
RATIOS = (0.5, 1.0, 2.0)  # of height and width
PER_OCTAVE = 3

_Generator: Any = torchvision.models.detection.anchor_utils.AnchorGenerator


class Anchors(_Generator):  # type: ignore[misc]
    """Nine boxes around every position of every level, 3 sizes per octave in 3 ratios.

    Torchvision rounds the corners, cuts sizes off to whole pixels, and spaces a level by the
    quotient of two sizes (114 pixels for P7 of an image 800 high). MMDetection does none of that:
    a level of stride s has anchors of the sizes ``base * s * 2^(k/3)`` at multiples of s.

    Reference:
        Lin et al. 2017, section 4 (arXiv:1708.02002); open-mmlab/mmdetection,
        configs/_base_/models/retinanet_r50_fpn.py (octave base 4).

    Args:
        base: Side of the smallest anchor of a level, in strides.

    Example:
        >>> Anchors(base=4.0).cell_anchors[0][3]
        tensor([-16., -16.,  16.,  16.])
    """

    def __init__(self, base: float = 4.0) -> None:
        steps = [2 ** (k / PER_OCTAVE) for k in range(PER_OCTAVE)]
        sizes = tuple(tuple(base * stride * step for step in steps) for stride in STRIDES)
        super().__init__(sizes, (RATIOS,) * len(STRIDES))

    def generate_anchors(
        self,
        scales: Sequence[float],
        aspect_ratios: Sequence[float],
        dtype: torch.dtype = torch.float32,
        device: torch.device | None = None,
    ) -> Tensor:
        """Anchors around the origin, ``(ratios * sizes, 4)``."""
        here = device or torch.device("cpu")
        sizes = torch.tensor(scales, dtype=dtype, device=here)
        roots = torch.tensor(aspect_ratios, dtype=dtype, device=here).sqrt()
        wide, high = (sizes / roots[:, None]).flatten(), (sizes * roots[:, None]).flatten()
        return torch.stack([-wide, -high, wide, high], dim=1) / 2

    def forward(self, image_list: object, feature_maps: Sequence[Tensor]) -> list[Tensor]:
        """All anchors of each image, level by level; the same for all images."""
        self.set_cell_anchors(feature_maps[0].dtype, feature_maps[0].device)
        grids = [level.shape[-2:] for level in feature_maps]
        placed = self.grid_anchors(grids, [(stride, stride) for stride in STRIDES])
        together = torch.cat(placed)
        return [together] * len(feature_maps[0])
