"""The input of every activation of a network, in forward order, one batch at a time."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from reactivate.activations.traits import is_activation
from reactivate.patterns.breakpoints import breakpoints_of

Visit = Callable[[str, nn.Module, Tensor], None]  # name of the use, activation, pre-activations


def activations_of(network: nn.Module) -> dict[str, nn.Module]:
    """Activations of a network by their path in it.

    Raises:
        ValueError: One of them has no elementwise pre-activation, see
            :func:`reactivate.patterns.breakpoints.breakpoints_of`; or there is none (activations
            that are called as functions cannot be seen).

    Example:
        >>> activations_of(nn.Sequential(nn.Linear(2, 3), nn.ReLU()))
        {'1': ReLU()}
    """
    parts = network.named_modules()
    activations = {name: module for name, module in parts if is_activation(type(module))}
    for module in activations.values():
        breakpoints_of(module)
    if not activations:
        raise ValueError(
            f"{type(network).__name__} has no activation; accepted: networks whose activations "
            "are modules. Make activations that are called as functions modules of the network"
        )
    return activations


@contextmanager
def watching(network: nn.Module, visit: Visit) -> Iterator[None]:
    """While open, every forward pass shows ``visit`` the input of each activation, detached.

    The forward pass itself is the caller's, in training or evaluation mode. The name is the
    activation's path in the network; the second use in one pass has ``:2`` appended, and so on.
    ``visit`` must not change the tensor, and if it keeps it, it must copy it for an activation
    that works in place.

    Args:
        network: Any network whose activations are modules.
        visit: ``visit(name, activation, z)``, called before the activation.

    Example:
        >>> network = nn.Sequential(nn.Flatten(), nn.ReLU())
        >>> with watching(network, lambda name, _, z: print(name, tuple(z.shape))):
        ...     output = network(torch.zeros(5, 2, 3))
        1 (5, 6)
    """
    uses: Counter[str] = Counter()
    hooks = [network.register_forward_pre_hook(lambda *_: uses.clear())]

    def hook(name: str) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
        def show(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            visit(numbered(name, uses), module, inputs[0].detach())

        return show

    try:
        for name, module in activations_of(network).items():
            hooks.append(module.register_forward_pre_hook(hook(name)))
        yield
    finally:
        for handle in hooks:
            handle.remove()


def numbered(name: str, uses: Counter[str]) -> str:
    """The name of one more use of a module in a forward pass.

    Example:
        >>> uses = Counter()
        >>> numbered("relu", uses), numbered("relu", uses)
        ('relu', 'relu:2')
    """
    uses[name] += 1
    return name if uses[name] == 1 else f"{name}:{uses[name]}"


@contextmanager
def evaluating(network: nn.Module) -> Iterator[None]:
    """While open, the network is in evaluation mode and no gradient is kept.

    Afterwards every module has its own mode again. In between neither statistics nor torch's
    random stream change.
    """
    modes = {module: module.training for module in network.modules()}
    network.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


def visit_batches(network: nn.Module, batches: Iterable[Tensor], visit: Visit) -> None:
    """Shows ``visit`` the pre-activations of all batches; the network is left as it was.

    Args:
        network: Any network whose activations are modules.
        batches: Inputs, each ``(N, *)``.
        visit: See :func:`watching`. Nothing is kept from one batch to the next.
    """
    with evaluating(network), watching(network, visit):
        for x in batches:
            network(x)


def preactivations_of(network: nn.Module, x: Tensor) -> dict[str, Tensor]:
    """Pre-activations of one batch by layer, ``(N, *)`` each, in forward order.

    Example:
        >>> from reactivate.models.mlp import MLP
        >>> layers = preactivations_of(MLP(hidden=(4, 3)), torch.zeros(2, 1))
        >>> {name: tuple(z.shape) for name, z in layers.items()}
        {'1.activation': (2, 4), '2.activation': (2, 3)}
    """
    kept: dict[str, Tensor] = {}

    def keep(name: str, activation: nn.Module, z: Tensor) -> None:
        kept[name] = z.clone() if getattr(activation, "inplace", False) else z

    visit_batches(network, [x], keep)
    return kept
