"""Work of a job as pieces of arithmetic, memory traffic and kernels."""

from collections.abc import Iterable
from dataclasses import dataclass

from reactivate.experiment.costs.networks import NetworkCost, PassCost

NUMBER = 4  # bytes of a number in single precision


@dataclass(frozen=True)
class Piece:
    """Work that is done ``times`` times over, one time after another.

    Attributes:
        times: How often.
        kernels: Operations that have to be launched, each time.
        flops: Operations of matrix products and convolutions, each time.
        traffic: Bytes that are read and written, at four bytes a number, each time.
        mixed: Whether a GPU computes it in 16 bits where it can.
        shared: Whether processes do it together: each does its part, and waits for the others.
    """

    times: float
    kernels: float = 0.0
    flops: float = 0.0
    traffic: float = 0.0
    mixed: bool = False
    shared: bool = False


@dataclass(frozen=True)
class Work:
    """Work of a job; where several processes do it, of the first of them.

    Attributes:
        pieces: What the processor does.
        decoded: Pictures that are decoded and cut, by the cores beside it.
        device_bytes: Memory of the processor that computes: weights, activations, data.
        host_bytes: Memory besides, of the job's processes: data on its way.
    """

    pieces: tuple[Piece, ...]
    decoded: float = 0.0
    device_bytes: float = 0.0
    host_bytes: float = 0.0

    @property
    def flops(self) -> float:
        """Operations of all matrix products and convolutions."""
        return sum(piece.times * piece.flops for piece in self.pieces)

    @property
    def traffic(self) -> float:
        """Bytes that are read and written."""
        return sum(piece.times * piece.traffic for piece in self.pieces)

    @property
    def kernels(self) -> float:
        """Operations that have to be launched."""
        return sum(piece.times * piece.kernels for piece in self.pieces)


def passes(cost: PassCost, times: float, batch: float, mixed: bool = False) -> Piece:
    """So many passes of batches through a network.

    Example:
        >>> passes(PassCost(0, 10, 20, 3, 1, 2), times=5, batch=2)
        Piece(times=5, kernels=3, flops=21, traffic=42, mixed=False, shared=False)
    """
    return Piece(
        times,
        cost.fixed_kernels + batch * cost.kernels,
        cost.fixed_flops + batch * cost.flops,
        cost.fixed_traffic + batch * cost.traffic,
        mixed,
    )


def over(cost: PassCost, images: float, batch: float, mixed: bool = False) -> Piece:
    """Passes of all images once, in batches of at most so many."""
    size = min(batch, images)
    return passes(cost, images / size, size, mixed)


def updates(network: NetworkCost, times: float) -> Piece:
    """Steps of an optimizer: it reads weight, gradient and momentum and writes two of them."""
    # single tensors: an addition of weight decay, one of momentum and one to the weight each
    return Piece(times, 3 * network.tensors, 0.0, 5 * NUMBER * network.parameters)


def pixels(size: Iterable[int]) -> int:
    """Numbers of an image."""
    product = 1
    for side in size:
        product *= side
    return product
