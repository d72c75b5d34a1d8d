"""Fully connected networks."""

from collections.abc import Mapping, Sequence
from typing import Any

from reactivate.layers.chain import Chain
from reactivate.layers.style import Style
from reactivate.models.network import Network


class MLP(Network):
    r"""Fully connected units and a linear output.

    Reference:
        Chen & Ge 2024, section 3.5 and Appendix C.3 (arXiv:2305.15912): one hidden layer of 100
        units (10 in figure 3).

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        features: Inputs.
        hidden: Units per hidden layer.

    Shape:
        - Input: ``(N, features)``, or anything that flattens to it
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> MLP(features=13)(torch.zeros(2, 13)).shape
        torch.Size([2, 1])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "sp",
        width: float = 1.0,
        classes: int = 1,
        features: int = 1,
        hidden: Sequence[int] = (100,),
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        style = Style(activation, parameterization, initialization, options or {})
        chain = Chain(style, features, width).flatten()
        for units in hidden:
            chain.linear(units)
        super().__init__(*chain.output(classes).modules)


class FCNN(MLP):
    r"""Nine hidden layers of 256 units, with batch normalisation, for 28x28 images.

    Reference:
        Jiang 2024, sections 3.2.1 and 5.2 (PhD thesis, Lancaster).

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        features: Inputs.

    Shape:
        - Input: ``(N, 1, 28, 28)``
        - Output: ``(N, classes)``

    Example:
        >>> len([unit for unit in FCNN() if hasattr(unit, "activation")])
        9
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "bn",
        width: float = 1.0,
        classes: int = 10,
        features: int = 784,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            activation,
            parameterization,
            width,
            classes,
            features,
            hidden=[256] * 9,
            initialization=initialization,
            options=options,
        )
