"""Copies of networks that compute the same more quickly, for many evaluations."""

from copy import deepcopy
from itertools import pairwise

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.utils import parametrize
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

from reactivate.layers.initialization import Layer
from reactivate.layers.unit import Unit
from reactivate.models.residual import Join

Convolution = nn.Conv1d | nn.Conv2d | nn.Conv3d


def folded(network: nn.Module) -> nn.Module:
    """A copy for evaluation, batch normalisation folded into the layer before it.

    Scores are the same up to rounding. Normalisation that does not directly follow a linear or
    convolutional layer, or follows one whose weight is itself computed, stays.

    Example:
        >>> from reactivate.models.vgg import VGG16
        >>> sum(isinstance(part, nn.BatchNorm2d) for part in folded(VGG16(width=0.1)).modules())
        0
    """
    copy = deepcopy(network).eval()
    for part in copy.modules():
        if isinstance(part, Unit) and _foldable(part.layer, part.before):
            part.layer, part.before = _fuse(part.layer, part.before), None
        elif isinstance(part, nn.Sequential):
            for (name, layer), (after, norm) in pairwise(list(part.named_children())):
                if _foldable(layer, norm):
                    setattr(part, name, _fuse(layer, norm))
                    setattr(part, after, nn.Identity())
    return copy


def streamlined(network: nn.Module) -> nn.Module:
    """A copy as :func:`folded` makes it, kinder to memory; same scores up to rounding.

    Channels of images and filters are next to each other, with which pooling and convolutions of
    small images are quicker, and ReLU writes over its input, which nothing else reads in units
    and residual blocks.
    """
    copy = folded(network)
    for weight in copy.parameters():
        if weight.dim() == 4:
            weight.data = weight.data.contiguous(memory_format=torch.channels_last)
    for part in copy.modules():
        if isinstance(part, Unit | Join) and isinstance(part.activation, nn.ReLU):
            part.activation.inplace = True
    return copy


def _foldable(layer: nn.Module, norm: nn.Module | None) -> bool:
    """Whether a module is a normalisation that can become part of the layer before it."""
    return (
        isinstance(layer, nn.Linear | Convolution)
        and isinstance(norm, _BatchNorm)
        and norm.running_mean is not None
        and not parametrize.is_parametrized(layer)
    )


def _fuse(layer: nn.Module, norm: nn.Module | None) -> Layer:
    """One layer that computes what a layer and its normalisation do."""
    assert isinstance(norm, _BatchNorm)
    if isinstance(layer, nn.Linear):
        return fuse_linear_bn_eval(layer, norm)
    assert isinstance(layer, Convolution)
    return fuse_conv_bn_eval(layer, norm)
