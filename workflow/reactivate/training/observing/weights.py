"""Sizes of the weights of a layer, of their gradients, and of the ratio of the two."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

QUANTITIES = ("weight", "gradient", "ratio", "norm_ratio")


def weight_layers(network: nn.Module) -> dict[str, nn.Parameter]:
    """The weights of a network's linear and convolutional layers, in order, by name.

    Example:
        >>> list(weight_layers(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))))
        ['0.weight']
    """
    return {
        f"{name}.weight": module.weight
        for name, module in network.named_modules()
        if isinstance(module, nn.Linear | nn.modules.conv._ConvNd)
        and isinstance(module.weight, nn.Parameter)
    }


def neuron_sizes(weight: Tensor, gradient: Tensor) -> Tensor:
    r"""Means over the weights of each neuron, of shape (4, neurons).

    They are \|w\|, \|g\|, \|g / w\| as the thesis prints it, and, because a weight near 0 can
    make that as large as one likes, the ratio of the norms of g and w over the whole neuron.
    A weight that is exactly 0 has no ratio and is left out.
    """
    weight, gradient = weight.detach().flatten(1), gradient.detach().flatten(1)
    ratio = (gradient / weight).abs_()
    ratio.masked_fill_(weight == 0, torch.nan)
    norms = gradient.norm(dim=1) / weight.norm(dim=1)
    return torch.stack(
        [weight.abs().mean(1), gradient.abs().mean(1), ratio.nanmean(1), norms]
    ).double()


class WeightSums(nn.Module):
    """Sums of :func:`neuron_sizes` over steps, kept as buffers so that they can be resumed."""

    def __init__(self, weights: Sequence[Tensor]) -> None:
        super().__init__()
        self.steps: Tensor
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        for number, weight in enumerate(weights):
            shape = len(QUANTITIES), len(weight)
            zeros = torch.zeros(shape, dtype=torch.float64, device=weight.device)
            self.register_buffer(f"layer{number}", zeros)

    def add(self, weights: Sequence[nn.Parameter]) -> None:
        """Counts one step, after its gradients are there."""
        self.steps += 1
        for number, weight in enumerate(weights):
            assert weight.grad is not None
            self.get_buffer(f"layer{number}").add_(neuron_sizes(weight, weight.grad))

    def take(self) -> Tensor:
        """Mean and variance over the neurons of each layer since last taken: (layers, 4, 2)."""
        layers = [b for name, b in self.named_buffers() if name != "steps"]
        spreads = []
        for sums in layers:
            means = sums / self.steps
            spreads.append(torch.stack([means.mean(1), means.var(1, correction=0)], dim=1))
            sums.zero_()
        self.steps.zero_()
        return torch.stack(spreads)
