"""Work of one pass through a network: arithmetic, memory traffic and kernels, without data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

BATCHES = (2, 3)  # what grows with the batch is told from what does not by two of them
# operations that run no kernel, besides those that torch itself calls views
IDLE = {"_unsafe_view", "_reshape_alias", "empty", "empty_like", "empty_strided", "lift_fresh"}


@dataclass(frozen=True)
class PassWork:
    """Work of one pass: a part for each sample of the batch, and a part whatever the batch is.

    Attributes:
        kernels: Operations that run for a sample, each of which has to be launched; 0 unless a
            layer works through its batch in pieces.
        flops: Operations of matrix products and convolutions for a sample; a multiply-add is 2.
        traffic: Bytes that these kernels read and write for a sample, at four bytes a number.
        fixed_kernels: Operations that run whatever the batch.
        fixed_flops: Arithmetic whatever the batch: weights that are computed from parameters.
        fixed_traffic: Bytes whatever the batch: weights that are read.
    """

    kernels: int
    flops: int
    traffic: int
    fixed_kernels: int
    fixed_flops: int
    fixed_traffic: int


@dataclass(frozen=True)
class NetworkWork:
    """Work of a network: forward, with gradients of the images, and with those of the weights.

    Attributes:
        parameters: Numbers that learn.
        tensors: Number of parameters as tensors.
        kept: Bytes that are kept of a sample for the backward pass.
        forward: Scores in evaluation mode, without gradients.
        ascent: Scores, and the gradient of the images.
        training: Scores in training mode, and gradients of all parameters.
    """

    parameters: int
    tensors: int
    kept: int
    forward: PassWork
    ascent: PassWork
    training: PassWork


class Meter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Counts the kernels that run, their arithmetic, and the bytes that they read and write.

    Args:
        network: Its weights do not count as kept for the backward pass.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kernels = 0
        self.flops = 0
        self.traffic = 0
        self.weights = {p.untyped_storage()._cdata for p in network.parameters()}
        self.storages: dict[int, Any] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        out = func(*args, **given)
        operation = func.overloadpacket
        if not func.is_view and operation.__name__ not in IDLE:
            self.kernels += 1
            tensors = [t for t in tree_leaves((args, given, out)) if isinstance(t, Tensor)]
            self.traffic += sum(t.numel() * t.element_size() for t in tensors)
            if operation in flop_registry:
                self.flops += flop_registry[operation](*args, **given, out_val=out)
        return out

    def keep(self, tensor: Tensor) -> Tensor:
        """Notes a tensor that the backward pass needs."""
        storage = tensor.untyped_storage()
        self.storages[storage._cdata] = storage  # held, so that no other gets its address
        return tensor

    @property
    def counts(self) -> tuple[int, int, int]:
        """Kernels, operations and bytes."""
        return self.kernels, self.flops, self.traffic

    @property
    def kept(self) -> int:
        """Bytes of the tensors that the backward pass needs, weights apart."""
        others = [s for place, s in self.storages.items() if place not in self.weights]
        return sum(storage.nbytes() for storage in others)


def network_work(make: Callable[[], nn.Module], size: Sequence[int]) -> NetworkWork:
    """Counts the work of a network on the meta device, where nothing is computed.

    Args:
        make: Makes the network; it is called on the meta device.
        size: Shape of one input, without the batch.

    Example:
        >>> work = network_work(lambda: nn.Sequential(nn.Linear(3, 2), nn.ReLU()), (3,))
        >>> work.forward.flops, work.training.flops, work.ascent.flops, work.forward.fixed_kernels
        (12, 24, 24, 2)
    """
    with torch.device("meta"):
        network = make()
    few, more = ({kind: _measure(network, size, n, kind) for kind in _PASSES} for n in BATCHES)
    passes = {kind: _split(few[kind].counts, more[kind].counts) for kind in _PASSES}
    more_kept = more["training"].kept - few["training"].kept
    learned = [p for p in network.parameters() if p.requires_grad]
    return NetworkWork(
        parameters=sum(p.numel() for p in learned),
        tensors=len(learned),
        kept=more_kept // (BATCHES[1] - BATCHES[0]),
        **passes,
    )


def _forward(network: nn.Module, images: Tensor, labels: Tensor) -> None:
    with torch.no_grad():
        network.eval()(images)


def _ascent(network: nn.Module, images: Tensor, labels: Tensor) -> None:
    images.requires_grad_()
    torch.autograd.grad(functional.cross_entropy(network.eval()(images), labels), images)


def _training(network: nn.Module, images: Tensor, labels: Tensor) -> None:
    loss = functional.cross_entropy(network.train()(images), labels)
    learned = [p for p in network.parameters() if p.requires_grad]
    torch.autograd.grad(loss, learned, allow_unused=True)


_PASSES = {"forward": _forward, "ascent": _ascent, "training": _training}


def _measure(network: nn.Module, size: Sequence[int], batch: int, kind: str) -> Meter:
    """Runs a pass of so many samples, and counts."""
    images = torch.zeros(batch, *size, device="meta")
    labels = torch.zeros(batch, dtype=torch.long, device="meta")
    meter = Meter(network)
    with meter, torch.autograd.graph.saved_tensors_hooks(meter.keep, lambda tensor: tensor):
        _PASSES[kind](network, images, labels)
    return meter


def _split(few: tuple[int, int, int], more: tuple[int, int, int]) -> PassWork:
    """The part for each sample, and the rest."""
    each = [(b - a) // (BATCHES[1] - BATCHES[0]) for a, b in zip(few, more, strict=True)]
    rest = [a - BATCHES[0] * e for a, e in zip(few, each, strict=True)]
    return PassWork(*each, *rest)
