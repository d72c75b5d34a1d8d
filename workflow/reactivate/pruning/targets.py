"""Targets of pruning: layers, and the activations whose entropy they are judged by."""

from dataclasses import dataclass

from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.utils import parametrize

from reactivate.models.flops import Layers
from reactivate.patterns.breakpoints import breakpoints_of
from reactivate.patterns.preactivations import evaluating, watching

WEIGHT = "weight"  # the parameter of a target that is pruned


@dataclass(frozen=True)
class Target:
    """A module whose weight is pruned.

    Attributes:
        name: Path of the module in the network.
        module: A linear or convolutional layer, or a batch normalisation.
        activation: The use of the activation that it feeds, as
            :func:`reactivate.patterns.preactivations.watching` names it.
        neurons: Shape of that activation's input, without the batch.
        breakpoints: Breakpoints of that activation.
    """

    name: str
    module: nn.Module
    activation: str
    neurons: tuple[int, ...]
    breakpoints: tuple[float, ...]

    @property
    def units(self) -> int:
        """Number of rows of the weight: units or channels."""
        return len(self.stored)

    @property
    def stored(self) -> Tensor:
        """The weight as it is trained, also where it is masked."""
        masked: Tensor | None = getattr(self.module, f"{WEIGHT}_orig", None)
        return _weight(self.module) if masked is None else masked

    @property
    def mask(self) -> Tensor:
        """The mask of the weight, 1 where a parameter remains; it is there once masks started."""
        mask: Tensor = getattr(self.module, f"{WEIGHT}_mask")
        return mask


def find_targets(network: nn.Module, x: Tensor, normalisations: bool = False) -> list[Target]:
    """Layers in the order in which they are used, each with the next activation used after it.

    A layer that feeds no activation, like the last one, is left out: its neurons have no entropy.
    So is one whose units are not those of the activation (a projection before the next layer).

    Args:
        network: Any network whose activations are modules; it is evaluated and left as it was.
        x: Some inputs, ``(N, *)``.
        normalisations: Prune batch normalisations too, as the author's program does.

    Raises:
        ValueError: No layer feeds an activation, or the weight of one is computed, not stored.

    Example:
        >>> import torch
        >>> network = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
        >>> [target.name for target in find_targets(network, torch.zeros(1, 2))]
        ['0']
    """
    kinds = (*Layers, _BatchNorm) if normalisations else Layers
    names: dict[nn.Module, str] = {
        m: n for n, m in network.named_modules() if isinstance(m, kinds) and _has_weight(m)
    }
    waiting: list[nn.Module] = []
    targets: dict[nn.Module, Target] = {}

    def wait(module: nn.Module, *_: object) -> None:
        waiting.append(module)

    def assign(use: str, activation: nn.Module, z: Tensor) -> None:
        fed = use, tuple(z.shape[1:]), breakpoints_of(activation)
        for module in waiting:
            fits = z[0].numel() % len(_weight(module)) == 0
            if fits and module not in targets:
                targets[module] = Target(names[module], module, *fed)
        waiting.clear()

    hooks = [module.register_forward_hook(wait) for module in names]
    try:
        with evaluating(network), watching(network, assign):
            network(x)
    finally:
        for hook in hooks:
            hook.remove()
    if not targets:
        raise ValueError(
            f"{type(network).__name__} has no layer that feeds an activation; accepted: networks "
            "with a linear or convolutional layer before an activation. Change the network"
        )
    return list(targets.values())


def _has_weight(module: nn.Module) -> bool:
    """Whether a module has a weight; one that is computed from others cannot be masked."""
    if parametrize.is_parametrized(module, WEIGHT):
        raise ValueError(
            f"the weight of {module} is computed from other parameters, so it has no entries to "
            "mask; accepted: plain layers (parameterization sp or bn). Change the network"
        )
    return getattr(module, WEIGHT) is not None


def _weight(module: nn.Module) -> Tensor:
    """The weight of a module, of which a mask may have removed a part."""
    weight: Tensor = getattr(module, WEIGHT)
    return weight
