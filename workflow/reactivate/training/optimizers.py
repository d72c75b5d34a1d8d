"""The optimizer of an image network, and how its tensors lie in memory."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.optim import SGD, Adam, Optimizer
from torch.optim import AdamW as DecoupledAdam

from reactivate.experiment.recipes import AdamW, Sgd, Training


def layout(device: torch.device) -> torch.memory_format:
    """Memory format of images: channels last on a GPU, where mixed precision wants it.

    Not on a CPU, although it is about 1.2 times as fast there (``benchmarks/training.py``): with
    oneDNN 3.12 (torch 2.13) the gradient of a 1x1 convolution with stride 2 and fewer than eight
    channels writes outside its memory.
    """
    return torch.channels_last if device.type == "cuda" else torch.contiguous_format


def make_optimizer(recipe: Training, network: nn.Module, lr: float) -> Optimizer:
    """The recipe's optimizer over all parameters of a network.

    Parameters without weight decay are a group of their own, whose key ``spared`` is True. On a
    GPU a step of all parameters is a few kernels, and none is waited for. Groups with a rate of
    their own have the key ``factor``.
    """
    chosen = recipe.optimizer
    parameters = list(network.parameters())
    fused = True if parameters[0].device.type == "cuda" else None
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
