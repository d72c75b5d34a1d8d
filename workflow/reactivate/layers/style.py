"""The style of a network: activation, parameterization and initial weights of all its units."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from torch import nn

from reactivate.activations import ACTIVATIONS
from reactivate.activations.traits import Traits, traits_of
from reactivate.layers.initialization import Layer, initialize
from reactivate.layers.parameterizations import parameterize
from reactivate.layers.unit import Unit

# These normalise the response before the activation: a bias there would be subtracted again.
WITHOUT_BIAS = ("bn", "wn_mbn")


@dataclass(frozen=True)
class Style:
    """Makes the units of one network.

    Attributes:
        activation: A key of :data:`reactivate.activations.ACTIVATIONS`; None for linear units.
        parameterization: A key of :data:`reactivate.layers.PARAMETERIZATIONS`.
        initialization: See :func:`reactivate.layers.initialization.initialize`.
        options: Options of the activation.
        mean_shift: See :func:`reactivate.layers.parameterizations.parameterize`.

    Example:
        >>> Style("crelu", "bn").conv(3, 8, kernel=3).out_channels
        16
    """

    activation: str | None = "relu"
    parameterization: str = "sp"
    initialization: str = "torch"
    options: Mapping[str, Any] = field(default_factory=dict)
    mean_shift: bool = True

    @property
    def traits(self) -> Traits:
        """Traits of the activation."""
        return traits_of(ACTIVATIONS.load(self.activation)) if self.activation else Traits()

    def using(self, activation: str | None) -> "Style":
        """The same style with another activation, or None for linear units."""
        options = self.options if activation == self.activation else {}
        return replace(self, activation=activation, options=options)

    def unit(self, layer: Layer) -> Unit:
        """A unit around a plain layer."""
        return Unit(
            layer,
            self.activation,
            self.parameterization,
            self.initialization,
            self.options,
            self.mean_shift,
        )

    def conv(
        self,
        channels: int,
        filters: int,
        kernel: int,
        stride: int = 1,
        padding: int = 0,
        groups: int = 1,
        bias: bool | None = None,
    ) -> Unit:
        """A convolutional unit; by default without a bias that the normalisation would remove."""
        if bias is None:
            bias = self.parameterization not in WITHOUT_BIAS
        layer = nn.Conv2d(channels, filters, kernel, stride, padding, groups=groups, bias=bias)
        return self.unit(layer)

    def linear(self, features: int, outputs: int, bias: bool | None = None) -> Unit:
        """A fully connected unit; by default without a bias that would be removed."""
        if bias is None:
            bias = self.parameterization not in WITHOUT_BIAS
        return self.unit(nn.Linear(features, outputs, bias))

    def output(self, features: int, classes: int) -> nn.Module:
        """The last layer: plain, but weight-normalised in weight-normalised networks.

        Reference:
            Chen & Ge 2024, section 4.1 (arXiv:2305.15912): GmP leaves the output layer alone;
            the weight-normalised one is the authors' code (geometric-parameterization 0c48483).
        """
        layer = nn.Linear(features, classes)
        initialize(layer, self.initialization)  # of a linear layer all bounds are the same
        if self.parameterization in ("wn", "wn_mbn"):
            return parameterize(layer, "wn").layer
        return layer
