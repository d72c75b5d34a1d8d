"""Gates of a piecewise-linear network: the piece every neuron is on, kept and used again.

Between two breakpoints an activation is an affine map, and a max pooling passes on one of its
inputs. With these choices given, a network is an affine map of its input: the sum of its paths.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from reactivate.activations import names
from reactivate.activations.traits import is_activation
from reactivate.patterns.breakpoints import breakpoints_of, is_piecewise_linear
from reactivate.patterns.chains import AFFINE, MAX_POOLING, NORMALISATION
from reactivate.patterns.preactivations import evaluating, numbered

Masks = dict[str, Tensor]  # bools by use of a module, True for what is removed
Replace = Callable[[str, nn.Module, Tensor], Tensor | None]  # name of the use, module, its input

WIDTH = 3.0  # of an outer piece, in which points are taken as if it had an end
POOL = {
    nn.MaxPool1d: functional.max_pool1d_with_indices,
    nn.MaxPool2d: functional.max_pool2d_with_indices,
    nn.MaxPool3d: functional.max_pool3d_with_indices,
}


@dataclass(frozen=True)
class Gates:
    """The affine maps that activations and max poolings were, by their use, in forward order.

    Attributes:
        pieces: Piece of every pre-activation of an activation, int8 ``(N, *)``: ``2 k`` on piece
            k (0 is the one below all breakpoints), ``2 k + 1`` on the breakpoint above it.
        choices: Place of the input that a max pooling chose among all positions of its channel,
            int64, shaped like the output.
    """

    pieces: dict[str, Tensor] = field(default_factory=dict)
    choices: dict[str, Tensor] = field(default_factory=dict)


def gated_modules(network: nn.Module) -> dict[str, nn.Module]:
    """Activations and max poolings of a network by their path in it.

    Raises:
        ValueError: A module is not piecewise linear, so that no gate makes it an affine map; or
            there is no activation (those that are called as functions cannot be seen).

    Example:
        >>> gated_modules(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.MaxPool1d(3))).keys()
        dict_keys(['1', '2'])
        >>> gated_modules(nn.Sequential(nn.Linear(2, 3), nn.GELU()))
        Traceback (most recent call last):
        ValueError: GELU at '1' is not piecewise linear, and paths need pieces; accepted: relu,
        leaky_relu, prelu, crelu, psc, spsc, max pooling, and affine modules. Choose another
        activation for the network
    """
    gated: dict[str, nn.Module] = {}
    for name, module in _parts("", network):
        if is_piecewise_linear(module) or isinstance(module, MAX_POOLING):
            gated[name] = module
        elif not _is_affine(module):
            accepted = ", ".join(names(lambda traits: traits.piecewise_linear))
            raise ValueError(
                f"{type(module).__name__} at {name!r} is not piecewise linear, and paths need "
                f"pieces; accepted: {accepted}, max pooling, and affine modules. Choose another "
                "activation for the network"
            )
    if not any(is_piecewise_linear(module) for module in gated.values()):
        raise ValueError(
            f"{type(network).__name__} has no activation; accepted: networks whose activations "
            "are modules. Make activations that are called as functions modules of the network"
        )
    return gated


def _parts(name: str, module: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Names and modules that compute something of their own; others only order them."""
    children = list(module.named_children())
    whole = isinstance(module, AFFINE) or is_activation(type(module))
    if whole or not children:
        yield name, module
        return
    for part, child in children:
        yield from _parts(f"{name}.{part}" if name else part, child)


def _is_affine(module: nn.Module) -> bool:
    """Whether a module is affine when evaluated; those of others are, unless activations."""
    if isinstance(module, NORMALISATION):
        return module.running_mean is not None
    torch_own = type(module).__module__.startswith("torch.nn.")
    return isinstance(module, AFFINE) or not (torch_own or is_activation(type(module)))


@contextmanager
def replacing(network: nn.Module, replace: Replace) -> Iterator[None]:
    """While open, activations and max poolings return what ``replace`` makes of their input.

    Args:
        network: See :func:`gated_modules`.
        replace: ``replace(name, module, z)``; None for the module's own output. The second use
            of a module in one pass has ``:2`` appended to its name, and so on.

    Example:
        >>> network = nn.Sequential(nn.Identity(), nn.ReLU())
        >>> with replacing(network, lambda name, module, z: 2 * z):
        ...     network(torch.tensor([-1.0]))
        tensor([-2.])
    """
    uses: Counter[str] = Counter()
    inputs: dict[nn.Module, Tensor] = {}
    hooks = [network.register_forward_pre_hook(lambda *_: uses.clear())]

    def keep(module: nn.Module, args: tuple[Tensor, ...]) -> None:
        inputs[module] = args[0].clone() if getattr(module, "inplace", False) else args[0]

    def change(name: str) -> Callable[[nn.Module, object, object], Tensor | None]:
        return lambda module, *_: replace(numbered(name, uses), module, inputs.pop(module))

    try:
        for name, module in gated_modules(network).items():
            hooks.append(module.register_forward_pre_hook(keep))
            hooks.append(module.register_forward_hook(change(name)))
        yield
    finally:
        for handle in hooks:
            handle.remove()


def record(network: nn.Module, x: Tensor) -> tuple[Tensor, Gates]:
    """Output and gates of a forward pass; the network is evaluated and left as it was.

    Example:
        >>> _, gates = record(nn.Sequential(nn.Identity(), nn.ReLU()), torch.tensor([[-1.0, 2.0]]))
        >>> gates.pieces
        {'1': tensor([[0, 2]], dtype=torch.int8)}
    """
    gates = Gates()

    def keep(name: str, module: nn.Module, z: Tensor) -> None:
        if isinstance(module, MAX_POOLING):
            gates.choices[name] = choices_of(module, z)
        else:
            gates.pieces[name] = pieces_of(module, z)

    with evaluating(network), replacing(network, keep):
        output = network(x)
    return output, gates


def pieces_of(activation: nn.Module, z: Tensor) -> Tensor:
    """Piece of an activation that each number is on, see :class:`Gates`.

    Example:
        >>> pieces_of(nn.ReLU6(), torch.tensor([-1.0, 0.0, 1.0, 6.0, 7.0]))
        tensor([0, 1, 2, 3, 4], dtype=torch.int8)
    """
    pieces = torch.zeros_like(z, dtype=torch.int8)
    for point in breakpoints_of(activation):
        pieces += z > point
        pieces += z >= point
    return pieces


def choices_of(pooling: nn.Module, z: Tensor) -> Tensor:
    """The inputs that a max pooling chooses, see :class:`Gates`."""
    pool = next(function for kind, function in POOL.items() if isinstance(pooling, kind))
    settings = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")
    places: Tensor = pool(z, **{name: getattr(pooling, name) for name in settings})[1]
    return places


def float_neurons(gates: Gates, others: Gates) -> Masks:
    """Masks of the neurons that are float between two inputs, bools shaped like the pieces.

    On a breakpoint a neuron has no pattern, and is float whatever the other input: as in
    :class:`reactivate.patterns.stability.Stability`.

    Reference:
        Jiang 2024, Definition 4 as its sentence says (PhD thesis, Lancaster).

    Example:
        >>> one, other = (Gates({"relu": torch.tensor(piece)}) for piece in ([0, 2, 1], [0, 0, 1]))
        >>> float_neurons(one, other)
        {'relu': tensor([False,  True,  True])}
    """
    pairs = {name: (piece, others.pieces[name]) for name, piece in gates.pieces.items()}
    return {name: (one != other) | (one % 2 == 1) for name, (one, other) in pairs.items()}


def float_choices(gates: Gates, others: Gates) -> Masks:
    """Masks of outputs for which max poolings choose another input at the other point."""
    return {name: choice != others.choices[name] for name, choice in gates.choices.items()}


def replay(
    network: nn.Module, x: Tensor, gates: Gates, removed: Mapping[str, Tensor] | None = None
) -> Tensor:
    """Output of the affine map that gates make of a network, ``f_A(x)``.

    Args:
        network: See :func:`gated_modules`; it is evaluated and left as it was.
        x: Inputs, ``(N, *)``.
        gates: Gates of another pass (:func:`record`), with N inputs or with one for all.
        removed: Outputs that are set to 0 behind a gate, bools shaped like the gates: neurons
            whose paths are left out.

    Example:
        >>> network = nn.Sequential(nn.Identity(), nn.ReLU())
        >>> _, gates = record(network, torch.tensor([[-1.0, 1.0]]))
        >>> replay(network, torch.tensor([[5.0, -7.0]]), gates)
        tensor([[ 0., -7.]])
    """

    def give(name: str, module: nn.Module, z: Tensor) -> Tensor:
        if isinstance(module, MAX_POOLING):
            value = taken(gates.choices[name], z)
        else:
            value = along(module, gates.pieces[name], z)
        return value if removed is None or name not in removed else without(removed[name], value)

    with evaluating(network), replacing(network, give):
        output: Tensor = network(x)
    return output


def along(activation: nn.Module, pieces: Tensor, z: Tensor) -> Tensor:
    """Outputs of an activation on given pieces; on a breakpoint, the piece below it.

    Example:
        >>> along(nn.ReLU6(), torch.tensor([[0, 2, 4]]), torch.tensor([[1.0, -1.0, 3.0]]))
        tensor([[ 0., -1.,  6.]])
    """
    slopes, offsets = lines(activation, z)
    times = slopes.shape[1] // z.shape[1]  # outputs of one pre-activation
    z, piece = (torch.cat([part] * times, dim=1) for part in (z, pieces // 2))
    shape = (-1, *(1,) * (z.dim() - 2))
    value = torch.zeros_like(z)
    for number, (slope, offset) in enumerate(zip(slopes, offsets, strict=True)):
        line = z * slope.reshape(shape) + offset.reshape(shape)
        value = torch.where(piece == number, line, value)
    return value


def lines(activation: nn.Module, z: Tensor) -> tuple[Tensor, Tensor]:
    """Slope and offset of every piece of an activation, ``(pieces, outputs)`` each.

    Both are read off two values inside each piece, and exact for points such as -2 and -1.
    """
    points = breakpoints_of(activation)
    ends = pairwise((points[0] - WIDTH, *points, points[-1] + WIDTH))
    thirds = z.new_tensor(
        [(low + (high - low) / 3, high - (high - low) / 3) for low, high in ends]
    )
    inside = thirds.reshape(-1, 1).repeat(1, z.shape[1])  # (2 * pieces, channels)
    first, second = activation.forward(inside).reshape(len(thirds), 2, -1).unbind(1)
    slopes = (second - first) / thirds.diff(dim=1)
    return slopes, first - slopes * thirds[:, :1]


def taken(choices: Tensor, z: Tensor) -> Tensor:
    """Outputs of a max pooling that takes given inputs, ``(N, C, *)``."""
    places = choices.expand(len(z), *choices.shape[1:])
    return z.flatten(2).gather(2, places.flatten(2)).view_as(places)


def without(removed: Tensor, value: Tensor) -> Tensor:
    """Outputs of neurons, with 0 for all those of the removed ones."""
    times = value.shape[1] // removed.shape[1]
    return value.masked_fill(torch.cat([removed] * times, dim=1), 0)
