"""The one-hidden-layer networks of GmP Figures 2 and 3, as the authors' code builds them."""

from collections.abc import Callable, Sequence

import torch
from torch import Generator, Tensor, nn

from reactivate.layers.batched.affine import Affine, Units
from reactivate.layers.batched.bn import BatchNormUnits
from reactivate.layers.batched.gmp import GeometricUnits
from reactivate.layers.batched.sp import StandardUnits
from reactivate.layers.batched.wn import WeightNormUnits
from reactivate.models.batched_mlp import BatchedMLP, build

PARAMETERIZATIONS = ("sp", "wn", "bn", "gmp")
BATCH_NORM = {"momentum": 0.01, "epsilon": 1e-3}  # Keras's defaults


class SignUnits(Units):
    r"""GmP with one input, ``r activation(s x + lambda)``: the direction is a sign.

    On a line the angle can only be 0 or pi, so the sign is that of the initial weight and is not
    trained (the authors' code stops its gradient).

    Reference:
        Chen & Ge 2024, section 3.5 (arXiv:2305.15912).

    Args:
        weight: Weights of the plain layer it starts from, ``(B, H, 1)``.
        bias: Its biases, ``(B, H)``: ``lambda = b / |w|``.
    """

    sign: Tensor

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__(weight, bias)
        del self.weight, self.bias
        length = weight.norm(dim=-1)
        self.register_buffer("sign", weight.sign().flatten(0, 1))  # (B * H, 1)
        self.offset = nn.Parameter(bias / length)  # lambda
        self.radius = nn.Parameter(length)  # r

    def affine(self, x: Tensor) -> Affine:
        return Affine(self.rows(self.sign), self.offset.unsqueeze(1), self.radius.unsqueeze(1))


def networks(
    parameterization: str, features: int, hidden: int, streams: Sequence[Generator]
) -> BatchedMLP:
    """One network with a single output per random stream, in float64.

    Weights are Glorot-uniform and biases 0, converted where the parameterization has other
    parameters; the same stream gives the same function under SP and WN. So it does under GmP, but
    for the sign of the last input's weight, which the authors' conversion loses. WN's output layer
    is weight-normalized too, as in the authors' code.

    Args:
        parameterization: One of :data:`PARAMETERIZATIONS`.
        features: Inputs.
        hidden: ReLU units.
        streams: Where the weights of each network are drawn from.
    """
    units: dict[str, Callable[..., Units]] = {
        "sp": StandardUnits,
        "wn": WeightNormUnits,
        "bn": BatchNormUnits,
        "gmp": GeometricUnits if features > 1 else SignUnits,
    }
    return build(
        units=units[parameterization],
        output_units=WeightNormUnits if parameterization == "wn" else Units,
        activation=nn.ReLU(),
        features=features,
        hidden=hidden,
        streams=streams,
        dtype=torch.float64,
        initialization="authors_code",
        options=BATCH_NORM if parameterization == "bn" else {},
    )
