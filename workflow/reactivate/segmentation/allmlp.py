"""A residual encoder with SegFormer's All-MLP decoder."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from reactivate.layers.chain import scaled
from reactivate.models.backbone import Backbone

FEATURES = 1024  # gives ReLU's printed number of parameters, see below


class AllMLPDecoder(nn.Module):
    r"""Stages brought to the same channels and size, fused and classified by 1x1 convolutions.

    Reference:
        Xie et al. 2021, section 3.2, Eq. 4 (arXiv:2105.15203).

    Args:
        reads: Channels of each stage.
        features: Channels to which each stage is brought, e.
        classes: Number of classes.
        dropout: Dropped share of the fused features, whole channels of an image at a time.

    Shape:
        - Input: stages ``(N, reads[s], H_s, W_s)``, the largest first
        - Output: ``(N, classes, H_1, W_1)``
    """

    def __init__(
        self, reads: Sequence[int], features: int, classes: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.unify = nn.ModuleList(nn.Conv2d(channels, features, 1) for channels in reads)
        self.fuse = nn.Sequential(
            nn.Conv2d(len(reads) * features, features, 1, bias=False),
            nn.BatchNorm2d(features),
            nn.ReLU(),
        )
        self.dropout = nn.Dropout2d(dropout)
        self.classify = nn.Conv2d(features, classes, 1)

    def forward(self, stages: Sequence[Tensor]) -> Tensor:
        size = stages[0].shape[2:]
        unified = [
            functional.interpolate(layer(stage), size, mode="bilinear", align_corners=False)
            for layer, stage in zip(self.unify, stages, strict=True)
        ]
        scores: Tensor = self.classify(self.dropout(self.fuse(torch.cat(unified, dim=1))))
        return scores


class AllMLPSegmenter(nn.Module):
    r"""ResNet-50 with an All-MLP decoder: the scores of the classes at every pixel.

    Reference:
        Cai 2023, supplementary section H and Table 7 (ICCV). The decoder's channels are not
        printed; 1024 give the 31.7M parameters that are printed with ReLU.

    Args:
        activation: A key of :data:`reactivate.activations.ACTIVATIONS`; of the encoder only.
        parameterization: A key of :data:`reactivate.layers.PARAMETERIZATIONS`; of the encoder.
        width: Factor on all numbers of filters.
        classes: Number of classes.
        depths: Blocks per stage of the encoder.
        features: Channels of the decoder, before ``width``.
        dropout: See :class:`AllMLPDecoder`.
        initialization: Of the encoder, see
            :func:`reactivate.layers.initialization.initialize`.
        options: Options of the activation.

    Shape:
        - Input: ``(N, 3, H, W)``
        - Output: ``(N, classes, H, W)``

    Example:
        >>> AllMLPSegmenter(width=0.1, depths=(1, 1, 1, 1))(torch.zeros(2, 3, 40, 64)).shape
        torch.Size([2, 20, 40, 64])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "bn",
        width: float = 1.0,
        classes: int = 20,
        depths: Sequence[int] = (3, 4, 6, 3),
        features: int = FEATURES,
        dropout: float = 0.0,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.encoder = Backbone(
            activation,
            width,
            depths,
            parameterization=parameterization,
            initialization=initialization,
            options=options,
        )
        self.decoder = AllMLPDecoder(
            self.encoder.channels, scaled(features, width), classes, dropout
        )

    def forward(self, x: Tensor) -> Tensor:
        scores = self.decoder(self.encoder(x))
        return functional.interpolate(scores, x.shape[2:], mode="bilinear", align_corners=False)
