"""Count what a piece of work asks of a device: kernels, copies, and reads that wait for it.

The work is done on the meta device, where nothing is computed, so no GPU is needed to count. Two
things are out of sight: what an operation does inside of its kernel, and waiting that a library
does by itself.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from reactivate.models.passes import IDLE

META = torch.device("meta")
READING = {
    *(Tensor.item, Tensor.tolist, Tensor.cpu, Tensor.numpy, Tensor.equal, torch.equal),
    *(Tensor.__bool__, Tensor.__float__, Tensor.__int__, Tensor.__index__),
    *(Tensor.nonzero, torch.nonzero, Tensor.bincount, torch.bincount),
}
MAKING = {torch.tensor, torch.as_tensor, Tensor.new_tensor}


@dataclass
class Trace:
    """The work that was asked of a device.

    Attributes:
        kernels: Operations that run on the device, by name, in their order.
        reads: Bytes of every result for which the host had to wait.
        sends: Bytes of every copy to the device for which the host had to wait.
        posted: Bytes of every copy to the device for which it did not.
    """

    kernels: list[str] = field(default_factory=list)
    reads: list[int] = field(default_factory=list)
    sends: list[int] = field(default_factory=list)
    posted: list[int] = field(default_factory=list)

    @property
    def waits(self) -> int:
        """How often the host had to wait for the device."""
        return len(self.reads) + len(self.sends)


@contextmanager
def traced(answers: bool = False) -> Iterator[Trace]:
    """Counts the work that is done on the meta device while it is open.

    Args:
        answers: Whether a read of the device gets zeros for an answer and is counted, so that
            work which reads can go on; otherwise it raises, as the meta device has no numbers.

    Example:
        >>> with traced(answers=True) as trace:
        ...     float(torch.ones(3, device="meta").sum())
        0.0
        >>> trace.kernels, trace.reads
        (['ones', 'sum'], [4])
        >>> with traced():
        ...     float(torch.ones(3, device="meta").sum())
        Traceback (most recent call last):
        RuntimeError: Tensor.item() cannot be called on meta tensors
    """
    trace = Trace()
    with _Calls(trace, answers), _Operations(trace):
        yield trace


class _Operations(TorchDispatchMode):
    """Sees every operation, those of a backward pass too."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.trace = trace

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        out = func(*args, **given)
        name = func.overloadpacket.__name__
        made = _on_meta(out)
        if name in ("_to_copy", "copy_") and made and _from_host(args):
            waits = not (given.get("non_blocking") or (name == "copy_" and True in args[2:]))
            kept = self.trace.sends if waits else self.trace.posted
            kept.append(sum(map(_bytes, made)))
        elif _on_meta((args, given, out)) and not func.is_view and name not in IDLE:
            self.trace.kernels.append(name)
            if name in ("index_put_", "index_put") and _chooses(args):
                self.trace.reads.append(8)  # how many are chosen
        return out


class _Calls(TorchFunctionMode):
    """Sees calls of Python, among them those that never reach an operation on the meta device."""

    def __init__(self, trace: Trace, answers: bool) -> None:
        super().__init__()
        self.trace = trace
        self.answers = answers

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        if func in MAKING:
            out = func(*args, **given)
            self.trace.sends += [_bytes(tensor) for tensor in _on_meta(out)]
            return out
        reading = func in READING or (func is Tensor.to and _leads_home(args[1:], given))
        asked = _on_meta((args, given)) if reading and self.answers else []
        if not asked:
            return func(*args, **given)
        self.trace.reads.append(sum(map(_bytes, asked)))
        return func(*tree_map(_zeros, args), **tree_map(_zeros, given))


def count(work: Callable[[], object], answers: bool = True) -> Trace:
    """The trace of a function without arguments that works on the meta device."""
    with traced(answers) as trace:
        work()
    return trace


def _on_meta(values: Any) -> list[Tensor]:
    found = (value for value in tree_leaves(values) if isinstance(value, Tensor))
    return [tensor for tensor in found if tensor.device == META]


def _from_host(args: Any) -> bool:
    """Whether the last tensor that an operation is given is not on the meta device."""
    tensors = [value for value in args if isinstance(value, Tensor)]
    return bool(tensors) and tensors[-1].device != META


def _chooses(args: Any) -> bool:
    """Whether places are given by a mask, and more than one number is put there."""
    masks = [i for i in args[1] if i is not None and i.dtype in (torch.bool, torch.uint8)]
    return bool(masks) and args[2].numel() > 1


def _leads_home(args: Any, given: dict[str, Any]) -> bool:
    """Whether the arguments of ``Tensor.to`` name the CPU, or a tensor that is there."""
    named = [value for value in (*args, *given.values()) if isinstance(value, str | torch.device)]
    other = [value.device for value in (*args, *given.values()) if isinstance(value, Tensor)]
    return any(torch.device(place).type == "cpu" for place in (*named, *other))


def _zeros(value: Any) -> Any:
    """Zeros on the CPU in the place of a tensor of the meta device."""
    here = isinstance(value, Tensor) and value.device == META
    return torch.zeros(value.shape, dtype=value.dtype, device="cpu") if here else value


def _bytes(tensor: Tensor) -> int:
    return tensor.numel() * tensor.element_size()
