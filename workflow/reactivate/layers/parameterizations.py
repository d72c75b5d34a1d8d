"""Six ways to parameterize ``activation(w x + b)``, each starting from a given plain layer."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch.nn.utils import parametrizations, parametrize

from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.direction import Direction, Radius
from reactivate.layers.initialization import (
    Layer,
    initialize,
    uniform_angles,
    uniform_directions,
    unsigned_last,
)
from reactivate.layers.mean import MeanOnlyBatchNorm


@dataclass(frozen=True)
class Parts:
    """A reparameterized layer, and the modules that belong around its activation.

    Attributes:
        layer: The layer itself, reparameterized in place.
        before: Module applied to the layer's response, before the activation.
        scale: Module applied after the activation (the radius of GmP).
        centre: Makes the module that centres the activated output, given its channel count (IMN).
    """

    layer: Layer
    before: nn.Module | None = None
    scale: nn.Module | None = None
    centre: Callable[[int], nn.Module] | None = None


def parameterize(
    layer: Layer,
    name: str = "sp",
    initialization: str = "torch",
    generator: Generator | None = None,
    mean_shift: bool = True,
) -> Parts:
    """Reparameterizes a plain layer in place; with ``torch`` it computes what the layer did.

    In evaluation mode the result equals the plain layer: exactly for ``sp``, ``wn``, ``wn_mbn``
    and, after an activation with ``f(r x) = r f(x)`` for ``r > 0`` such as ReLU, ``gmp`` and
    ``gmp_imn``; up to batch normalisation's ``1 / sqrt(1 + eps)`` for ``bn``.

    Reference:
        Chen & Ge 2024, Eq. 1, 3, 4, 15 and 16 (arXiv:2305.15912).

    Args:
        layer: A Linear or Conv layer.
        name: A key of :data:`reactivate.layers.PARAMETERIZATIONS`.
        initialization: ``torch`` keeps the layer's weights; others redraw them first, see
            :func:`reactivate.layers.initialization.initialize`.
        generator: Source of redrawn weights; torch's default one if None.
        mean_shift: Whether mean-only batch normalisation (``wn_mbn``) learns a shift, as Salimans
            & Kingma's does. In the authors' code it does not: the mean removes the bias of the
            layer, so the unit has none.

    Example:
        >>> parts = parameterize(nn.Linear(3, 2), "gmp")
        >>> parts.layer.weight.norm(dim=1).detach().round(decimals=4)
        tensor([1., 1.])
    """
    initialize(layer, initialization, generator, name)
    parts: Parts = PARAMETERIZATIONS.load(name)(layer)
    if isinstance(parts.scale, Radius):
        _initialize_geometry(parts.layer, parts.scale, initialization, generator)
    if isinstance(parts.before, MeanOnlyBatchNorm) and not mean_shift:
        parts.before.shift = None
    return parts


def standard(layer: Layer) -> Parts:
    """The plain layer ``w x + b`` (Eq. 1)."""
    return Parts(layer)


def weight_normalized(layer: Layer) -> Parts:
    """The layer ``l v / |v| x + b`` (Eq. 3), each output unit normalised by itself."""
    return Parts(parametrizations.weight_norm(layer))


def weight_and_mean_normalized(layer: Layer) -> Parts:
    """The layer ``l v / |v| x - E[...] + b``: weight and mean-only batch normalisation."""
    norm = MeanOnlyBatchNorm(layer.weight.shape[0], shift=True).to(layer.weight)
    if layer.bias is not None and norm.shift is not None:
        norm.shift.data.copy_(layer.bias.data)
        layer.bias = None
    return Parts(parametrizations.weight_norm(layer), before=norm)


def batch_normalized(layer: Layer) -> Parts:
    """The layer ``BN(w x + b)`` (Eq. 4). The mean removes ``b``: networks usually leave it out."""
    kinds = {2: nn.BatchNorm1d, 3: nn.BatchNorm1d, 4: nn.BatchNorm2d, 5: nn.BatchNorm3d}
    norm = kinds[layer.weight.dim()](layer.weight.shape[0]).to(layer.weight)
    return Parts(layer, before=norm)


def geometric(layer: Layer) -> Parts:
    """The unit ``r activation(u(theta) x + lambda)`` (Eq. 15): ``lambda = b/|w|``, ``r = |w|``."""
    weight = layer.weight.detach()
    radius = weight.flatten(1).norm(dim=1)
    if layer.bias is None:
        layer.bias = nn.Parameter(torch.zeros_like(radius))
    if not weight.is_meta and bool(((radius == 0) & (layer.bias != 0)).any()):
        raise ValueError(
            f"{layer} has a unit with weights 0 and a bias that is not 0; GmP needs a direction. "
            "Redraw that unit before calling parameterize"
        )
    with torch.no_grad():
        layer.bias.div_(radius.where(radius > 0, 1))  # lambda: distance of the hyperplane from 0
    direction = Direction(weight.shape)
    parametrize.register_parametrization(layer, "weight", direction)
    if direction.fan_in == 1:
        _angles(layer).requires_grad_(False)  # the sign
    return Parts(layer, scale=Radius(radius))


def geometric_with_centred_inputs(layer: Layer) -> Parts:
    """The layer of :func:`geometric`, its output centred for the next layer (Eq. 16)."""
    parts = geometric(layer)

    def centre(channels: int) -> nn.Module:
        return MeanOnlyBatchNorm(channels).to(layer.weight)

    return Parts(parts.layer, scale=parts.scale, centre=centre)


def _angles(layer: nn.Module) -> Tensor:
    """The angles that a layer's weight is computed from."""
    theta: Tensor = layer.get_parameter("parametrizations.weight.original")
    return theta


def _initialize_geometry(
    layer: nn.Module, scale: Radius, initialization: str, generator: Generator | None
) -> None:
    """Draws angles and sets radii of GmP where a scheme has a rule for them.

    Section 4.3 prescribes radii of 1. A frozen sign has no angle, so it stays.
    """
    theta = _angles(layer)
    if initialization.startswith("document"):
        nn.init.ones_(scale.radius)
    if not theta.requires_grad:
        return
    if initialization == "document":
        uniform_angles(theta, generator)
    elif initialization == "document_direction":
        uniform_directions(theta, generator)
    elif initialization == "authors_code":
        unsigned_last(theta)
