"""What a network must know about an activation before it can place it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Traits:
    """Declared by an activation class as ``traits = Traits(...)``; torch's own have the defaults.

    Attributes:
        channel_multiplier: Output channels per input channel (CReLU: 2).
        needs_channels: The constructor takes ``channels``.
        needs_convolution: ``forward(response, conv_input, convolution)``: the unit reads the
            convolution it follows and that convolution's input (IIEU).
        couples_residual: A residual block replaces its sum by the class's ``coupler``,
            ``coupler(channels)(identity, residual)`` (IIEU-DC).
        gates_next: The layer that reads this activation gets the class's ``gate`` as a
            parametrization of its weight, ``gate.attach(layer)`` (static PSC).
    """

    channel_multiplier: int = 1
    needs_channels: bool = False
    needs_convolution: bool = False
    couples_residual: bool = False
    gates_next: bool = False


def traits_of(activation: type) -> Traits:
    """Traits of an activation class, torch's own included."""
    return getattr(activation, "traits", Traits())
