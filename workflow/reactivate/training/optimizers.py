"""The optimizer of an image network, how its tensors lie in memory, and their precision."""

import torch
from torch import nn
from torch.optim import SGD, Adam, Optimizer

from reactivate.experiment.recipes import Sgd, Training


def layout(device: torch.device) -> torch.memory_format:
    """Memory format of images: channels last on a GPU, where mixed precision wants it.

    Not on a CPU, although it is about 1.2 times as fast there (``benchmarks/training.py``): with
    oneDNN 3.12 (torch 2.13) the gradient of a 1x1 convolution with stride 2 and fewer than eight
    channels writes outside its memory.
    """
    return torch.channels_last if device.type == "cuda" else torch.contiguous_format


def mixes_precision(recipe: Training, device: torch.device) -> bool:
    """Tells whether passes are computed in bfloat16: where the recipe and the GPU allow it."""
    gpu = device.type == "cuda"
    return recipe.mixed_precision and gpu and torch.cuda.is_bf16_supported()


def make_optimizer(recipe: Training, network: nn.Module, lr: float) -> Optimizer:
    """The recipe's optimizer over all parameters of a network."""
    decay = recipe.optimizer.weight_decay
    parameters = list(network.parameters())
    if isinstance(recipe.optimizer, Sgd):
        return SGD(parameters, lr, recipe.optimizer.momentum, weight_decay=decay)
    return Adam(parameters, lr, weight_decay=decay)
