"""The input of every activation of a network, in forward order, one batch at a time."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

import torch
from torch import Tensor, nn

from reactivate.activations.traits import is_activation
from reactivate.patterns.breakpoints import breakpoints_of

Visit = Callable[[str, nn.Module, Tensor], None]  # name of the use, activation, pre-activations
# name of the use, module, its input or output -> what takes its place; None to leave it
Change = Callable[[str, nn.Module, Tensor], Tensor | None]


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

    def show(name: str, activation: nn.Module, z: Tensor) -> None:
        visit(name, activation, z.detach())

    with changing(network, activations_of(network), before=show):
        yield


@contextmanager
def changing(
    network: nn.Module,
    names: Iterable[str],
    before: Change | None = None,
    after: Change | None = None,
) -> Iterator[None]:
    """While open, forward passes let the input or the output of some modules be replaced.

    Args:
        network: Any network.
        names: Paths of the modules in it.
        before: ``before(name, module, z)``, called with the input of every use; the second use of
            a module in one pass has ``:2`` appended to its name, and so on.
        after: ``after(name, module, y)``, called with the output of every use.

    Example:
        >>> network = nn.Sequential(nn.Flatten(), nn.ReLU())
        >>> with changing(network, ["1"], before=lambda name, module, z: -z):
        ...     network(torch.tensor([[-1.0, 2.0]]))
        tensor([[1., 0.]])
    """
    uses: Counter[str] = Counter()
    current: dict[nn.Module, str] = {}
    hooks = [network.register_forward_pre_hook(lambda *_: uses.clear())]

    def enter(
        path: str, module: nn.Module, inputs: tuple[Tensor, ...]
    ) -> tuple[Tensor, ...] | None:
        current[module] = numbered(path, uses)
        changed = before(current[module], module, inputs[0]) if before else None
        return None if changed is None else (changed, *inputs[1:])

    def leave(module: nn.Module, _: tuple[Tensor, ...], output: Tensor) -> Tensor | None:
        return after(current[module], module, output) if after else None

    try:
        for path in names:
            module = network.get_submodule(path)
            hooks.append(module.register_forward_pre_hook(partial(enter, path)))
            if after:
                hooks.append(module.register_forward_hook(leave))
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
