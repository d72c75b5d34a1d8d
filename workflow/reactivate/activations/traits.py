"""Traits of an activation: what a network, an analysis or a test must know before it uses one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Traits:
    """Facts about an activation, declared by its class as ``traits = Traits(...)``.

    Those of torch's own classes are in :data:`TORCH`.

    Attributes:
        channel_multiplier: Output channels per input channel (CReLU: 2).
        needs_channels: The constructor takes ``channels``.
        needs_convolution: ``forward(response, conv_input, convolution)``: the unit reads the
            convolution it follows and that convolution's input (IIEU).
        couples_residual: A residual block replaces its sum by the class's ``coupler``,
            ``coupler(channels)(identity, residual)`` (IIEU-DC).
        gates_next: The layer that reads this activation gets the class's ``gate`` as a
            parametrization of its weight, ``gate.attach(layer)`` (static PSC).
        spatial_only: Residual networks have it after 3x3 convolutions only (Meta-ACON).
        breakpoints: Numbers, in increasing order, that cut the domain into patterns; None where
            not every output depends on one pre-activation alone (IIEU, Meta-ACON).
        piecewise_linear: Between breakpoints every output is an affine map of one number.
        operations: Operations per element of the response, as published FLOPs count them.
        tested: Interval of inputs that holds all its bends, for tests of values and slopes.
    """

    channel_multiplier: int = 1
    needs_channels: bool = False
    needs_convolution: bool = False
    couples_residual: bool = False
    gates_next: bool = False
    spatial_only: bool = False
    breakpoints: tuple[float, ...] | None = (0.0,)
    piecewise_linear: bool = False
    operations: int = 1
    tested: tuple[float, float] = (-6.0, 6.0)


# Breakpoints of ReLU, leaky ReLU, PReLU, GELU and sigmoid are those of the thesis author's code
# (OrangeBai/APCT c3cd927). Section 5.2.1.2 of the thesis prints a third one, 0, for sigmoid and
# tanh, which would make four patterns where it speaks of three. ReLU6 is cut where it saturates.
# For all others 0 is our choice: there they pass from off to on.
TORCH = {
    "ReLU": Traits(piecewise_linear=True),
    "LeakyReLU": Traits(piecewise_linear=True),
    "PReLU": Traits(piecewise_linear=True),
    "ReLU6": Traits(breakpoints=(0.0, 6.0), piecewise_linear=True),
    "ELU": Traits(),
    "SELU": Traits(),
    "Softplus": Traits(),
    "Sigmoid": Traits(breakpoints=(-0.5, 0.5)),
    "Tanh": Traits(breakpoints=(-0.5, 0.5)),
    "GELU": Traits(),
    "SiLU": Traits(),
    "Mish": Traits(),
}
TORCH_MODULE = "torch.nn.modules.activation"


def declared_traits(kind: type) -> Traits | None:
    """Traits that a class, or one it is derived from, declares; None for other classes."""
    for base in kind.__mro__:
        own = vars(base).get("traits")
        if isinstance(own, Traits):
            return own
        if base.__module__ == TORCH_MODULE and base.__name__ in TORCH:
            return TORCH[base.__name__]
    return None


def traits_of(activation: type) -> Traits:
    """Traits of an activation class, torch's own included.

    Raises:
        ValueError: The class declares none.
    """
    traits = declared_traits(activation)
    if traits is None:
        raise ValueError(
            f"the class {activation.__name__} declares no traits; accepted: a class with "
            "`traits = Traits(...)`, or one of torch's that workflow/reactivate/activations/"
            f"traits.py lists. Declare them in {activation.__module__}"
        )
    return traits


def is_activation(kind: type) -> bool:
    """Whether a class is an activation: it declares traits, or torch counts it as one.

    Example:
        >>> from torch import nn
        >>> is_activation(nn.GELU), is_activation(nn.Hardswish), is_activation(nn.Linear)
        (True, True, False)
    """
    return declared_traits(kind) is not None or kind.__module__ == TORCH_MODULE
