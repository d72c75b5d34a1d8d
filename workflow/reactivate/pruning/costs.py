"""Savings by pruning and surgery: size, operations as counted, and time as measured."""

from dataclasses import dataclass
from time import perf_counter

import torch
from torch import Tensor, nn

from reactivate.models.flops import Layers, count_parameters
from reactivate.patterns.preactivations import evaluating

REPEATS = 5


@dataclass(frozen=True)
class Savings:
    """Costs of a pruned network, and of the smaller one without units that do nothing.

    Attributes:
        parameters: Parameters of the network that was pruned.
        parameters_left: Parameters of the smaller network.
        non_zero: Parameters of the pruned network that are not 0.
        multiply_adds: Multiply-accumulates of the pruned network for one input.
        multiply_adds_left: Multiply-accumulates of the smaller network for one input.
        multiply_adds_non_zero: Multiply-accumulates of the pruned one if zeros cost nothing.
        seconds: Time of a forward pass of the pruned network, for the batch that is timed.
        seconds_left: Time of a forward pass of the smaller network for that batch.
    """

    parameters: int
    parameters_left: int
    non_zero: int
    multiply_adds: int
    multiply_adds_left: int
    multiply_adds_non_zero: int
    seconds: float
    seconds_left: float

    @property
    def theoretical(self) -> float:
        """Speed-up by multiply-accumulates, if zeros cost nothing."""
        return self.multiply_adds / max(1, self.multiply_adds_non_zero)

    @property
    def counted(self) -> float:
        """Speed-up by multiply-accumulates of the smaller network."""
        return self.multiply_adds / self.multiply_adds_left

    @property
    def measured(self) -> float:
        """Speed-up of the smaller network by the clock."""
        return self.seconds / self.seconds_left


def savings(network: nn.Module, small: nn.Module, x: Tensor, repeats: int = REPEATS) -> Savings:
    """Compares a pruned network with the smaller one of :func:`remove_units`.

    The two take turns, and the least time of each counts: a busy moment of the machine meets both.

    Args:
        network: The pruned network.
        small: The smaller network without the units that do nothing.
        x: The batch that is timed, ``(N, *)``.
        repeats: Number of forward passes of each network.

    Example:
        >>> layers = nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)
        >>> network, small = nn.Sequential(*layers), nn.Sequential(nn.Linear(4, 2))
        >>> saved = savings(network, small, torch.zeros(3, 4))
        >>> saved.multiply_adds, saved.multiply_adds_left, saved.counted
        (48, 8, 6.0)
    """
    times = [(_seconds(network, x), _seconds(small, x)) for _ in range(repeats)]
    every, non_zero = multiply_adds(network, x[:1])
    return Savings(
        parameters=count_parameters(network),
        parameters_left=count_parameters(small),
        non_zero=count_non_zero(network),
        multiply_adds=every,
        multiply_adds_left=multiply_adds(small, x[:1])[0],
        multiply_adds_non_zero=non_zero,
        seconds=min(before for before, _ in times),
        seconds_left=min(after for _, after in times),
    )


def count_non_zero(network: nn.Module) -> int:
    """Number of parameters that are neither 0 nor masked.

    Example:
        >>> layer = nn.Linear(2, 1)
        >>> with torch.no_grad():
        ...     layer.weight[0, 0] = 0.0
        >>> count_non_zero(layer)
        2
    """
    count = 0
    for module in network.modules():
        for name, parameter in module.named_parameters(recurse=False):
            mask = getattr(module, name.removesuffix("_orig") + "_mask", None)
            count += int((parameter if mask is None else parameter * mask).count_nonzero())
    return count


def multiply_adds(network: nn.Module, x: Tensor) -> tuple[int, int]:
    """Multiply-accumulates of layers for one input: with all weights, and with those not 0.

    Args:
        network: A network; it is left as it is.
        x: One input, ``(1, *)``.

    Example:
        >>> layer = nn.Linear(3, 2)
        >>> with torch.no_grad():
        ...     layer.weight[0] = 0.0
        >>> multiply_adds(layer, torch.zeros(1, 3))
        (6, 3)
    """
    every = non_zero = 0

    def count(layer: nn.Module, _: object, output: Tensor) -> None:
        nonlocal every, non_zero
        weight: Tensor = layer.weight  # type: ignore[assignment]  # of a layer
        positions = output.numel() // len(weight)
        every += positions * weight.numel()
        non_zero += positions * int(weight.count_nonzero())

    hooks = [m.register_forward_hook(count) for m in network.modules() if isinstance(m, Layers)]
    try:
        with evaluating(network):
            network(x)
    finally:
        for hook in hooks:
            hook.remove()
    return every, non_zero


def _seconds(network: nn.Module, x: Tensor) -> float:
    """Time of one forward pass by the clock."""
    with evaluating(network):
        _wait(x)
        start = perf_counter()
        network(x)
        _wait(x)
        return perf_counter() - start


def _wait(x: Tensor) -> None:
    """Waits until a GPU has finished: it works while the program goes on."""
    if x.is_cuda:
        torch.cuda.synchronize(x.device)
