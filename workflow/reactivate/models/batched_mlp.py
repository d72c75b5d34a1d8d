"""Many one-hidden-layer networks as one module."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from reactivate.layers.batched.affine import Units, apply_affine


class BatchedMLP(nn.Module):
    """A module of ``B`` networks with one hidden layer each, evaluated by batched products.

    Args:
        hidden: The hidden layers, in any parameterization.
        output: The linear output layers.
        activation: Elementwise activation.

    Shape:
        - Input: ``(B, N, n)``
        - Output: ``(B, N, m)``
    """

    def __init__(
        self, hidden: Units, output: Units, activation: Callable[[Tensor], Tensor]
    ) -> None:
        super().__init__()
        self.hidden = hidden
        self.output = output
        self.activation = activation

    def forward(self, x: Tensor) -> Tensor:
        inner = self.hidden.affine(x)
        features = self.activation(apply_affine(x, inner.weight, inner.bias))
        outer = self.output.affine(features)
        # the outer scale r is one number per unit: cheaper on the output weights than on features
        weight = outer.weight if inner.scale is None else outer.weight * inner.scale
        return apply_affine(features, weight, outer.bias)

    def named_rows(self) -> dict[str, Tensor]:
        """All parameters and buffers by name, one row per network: ``(B, k)`` views."""
        networks = self.output.bias.shape[0]
        return {name: tensor.view(networks, -1) for name, tensor in self.state_dict().items()}

    def keep(self, networks: Tensor) -> None:
        """Drops all networks but those where the mask ``(B,)`` is True."""
        total = len(networks)
        for tensor in [*self.parameters(), *self.buffers()]:
            parts = tensor.data.view(total, -1, *tensor.shape[1:])
            tensor.data = parts[networks].flatten(0, 1).contiguous()

    @torch.no_grad()
    def load_rows(self, rows: dict[str, Tensor]) -> None:
        """Sets all parameters and buffers; the number of networks becomes that of the rows."""
        tensors = {**dict(self.named_parameters()), **dict(self.named_buffers())}
        for name, value in rows.items():
            tensors[name].data = value.reshape(-1, *tensors[name].shape[1:]).clone()


def glorot(
    out_features: int, in_features: int, streams: Sequence[torch.Generator], dtype: torch.dtype
) -> Tensor:
    """Glorot-uniform weights ``(B, out, in)``, one random stream per network."""
    bound = math.sqrt(6.0 / (in_features + out_features))
    draws = [torch.rand(out_features, in_features, generator=s, dtype=dtype) for s in streams]
    return (2 * torch.stack(draws) - 1) * bound


def build(
    units: Callable[..., Units],
    output_units: Callable[..., Units],
    activation: Callable[[Tensor], Tensor],
    features: int,
    hidden: int,
    streams: Sequence[torch.Generator],
    dtype: torch.dtype,
    initialization: str,
    options: dict[str, float],
) -> BatchedMLP:
    """One network per random stream, with one output.

    The plain weights are drawn first and do not depend on the parameterization, so the rows of a
    table start from the same draw.

    Args:
        units: Class of the hidden layer.
        output_units: Class of the output layer.
        activation: Elementwise activation.
        features: Inputs.
        hidden: Hidden units.
        streams: One generator per network.
        dtype: Floating-point type.
        initialization: ``authors_code``: converted from Glorot weights as the authors' program
            does, ``authors_code_signed``: without its loss of the sign of the last coordinate;
            ``document``: as the document states for this parameterization, each angle of GmP
            uniform, ``document_direction``: the direction of GmP uniform.
        options: Passed to ``units``.
    """
    weight = glorot(hidden, features, streams, dtype)
    readout = glorot(1, hidden, streams, dtype)
    layer = units(weight, weight.new_zeros(weight.shape[:2]), **options)
    if initialization == "document":
        layer.initialize_as_documented(streams)
    elif initialization == "document_direction":
        layer.initialize_in_all_directions(streams)
    elif initialization == "authors_code":
        layer.initialize_as_programmed()
    output = output_units(readout, readout.new_zeros(len(readout), 1))
    return BatchedMLP(layer, output, activation)
