"""Forward passes in which the pre-activations of float neurons are made smaller."""

from collections.abc import Collection

import torch
from torch import Tensor, nn

from reactivate.models.residual import Join
from reactivate.patterns.breakpoints import breakpoints_of, encode
from reactivate.patterns.preactivations import activations_of, changing

PLACES = ("all", "joined")


def masked_activations(network: nn.Module, where: str = "all") -> list[str]:
    """Paths of the activations whose float neurons are repressed.

    The output layer has no activation, so it is never one of them.

    Args:
        network: A network whose activations are modules.
        where: ``all``, or ``joined`` for those after the addition of a residual block alone, as
            in the author's code for ResNet-50 (OrangeBai/APCT c3cd927).

    Raises:
        ValueError: There is no such activation, or one does not depend on a pre-activation alone.
    """
    if where not in PLACES:
        raise ValueError(
            f"where is {where!r}; accepted: {', '.join(PLACES)}. Change it in the call"
        )
    names = list(activations_of(network))
    if where == "all":
        return names
    joins = {name for name, module in network.named_modules() if isinstance(module, Join)}
    joined = [name for name in names if name.rpartition(".")[0] in joins]
    if not joined:
        raise ValueError(
            f"{type(network).__name__} has no activation after the addition of a residual block; "
            "accepted for where 'joined': residual networks. Change where to 'all'"
        )
    return joined


def record_codes(network: nn.Module, names: Collection[str], x: Tensor) -> dict[str, Tensor]:
    """Activation patterns of a batch in an ordinary pass, int8, by use of an activation."""
    kept: dict[str, Tensor] = {}

    def keep(name: str, activation: nn.Module, z: Tensor) -> None:
        kept[name] = encode(z, breakpoints_of(activation))

    with changing(network, names, before=keep):
        network(x)
    return kept


def repress(z: Tensor, floating: Tensor, eta2: float) -> Tensor:
    """Pre-activations with a share taken from float ones: ``z - z * floating * eta2``.

    Reference:
        Jiang 2024, Algorithm 3, line 7 (PhD thesis, Lancaster).

    Args:
        z: Pre-activations.
        floating: Mask of those with another pattern than in the other stream; broadcasts.
        eta2: Share that is taken from float ones.

    Example:
        >>> repress(torch.tensor([2.0, 2.0]), torch.tensor([True, False]), eta2=0.1)
        tensor([1.8000, 2.0000])
    """
    return torch.where(floating, z * (1 - eta2), z)


def shrink(reference: Tensor, eta2: float) -> Tensor:
    """Factors on the outputs of ReLU that repress its float neurons, from the other stream.

    A neuron that is off here returns 0 whether repressed or not, and one that is on is a float
    neuron where the other stream is not on: which neurons are float need not be found out. As
    ``relu(s z) = s relu(z)`` for ``s > 0``, the factor may come after.

    Args:
        reference: Inputs or outputs of the ReLU in the other stream.
        eta2: Share that is taken from float neurons.

    Example:
        >>> shrink(torch.tensor([-1.0, 0.0, 2.0]), eta2=0.25)
        tensor([0.7500, 0.7500, 1.0000])
    """
    # numbers as tensors keep the type of the reference, and are made where it is
    return torch.where(reference > 0, reference.new_ones(()), reference.new_full((), 1 - eta2))


def is_relu(activation: nn.Module) -> bool:
    """Whether :func:`shrink` holds for an activation."""
    return type(activation) is nn.ReLU
