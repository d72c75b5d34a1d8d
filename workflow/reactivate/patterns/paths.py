"""Fixed and float paths of piecewise-linear networks between two inputs.

A path leads from an input or a bias through one neuron of every layer to an output; its value is
what it starts with times the weights and slopes on its way. Between x and x' it is *fixed* if all
its neurons keep their pattern, and *float* otherwise. Sums over all paths take one forward pass
through given gates (:mod:`reactivate.patterns.gates`).
"""

from collections.abc import Iterable

from torch import Tensor, nn

from reactivate.patterns.chains import MAX_POOLING
from reactivate.patterns.gates import (
    Gates,
    Masks,
    float_choices,
    float_neurons,
    record,
    replacing,
    replay,
    without,
)
from reactivate.patterns.preactivations import evaluating
from reactivate.patterns.protocols import AUTHORS_CODE, DOCUMENT, check_protocol
from reactivate.patterns.stability import stabilities


def float_masks(network: nn.Module, x: Tensor, other: Tensor) -> Masks:
    """Masks of the neurons that are float between pairs of inputs, ``(N, *)`` by activation.

    Reference:
        Jiang 2024, Definition 4 as its sentence says (PhD thesis, Lancaster).

    Args:
        network: Piecewise linear, see :func:`reactivate.patterns.gates.gated_modules`; it is
            evaluated and left as it was.
        x: Inputs, ``(N, *)``.
        other: The other input of each pair, x'.

    Example:
        >>> import torch
        >>> network = nn.Sequential(nn.Identity(), nn.ReLU())
        >>> float_masks(network, torch.tensor([[-1.0, 1.0]]), torch.tensor([[1.0, 1.0]]))
        {'1': tensor([[ True, False]])}
    """
    _check_pairs(x, other)
    return float_neurons(record(network, x)[1], record(network, other)[1])


def fixed_paths(
    network: nn.Module, x: Tensor, other: Tensor, protocol: str = DOCUMENT
) -> tuple[Tensor, Tensor]:
    """Sums of the fixed paths between x and x', at both: ``Z^I(x)`` and ``Z^I(x')``.

    ``document`` sums exactly the paths of Definition 8: float neurons return 0 and all others
    stay on the piece they have at both inputs. An output of a max pooling that is another of its
    inputs for x than for x' is float too: without it Theorem 8 would not hold.

    ``authors_code`` finds the float neurons in two passes and sets their pre-activations to 0 in
    a third and fourth, in which all other neurons and max poolings choose anew. What remains is
    no sum of paths, since neurons behind the removed ones may be on other pieces.

    Reference:
        Jiang 2024, Definition 8 and section 6.3.2 (PhD thesis, Lancaster); the author's code:
        OrangeBai/APCT c3cd927.

    Args:
        network: Piecewise linear, see :func:`reactivate.patterns.gates.gated_modules`; it is
            evaluated and left as it was.
        x: Inputs, ``(N, *)``.
        other: The other input of each pair, x'.
        protocol: ``document`` or ``authors_code``.

    Returns:
        Two of ``(N, classes)``.

    Example:
        >>> import torch
        >>> network = nn.Sequential(nn.Identity(), nn.ReLU(), nn.Flatten())
        >>> fixed_paths(network, torch.tensor([[3.0, 1.0]]), torch.tensor([[-2.0, 5.0]]))
        (tensor([[0., 1.]]), tensor([[0., 5.]]))
    """
    return _decomposed(network, x, other, protocol)[2:]


def path_change(
    network: nn.Module, x: Tensor, other: Tensor, protocol: str = DOCUMENT
) -> tuple[Tensor, Tensor]:
    """Contributions of fixed and float paths to ``f(x) - f(x')``: delta^I and delta^T.

    ``delta^I = Z^I(x) - Z^I(x')`` and ``delta^T = f(x) - f(x') - delta^I``, so that they add up.

    Reference:
        Jiang 2024, Eq. 6.9 and 6.12 (PhD thesis, Lancaster).

    Departs from the paper:
        Behind Eq. 6.12 delta^T is the float paths of x' alone, under both patterns; these do not
        add up to the difference. That of Eq. 6.9 is taken.

    Args:
        network: See :func:`fixed_paths`.
        x: Inputs, ``(N, *)``.
        other: The other input of each pair, x'.
        protocol: See :func:`fixed_paths`.

    Returns:
        Two of ``(N, classes)``.

    Example:
        >>> import torch
        >>> network = nn.Sequential(nn.Identity(), nn.ReLU())
        >>> path_change(network, torch.tensor([[3.0, 1.0]]), torch.tensor([[-2.0, 5.0]]))
        (tensor([[ 0., -4.]]), tensor([[3., 0.]]))
    """
    here, there, fixed, other_fixed = _decomposed(network, x, other, protocol)
    change = fixed - other_fixed
    return change, here - there - change


def float_paths(network: nn.Module, x: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """Sums of the float paths at x' under the patterns of x and of x', exactly.

    ``Z^T(x', A)`` and ``Z^T(x', A')``; ``f(x) - f(x')`` is ``J(x) (x - x')`` plus the first minus
    the second.

    Reference:
        Jiang 2024, Theorem 8, statement 2 (PhD thesis, Lancaster).

    Args:
        network: See :func:`fixed_paths`.
        x: Inputs, ``(N, *)``.
        other: The other input of each pair, x'.

    Returns:
        Two of ``(N, classes)``.
    """
    _check_pairs(x, other)
    gates, (there, others) = record(network, x)[1], record(network, other)
    fixed = replay(network, other, gates, _floating(gates, others))
    return replay(network, other, gates) - fixed, there - fixed


def float_shares(network: nn.Module, batches: Iterable[Tensor]) -> dict[str, float]:
    """Share of neurons of each layer that are float in a set of inputs.

    Keeps one code and one bool per neuron, however large the set.

    Reference:
        Jiang 2024, Definition 4 and Figure 6.2 (PhD thesis, Lancaster).

    Args:
        network: Any network whose activations are modules; it is evaluated and left as it was.
        batches: The set, in parts, each ``(N, *)``.

    Example:
        >>> import torch
        >>> network = nn.Sequential(nn.Identity(), nn.ReLU())
        >>> float_shares(network, [torch.tensor([[1.0, 1.0]]), torch.tensor([[-1.0, 2.0]])])
        {'1': 0.5}
    """
    layers = stabilities(network, batches)
    return {name: float(layer.floating.double().mean()) for name, layer in layers.items()}


def _decomposed(
    network: nn.Module, x: Tensor, other: Tensor, protocol: str
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Outputs at x and x', then the sums of fixed paths at both."""
    _check_pairs(x, other)
    check_protocol(protocol)
    (here, gates), (there, others) = record(network, x), record(network, other)
    if protocol == AUTHORS_CODE:
        neurons = float_neurons(gates, others)
        fixed = [_silenced(network, point, neurons) for point in (x, other)]
    else:
        removed = _floating(gates, others)
        fixed = [replay(network, point, gates, removed) for point in (x, other)]
    return here, there, fixed[0], fixed[1]


def _floating(gates: Gates, others: Gates) -> Masks:
    """Masks of everything that is float between two inputs: neurons and choices of poolings."""
    return {**float_neurons(gates, others), **float_choices(gates, others)}


def _silenced(network: nn.Module, x: Tensor, neurons: Masks) -> Tensor:
    """Output of an ordinary pass in which some pre-activations are 0."""

    def silence(name: str, module: nn.Module, z: Tensor) -> Tensor | None:
        if isinstance(module, MAX_POOLING):
            return None
        silenced: Tensor = module.forward(without(neurons[name], z))
        return silenced

    with evaluating(network), replacing(network, silence):
        output: Tensor = network(x)
    return output


def _check_pairs(x: Tensor, other: Tensor) -> None:
    """Raises unless both tensors have one shape."""
    if x.shape != other.shape:
        raise ValueError(
            f"{tuple(x.shape)} and {tuple(other.shape)} make no pairs of inputs; accepted: two "
            "tensors of one shape. Change the call"
        )
