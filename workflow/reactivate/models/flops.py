"""Parameters and operations of a network, counted without running it on data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from reactivate.activations.traits import declared_traits

Layers = (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d)

NORMALIZATION = 2  # operations per element: one factor, one shift


@dataclass(frozen=True)
class Operations:
    """Operations of one forward pass for one sample.

    Attributes:
        multiply_adds: Multiply-accumulates of convolutions and linear layers.
        normalization: Operations of batch normalisation.
        activation: Operations of activations.
    """

    multiply_adds: int
    normalization: int
    activation: int

    @property
    def total(self) -> int:
        """Sum of all operations; multiply-accumulates count once, as in printed "FLOPs"."""
        return self.multiply_adds + self.normalization + self.activation


def count_parameters(model: nn.Module) -> int:
    """Number of parameters that learn.

    Example:
        >>> count_parameters(nn.Linear(3, 2))
        8
    """
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def count_operations(
    model: nn.Module, size: Sequence[int], per_element: int | None = None
) -> Operations:
    """Operations of one forward pass in evaluation mode, per sample.

    Convolutions and linear layers count one multiply-accumulate per weight and position, batch
    normalisation 2 and activations 1 operation per element (IIEU 7, and none for its norms, which
    cost as much as one filter). Pooling, additions and softmax are free.

    With batch normalisation and activations counted, ResNet-14, -26 and -50 have the 1.5, 2.4 and
    4.1 G of the IIEU supplement's Table 3; convolutions alone give ResNet-26 2.3 G.

    Args:
        model: Left as it is; on the meta device nothing is computed.
        size: Shape of one input, without the batch.
        per_element: Operations per element of every activation; None for those that its traits
            declare.

    Example:
        >>> count_operations(nn.Sequential(nn.Conv2d(3, 8, 3)), (3, 6, 6)).multiply_adds
        3456
    """
    counts = {"multiply_adds": 0, "normalization": 0, "activation": 0}
    activations = {id(m.activation) for m in model.modules() if hasattr(m, "activation")}

    def count(module: nn.Module, inputs: tuple[Any, ...], output: Tensor) -> None:
        if isinstance(module, Layers):
            counts["multiply_adds"] += output.numel() * module.weight[0].numel()
        elif isinstance(module, nn.modules.batchnorm._BatchNorm):
            counts["normalization"] += NORMALIZATION * output.numel()
        if id(module) in activations:
            counts["activation"] += (per_element or _operations(module)) * output.numel()

    hooks = [module.register_forward_hook(count) for module in model.modules()]
    training = model.training
    device = next(model.parameters()).device
    try:
        with torch.no_grad():
            model.eval()(torch.zeros(1, *size, device=device))
    finally:
        model.train(training)
        for hook in hooks:
            hook.remove()
    return Operations(**counts)


def _operations(module: nn.Module) -> int:
    """Operations per element of a module that stands where an activation does."""
    traits = declared_traits(type(module))
    return 1 if traits is None else traits.operations
