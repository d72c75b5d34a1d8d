"""One network of a batch, written out with torch's own modules."""

from collections.abc import Callable

import pytest
import torch
from reactivate.layers.batched import BATCHED
from reactivate.layers.batched.affine import Units
from reactivate.models.batched_mlp import BatchedMLP, build
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm

BATCH_NORM = {"momentum": 0.3, "epsilon": 1e-2}  # not torch's defaults: both must be passed on
OUTPUT = {"last.weight": "output.weight", "last.bias": "output.bias"}
WN_OUTPUT = {
    "last.parametrizations.weight.original0": "output.parametrizations.weight.original0",
    "last.parametrizations.weight.original1": "output.parametrizations.weight.original1",
    "last.bias": "output.bias",
}
# name in the ordinary module -> name in the batch
NAMES = {
    "sp": {"first.weight": "hidden.weight", "first.bias": "hidden.bias", **OUTPUT},
    "wn": {
        "first.parametrizations.weight.original0": "hidden.parametrizations.weight.original0",
        "first.parametrizations.weight.original1": "hidden.parametrizations.weight.original1",
        "first.bias": "hidden.bias",
    },
    "bn": {
        "first.weight": "hidden.weight",
        "first.bias": "hidden.bias",
        "norm.weight": "hidden.gamma",
        "norm.bias": "hidden.beta",
        "norm.running_mean": "hidden.running_mean",
        "norm.running_var": "hidden.running_var",
        **OUTPUT,
    },
    "gmp": {
        "first.theta": "hidden.theta",
        "first.offset": "hidden.offset",
        "first.radius": "hidden.radius",
        **OUTPUT,
    },
}


class Geometric(nn.Module):
    """``r relu(u(theta) x + lambda)``, every coordinate of ``u`` as its own product."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.theta = nn.Parameter(torch.zeros(hidden, features - 1, dtype=torch.float64))
        self.offset = nn.Parameter(torch.zeros(hidden, dtype=torch.float64))
        self.radius = nn.Parameter(torch.zeros(hidden, dtype=torch.float64))

    def forward(self, x: Tensor) -> Tensor:
        sines, cosines = self.theta.sin(), self.theta.cos()
        columns = [
            sines[:, :k].prod(dim=1) * cosines[:, k] for k in range(self.theta.shape[1])
        ] + [sines.prod(dim=1)]
        return self.radius * (x @ torch.stack(columns, dim=1).T + self.offset).relu()


class Network:
    """Network ``b`` of a batch as ordinary modules, and which of its tensors is which row."""

    def __init__(self, name: str, batch: BatchedMLP, b: int, wn_output: bool = False) -> None:
        rows = batch.named_rows()
        features, hidden = batch.hidden.fan_in, batch.hidden.units
        first = nn.Linear(features, hidden, dtype=torch.float64)
        last = nn.Linear(hidden, 1, dtype=torch.float64)
        layers = {"first": first, "act": nn.ReLU(), "last": last}
        if name == "wn":
            weight_norm(first)
        if name == "bn":
            norm = nn.BatchNorm1d(
                hidden, BATCH_NORM["epsilon"], BATCH_NORM["momentum"], dtype=torch.float64
            )
            layers = {"first": first, "norm": norm, "act": nn.ReLU(), "last": last}
        if name == "gmp":
            layers = {"first": Geometric(features, hidden), "last": last}
        if wn_output:
            weight_norm(last)
        self.names = {**NAMES[name], **(WN_OUTPUT if wn_output else OUTPUT)}
        self.module = nn.Sequential()
        for key, layer in layers.items():
            self.module.add_module(key, layer)
        with torch.no_grad():
            for ours, theirs in self.names.items():
                running = ours.startswith("norm.running")
                get = self.module.get_buffer if running else self.module.get_parameter
                tensor = get(ours)
                tensor.copy_(rows[theirs][b].view_as(tensor))

    def __call__(self, x: Tensor) -> Tensor:
        return self.module(x)


@pytest.fixture
def alone() -> type[Network]:
    """``alone(parameterization, batch, b)``: network ``b`` with modules of its own."""
    return Network


@pytest.fixture
def make() -> Callable[..., BatchedMLP]:
    """``make(parameterization, networks)``: a batch of small networks in float64."""

    def make_batch(
        name: str,
        networks: int = 3,
        features: int = 4,
        hidden: int = 6,
        initialization: str = "authors_code",
        wn_output: bool = False,
        first_seed: int = 0,
    ) -> BatchedMLP:
        units = BATCHED.load(name)
        streams = [torch.Generator().manual_seed(first_seed + b) for b in range(networks)]
        return build(
            units=units,
            output_units=BATCHED.load("wn") if wn_output else Units,
            activation=nn.ReLU(),
            features=features,
            hidden=hidden,
            streams=streams,
            dtype=torch.float64,
            initialization=initialization,
            options=BATCH_NORM if name == "bn" else {},
        )

    return make_batch
