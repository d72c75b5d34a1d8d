"""Work of a training step whose elementwise operations are fused, as ``torch.compile`` fuses them.

A compiled step runs the same products and convolutions. What it saves are the tensors between
elementwise operations, which are not written to memory, and their kernels.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

from reactivate.models.passes import BATCHES, IDLE, PassWork
from reactivate.models.passes import _split as split_work

# operations that add up the elements of one tensor
REDUCTIONS = {"sum", "mean", "amax", "amin", "var", "var_mean", "linalg_vector_norm", "norm"}
# operations that add up first, then change every element: two kernels each
NORMALISATIONS = {
    f"native_{kind}_norm{direction}"
    for kind in ("batch", "layer", "group")
    for direction in ("", "_backward")
}
# elementwise, though torch does not tag them so
ELEMENTWISE = {"_to_copy", "clone", "copy_", "fill_", "zero_", "zeros", "zeros_like", "ones_like"}
ELEMENTWISE |= {"full", "full_like", "new_zeros", "threshold_backward", "native_dropout", "add_"}


@dataclass
class Kernel:
    """A kernel of the compiled step: operations, and the tensors that they read and write."""

    pointwise: bool
    depth: int
    backward: bool
    reads: dict[int, int] = field(default_factory=dict)  # bytes by number of the tensor
    writes: dict[int, int] = field(default_factory=dict)


class Fusion(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Groups the operations of a step into the kernels of a compiled one.

    An elementwise operation joins the kernel of an elementwise one that makes its input, and a
    sum over a tensor joins the kernel that makes the tensor, unless something else has to finish
    between them. Nothing is joined across the border of forward and backward pass, nor with
    products, convolutions and all other operations.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kernels: list[Kernel] = []
        self.maker: dict[int, Kernel] = {}
        self.depth: dict[int, int] = {}
        self.storages: dict[int, Any] = {}  # held, so that no other gets an address again
        self.flops = 0
        self.backward = False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        out = func(*args, **given)
        operation = func.overloadpacket
        name = operation.__name__
        if func.is_view or name in IDLE:
            return out
        if operation in flop_registry:
            self.flops += flop_registry[operation](*args, **given, out_val=out)
        read, written = self._sizes((args, given)), self._sizes(out)
        if torch.Tag.pointwise in func.tags or name in ELEMENTWISE:
            self._join(read, written, ends=False)
        elif name in REDUCTIONS:
            self._join(read, written, ends=True)
        elif name in NORMALISATIONS:
            largest = max(written, key=written.__getitem__)
            statistics = {key: size for key, size in written.items() if key != largest}
            self._join(read, statistics, ends=True)
            self._join({**read, **statistics}, {largest: written[largest]}, ends=False)
        else:
            self._alone(read, written)
        return out

    def _sizes(self, tree: Any) -> dict[int, int]:
        """Bytes of the tensors in some arguments, by the address of what they hold."""
        found = {}
        for tensor in tree_leaves(tree):
            if isinstance(tensor, Tensor):
                storage = tensor.untyped_storage()
                self.storages[storage._cdata] = storage
                found[storage._cdata] = tensor.numel() * tensor.element_size()
        return found

    def _join(self, read: dict[int, int], written: dict[int, int], ends: bool) -> None:
        """Notes an operation that may be part of the kernel that makes one of its inputs."""
        depth = max((self.depth.get(key, 0) for key in read), default=0)
        size = max((*read.values(), *written.values()), default=0)
        makers = {id(k): k for k in self._makers(read, size, depth)}
        kernel = next(iter(makers.values()), None)
        if kernel is None:
            kernel = Kernel(True, depth, self.backward)
            self.kernels.append(kernel)
        for other in list(makers.values())[1:]:
            self._merge(kernel, other)
        self._note(kernel, read, written, depth + ends)

    def _makers(self, read: dict[int, int], size: int, depth: int) -> Iterable[Kernel]:
        for key, bytes_read in read.items():
            maker = self.maker.get(key)
            if maker is None or not maker.pointwise or maker.backward != self.backward:
                continue
            if bytes_read == size and maker.depth == depth == self.depth[key]:
                yield maker

    def _merge(self, kernel: Kernel, other: Kernel) -> None:
        kernel.writes.update(other.writes)
        reads = {**kernel.reads, **other.reads}
        kernel.reads = {key: size for key, size in reads.items() if key not in kernel.writes}
        self.kernels.remove(other)
        for key, maker in self.maker.items():
            if maker is other:
                self.maker[key] = kernel

    def _alone(self, read: dict[int, int], written: dict[int, int]) -> None:
        depth = 1 + max((self.depth.get(key, 0) for key in read), default=0)
        kernel = Kernel(False, depth, self.backward)
        self.kernels.append(kernel)
        self._note(kernel, read, written, depth)

    def _note(
        self, kernel: Kernel, read: dict[int, int], written: dict[int, int], depth: int
    ) -> None:
        kernel.reads.update({k: n for k, n in read.items() if self.maker.get(k) is not kernel})
        kernel.writes.update(written)
        for key in written:
            self.maker[key], self.depth[key] = kernel, depth

    @property
    def counts(self) -> tuple[int, int, int]:
        """Kernels, operations and bytes; what only its own kernel reads is not written."""
        needed = {key for kernel in self.kernels for key in kernel.reads}
        moved = [
            (key, size)
            for kernel in self.kernels
            for key, size in (
                *kernel.reads.items(),
                *((k, n) for k, n in kernel.writes.items() if k in needed or not kernel.pointwise),
            )
        ]
        # of a tensor that is spread over others only what it holds is read
        traffic = sum(min(size, self.storages[key].nbytes()) for key, size in moved)
        return len(self.kernels), self.flops, traffic


def fused_training(make: Callable[[], nn.Module], size: Sequence[int]) -> PassWork:
    """Counts the work of a training step with fused operations, on the meta device.

    Example:
        >>> from reactivate.models.passes import network_work
        >>> layers = nn.Conv2d(3, 8, 3, device="meta"), nn.SiLU(), nn.Sigmoid(), nn.Flatten()
        >>> make = lambda: nn.Sequential(*layers)
        >>> plain, fused = network_work(make, (3, 9, 9)).training, fused_training(make, (3, 9, 9))
        >>> plain.flops == fused.flops, fused.traffic < plain.traffic
        (True, True)

    Args:
        make: Makes the network; it is called on the meta device.
        size: Shape of one input, without the batch.
    """
    with torch.device("meta"):
        network = make().train()
    learned = [p for p in network.parameters() if p.requires_grad]
    counts = []
    for batch in BATCHES:
        images = torch.zeros(batch, *size, device="meta")
        labels = torch.zeros(batch, dtype=torch.long, device="meta")
        fusion = Fusion()
        with fusion:
            loss = functional.cross_entropy(network(images), labels)
            fusion.backward = True
            torch.autograd.grad(loss, learned, allow_unused=True)
        counts.append(fusion.counts)
    return split_work(*counts)
