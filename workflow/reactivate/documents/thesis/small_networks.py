"""Networks small enough to be written down, or drawn by the dozen, in float64."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from reactivate.patterns.preactivations import preactivations_of
from reactivate.patterns.regions import patterns_of
from reactivate.patterns.stability import Stability

Layer = tuple[Sequence[Sequence[float]], Sequence[float]]  # weights (out, in), biases (out)


def dense(*layers: Layer, activation: type[nn.Module] = nn.ReLU) -> nn.Sequential:
    """A fully connected network with these weights and biases; the last layer is linear.

    Example:
        >>> network = dense(([[2.0]], [-1.0]), ([[3.0]], [0.5]))
        >>> network(column(1.0)).item()
        3.5
    """
    parts = [[torch.tensor(part, dtype=torch.float64) for part in layer] for layer in layers]
    return _chain([(weight, bias) for weight, bias in parts], activation)


def random_dense(
    sizes: Sequence[int],
    stream: torch.Generator,
    activation: type[nn.Module] = nn.ReLU,
    bias: float = 0.1,
) -> nn.Sequential:
    """A fully connected network with normal weights of variance 2 / fan-in, and normal biases.

    Args:
        sizes: Inputs, neurons of every hidden layer, outputs.
        stream: Where the numbers come from.
        activation: What follows every hidden layer.
        bias: Standard deviation of the biases.
    """
    parts = []
    for before, after in pairwise(sizes):
        weight = normal((after, before), stream) * (2 / before) ** 0.5
        parts.append((weight, bias * normal((after,), stream)))
    return _chain(parts, activation)


def _chain(parts: Sequence[tuple[Tensor, Tensor]], activation: type[nn.Module]) -> nn.Sequential:
    modules: list[nn.Module] = []
    for weight, bias in parts:
        after, before = weight.shape
        linear = nn.Linear(before, after, device="meta")  # draws nothing
        linear.load_state_dict({"weight": weight, "bias": bias}, assign=True)
        modules += [linear, activation()]
    return nn.Sequential(*modules[:-1]).requires_grad_(False)


def linear_maps(network: nn.Sequential) -> list[nn.Linear]:
    """The linear layers of a network, in order."""
    return [part for part in network if isinstance(part, nn.Linear)]


def hidden(network: nn.Sequential, x: Tensor) -> Tensor:
    """Pre-activations of all hidden neurons, layer after layer, ``(N, neurons)``."""
    return torch.cat(list(preactivations_of(network, x).values()), dim=1)


def codes(network: nn.Sequential, x: Tensor, breakpoints: Sequence[float] | None = None) -> Tensor:
    """Activation patterns, ``(N, neurons)``; None for each activation's own breakpoints."""
    return patterns_of(network, x, breakpoints).codes


def normal(shape: Sequence[int], stream: torch.Generator) -> Tensor:
    """Standard normal numbers in float64."""
    return torch.randn(tuple(shape), generator=stream, dtype=torch.float64)


def column(*values: float) -> Tensor:
    """Points of a one-dimensional input space, ``(N, 1)``."""
    return torch.tensor(values, dtype=torch.float64).unsqueeze(1)


def shown(error: float, limit: float = 1e-9) -> str:
    """An error in words; how much of it is rounding differs between machines.

    Example:
        >>> shown(2e-16), shown(0.25)
        ('below 1e-09', '0.25')
    """
    return f"below {limit:g}" if error < limit else f"{error:.2g}"


def fixed(patterns: Tensor) -> Tensor:
    """Neurons with the same pattern for every point, as Definition 4's sentence says.

    Example:
        >>> fixed(torch.tensor([[0, 1], [1, 1]]))
        tensor([False,  True])
    """
    stability = Stability()
    stability.update(patterns)
    return stability.fixed
