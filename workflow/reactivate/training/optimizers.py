"""The optimizer of an image network, and how its tensors lie in memory."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.optim import SGD, Adam, Optimizer
from torch.optim import AdamW as DecoupledAdam

from reactivate.activations.traits import Traits
from reactivate.experiment.recipes import AdamW, Sgd, Training


def layout(network: nn.Module, device: torch.device) -> torch.memory_format:
    """Memory format of images and filters: channels last, with which steps are quicker.

    On a CPU some networks keep the default format:

    - those that have a convolution of :func:`_writes_outside`;
    - those whose activation reads a convolution's input beside its output (IIEU): what it computes
      on the CPU goes from channel to channel, and a step would be 1.1 times as long.
    """
    parts = list(network.modules()) if device.type == "cpu" else []
    if any(_writes_outside(part) or _reads_planes(part) for part in parts):
        return torch.contiguous_format
    return torch.channels_last


def make_optimizer(recipe: Training, network: nn.Module, lr: float) -> Optimizer:
    """The recipe's optimizer over all parameters of a network.

    Parameters without weight decay are a group of their own, whose key ``spared`` is True. A step
    of all parameters is a few kernels, and on a GPU none is waited for. Groups with a rate of
    their own have the key ``factor``.
    """
    chosen = recipe.optimizer
    parameters = list(network.parameters())
    fused = True if parameters[0].device.type in ("cuda", "cpu") else None  # not meta
    if isinstance(chosen, AdamW):
        return DecoupledAdam(
            _by_factor(network, chosen.factors), lr, weight_decay=chosen.weight_decay, fused=fused
        )
    if not isinstance(chosen, Sgd):
        return Adam(parameters, lr, weight_decay=chosen.weight_decay, fused=fused)
    groups: list[Any] = parameters
    if chosen.spares_vectors:
        named = dict(network.named_parameters())
        spared = [p for name, p in named.items() if _is_spared(name, p, chosen.but)]
        rest = [p for name, p in named.items() if not _is_spared(name, p, chosen.but)]
        groups = [{"params": rest}, {"params": spared, "spared": True}]
    return SGD(
        groups,
        lr,
        chosen.momentum,
        weight_decay=chosen.weight_decay,
        nesterov=chosen.nesterov,
        fused=fused,
    )


def set_rates(optimizer: Optimizer, lr: float, weight_decay: float) -> None:
    """Tells an optimizer the learning rate and the weight decay of its next step."""
    for group in optimizer.param_groups:
        group["lr"] = lr * group.get("factor", 1.0)
        group["weight_decay"] = 0.0 if group.get("spared") else weight_decay


def _is_spared(name: str, parameter: nn.Parameter, but: Sequence[str]) -> bool:
    return parameter.dim() == 1 and name.rpartition(".")[2] not in but


def _by_factor(network: nn.Module, factors: Mapping[str, float]) -> list[dict[str, Any]]:
    """Parameters in groups, by the factor on the learning rate that the start of a name has."""
    groups: dict[float, list[nn.Parameter]] = {}
    for name, parameter in network.named_parameters():
        found = [factor for start, factor in factors.items() if name.startswith(start)]
        groups.setdefault(found[0] if found else 1.0, []).append(parameter)
    return [{"params": own, "factor": factor} for factor, own in groups.items()]


def _writes_outside(part: nn.Module) -> bool:
    """Whether oneDNN 3.12 (torch 2.13) computes gradients of this outside its memory.

    It does on a CPU with AVX2 and no more, with channels last, for 1x1 convolutions with a stride
    that read fewer than eight channels. The answer is the same on all CPUs, so that a training
    does not depend on which it is.
    """
    return (
        isinstance(part, nn.Conv2d)
        and max(part.kernel_size) == 1
        and max(part.stride) > 1
        and part.in_channels // part.groups < 8
    )


def _reads_planes(part: nn.Module) -> bool:
    traits = getattr(part, "traits", None)
    return isinstance(traits, Traits) and traits.needs_convolution
