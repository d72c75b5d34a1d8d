"""Lipschitz constants: bounds from slopes and norms of layers, and local ones from Jacobians."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import torch
from torch import Tensor, nn
from torch.func import jacrev, vjp, vmap

from reactivate.patterns.chains import MAX_POOLING, blocks_of
from reactivate.patterns.preactivations import evaluating
from reactivate.patterns.slopes import pooling_slope, slopes_of

DENSE = 2**20  # entries of a map up to which its norm is that of the matrix written out


@dataclass(frozen=True)
class LayerBound:
    """Lipschitz constant of one layer, ``rho_i = slope * norm``.

    Attributes:
        name: Name of the layer's activation or max pooling; ``output`` for the last layer.
        slope: Largest slope of the nonlinear module where it is used.
        norm: Spectral norm of the affine part, normalisation included.
    """

    name: str
    slope: float
    norm: float

    @property
    def bound(self) -> float:
        """Lipschitz constant of the layer, ``rho_i``."""
        return self.slope * self.norm


def layer_bounds(
    network: nn.Module, shape: Sequence[int], pattern: Mapping[str, Tensor] | None = None
) -> list[LayerBound]:
    """Lipschitz constant of every layer, in a region or everywhere.

    ``rho_i = max_j sup |pi'| over the interval of neuron j, times the spectral norm of W_i``.
    Norms of maps with up to ``DENSE`` entries are exact; larger ones, by power iteration,
    approach the norm from below (1e-9 from one step to the next).

    Reference:
        Jiang 2024, Lemma 5, Eq. 4.18 (PhD thesis, Lancaster); Eq. 4.17 lacks ``rho_i``.

    Departs from the paper:
        The absolute value of the slope, without which GELU's decreasing part would not count.

    Args:
        network: A chain (:func:`reactivate.patterns.chains.blocks_of`).
        shape: Shape of one input.
        pattern: Codes ``(neurons)`` of each layer for a point of the region; None for all regions.
            A neuron that abstains counts with its largest slope.

    Example:
        >>> network = nn.Sequential(nn.Linear(2, 2, bias=False), nn.LeakyReLU(0.5))
        >>> with torch.no_grad():
        ...     weight = network[0].weight.copy_(torch.diag(torch.tensor([3.0, 4.0])))
        >>> [layer.bound for layer in layer_bounds(network, (2,))]
        [4.0, 1.0]
        >>> layer_bounds(network, (2,), {"1": torch.tensor([0, 0])})[0].bound
        2.0
    """
    double = copy.deepcopy(network).double().eval()
    values = torch.zeros(1, *shape, dtype=torch.float64)
    bounds = []
    with torch.no_grad():
        for block in blocks_of(double):
            norm = operator_norm(block.affine, values.shape[1:])
            z = block.affine(values)
            slope = 1.0
            if isinstance(block.nonlinear, MAX_POOLING):
                slope = pooling_slope(block.nonlinear)
            elif block.nonlinear is not None:
                codes = None if pattern is None else pattern[block.name]
                slope = _largest_slope(block.nonlinear, z.shape[1], codes)
            bounds.append(LayerBound(block.name, slope, norm))
            values = z if block.nonlinear is None else block.nonlinear(z)
    return bounds


def product_bound(bounds: Sequence[LayerBound]) -> float:
    """Lipschitz constant of the network: the product over its layers.

    Reference:
        Jiang 2024, Lemma 6, Eq. 4.26 (PhD thesis, Lancaster).
    """
    return prod(layer.bound for layer in bounds)


def local_lipschitz(network: nn.Module, x: Tensor, chunk: int = 32) -> Tensor:
    """Largest singular value of the network's Jacobian at every point.

    Reference:
        Jiang 2024, Eq. 4.28 (PhD thesis, Lancaster).

    Args:
        network: Any network; it is evaluated and left as it was.
        x: Points, ``(N, *)``.
        chunk: Points whose Jacobians are made at once.

    Returns:
        ``(N)``.

    Example:
        >>> network = nn.Linear(2, 2, bias=False)
        >>> with torch.no_grad():
        ...     weight = network.weight.copy_(torch.diag(torch.tensor([3.0, 4.0])))
        >>> local_lipschitz(network, torch.zeros(1, 2))
        tensor([4.])
    """

    def single(point: Tensor) -> Tensor:
        output: Tensor = network(point.unsqueeze(0))
        return output.flatten()

    with evaluating(network):
        jacobian = vmap(jacrev(single), chunk_size=chunk)(x)
        largest: Tensor = torch.linalg.matrix_norm(jacobian.flatten(2), ord=2)
    return largest


def operator_norm(affine: nn.Module, shape: Sequence[int], tolerance: float = 1e-9) -> float:
    """Spectral norm of the linear part of an affine module, for inputs of one shape.

    Args:
        affine: E.g. a convolution followed by batch normalisation, in float64 and evaluation mode.
        shape: Shape of one input.
        tolerance: Relative change of the norm at which power iteration stops.

    Example:
        >>> operator_norm(nn.Linear(3, 1, bias=False).double().requires_grad_(False), (3,)) > 0
        True
    """
    origin = torch.zeros(1, *shape, dtype=torch.float64)
    offset = affine(origin)
    entries = origin.numel() * offset.numel()
    if entries <= DENSE:
        basis = torch.eye(origin.numel(), dtype=torch.float64).reshape(-1, *shape)
        matrix = (affine(basis) - offset).flatten(1)
        return float(torch.linalg.matrix_norm(matrix, ord=2))
    start = torch.randn(
        origin.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0)
    )
    return _power_iteration(affine, start, tolerance)


def _power_iteration(affine: nn.Module, vector: Tensor, tolerance: float) -> float:
    """Spectral norm of a linear map ``W``, by applying it and its transpose in turn."""
    offset = affine(torch.zeros_like(vector))
    norm, pull = 0.0, vjp(affine, vector)[1]
    for _ in range(10_000):
        vector = vector / vector.norm()
        image = affine(vector) - offset
        before, norm = norm, float(image.norm())
        if norm - before <= tolerance * norm:
            break
        (vector,) = pull(image)
    return norm


def _largest_slope(activation: nn.Module, channels: int, codes: Tensor | None) -> float:
    """Steepest slope that an activation has on the given patterns of its neurons."""
    table = slopes_of(activation, channels)
    if codes is None:
        return float(table.max())
    steepest = torch.cat([table, table.amax(dim=0, keepdim=True)])  # row -1: abstains
    places = codes.reshape(channels, -1).long()
    return float(steepest[places, torch.arange(channels)[:, None]].max())
