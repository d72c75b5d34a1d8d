"""One unit of a network: a layer, what its parameterization adds, and its activation."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from reactivate.activations import ACTIVATIONS, create
from reactivate.activations.traits import Traits, traits_of
from reactivate.layers.initialization import Layer
from reactivate.layers.parameterizations import parameterize


def connect(before: nn.Module | None, layer: nn.Module) -> None:
    """Prepares a layer to read a unit: static PSC puts its gate on the weight that reads it.

    Networks call it for every layer that reads the output of ``before``, possibly after pooling.

    Example:
        >>> layer = nn.Linear(8, 3)
        >>> connect(Unit(nn.Linear(2, 4), "spsc"), layer)
        >>> "PhaseGate" in str(layer)
        True
    """
    if isinstance(before, Unit) and before.traits.gates_next:
        activation: Any = before.activation
        activation.gate.attach(layer)


class Unit(nn.Module):
    r"""Applies ``centre(scale(activation(before(layer(x)))))``.

    ``before`` is the normalisation of the response (BN, MBN), ``scale`` the radius of GmP and
    ``centre`` its input mean normalisation for the next layer; each only where the
    parameterization has it. An activation that reads its convolution (IIEU) gets the response
    after the normalisation, the layer's input and the layer.

    Args:
        layer: A plain Linear or Conv layer, reparameterized in place.
        activation: A key of :data:`reactivate.activations.ACTIVATIONS`; None for a linear unit.
        parameterization: A key of :data:`reactivate.layers.PARAMETERIZATIONS`.
        initialization: See :func:`reactivate.layers.initialization.initialize`.
        options: Options of the activation.
        mean_shift: See :func:`reactivate.layers.parameterizations.parameterize`.

    Shape:
        - Input: ``(N, c_in, *)``
        - Output: ``(N, out_channels, *)``, where ``out_channels`` is the layer's times the
          activation's channel multiplier

    Example:
        >>> Unit(nn.Conv2d(3, 8, 3), "crelu", "bn").out_channels
        16
    """

    def __init__(
        self,
        layer: Layer,
        activation: str | None = "relu",
        parameterization: str = "sp",
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
        mean_shift: bool = True,
    ) -> None:
        super().__init__()
        channels = layer.weight.shape[0]
        self.traits = traits_of(ACTIVATIONS.load(activation)) if activation else Traits()
        parts = parameterize(layer, parameterization, initialization, mean_shift=mean_shift)
        self.out_channels = channels * self.traits.channel_multiplier
        self.layer = parts.layer
        self.before = parts.before
        self.activation = create(activation, channels, **(options or {})) if activation else None
        self.scale = parts.scale
        self.centre: nn.Module | None = None
        if activation is not None and parts.centre is not None:
            self.centre = parts.centre(self.out_channels)

    def forward(self, x: Tensor) -> Tensor:
        response: Tensor = self.layer(x)
        if self.before is not None:
            response = self.before(response)
        if self.activation is not None:
            extra = (x, self.layer) if self.traits.needs_convolution else ()
            response = self.activation(response, *extra)
        if self.scale is not None:
            response = self.scale(response)
        return response if self.centre is None else self.centre(response)
