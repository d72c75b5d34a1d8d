"""What the processes that train one network together tell each other."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

import torch
from torch import Tensor, distributed, nn

from reactivate.training.inputs import Share

PATIENCE = timedelta(hours=2)  # with the first process, while it tests and saves


class Peers:
    """The processes of a training; one process has none, and everything is as it says itself.

    Words about the work (:meth:`most`, :meth:`gather`, :meth:`hear_first`) go from host to host:
    nobody waits for a GPU.

    Args:
        share: This process and the number of all.
    """

    def __init__(self, share: Share) -> None:
        self.share = share
        self.several = share.processes > 1
        self.words = (
            distributed.new_group(backend="gloo", timeout=PATIENCE) if self.several else None
        )

    def wait(self) -> None:
        """Waits until all processes have come here."""
        self.most(0)

    def most(self, said: int) -> int:
        """The largest number that any of the processes says."""
        if not self.several:
            return said
        number = torch.tensor(said)
        distributed.all_reduce(number, distributed.ReduceOp.MAX, self.words)
        return int(number)

    def gather(self, own: Sequence[float]) -> list[list[float]]:
        """The numbers of every process, in their order."""
        if not self.several:
            return [list(own)]
        row = torch.tensor(own, dtype=torch.float64)
        rows = [torch.empty_like(row) for _ in range(self.share.processes)]
        distributed.all_gather(rows, row, self.words)
        return [one.tolist() for one in rows]

    def hear_first(self, numbers: Sequence[float]) -> list[float]:
        """The numbers of the first process; what the others pass is the same number of any."""
        if not self.several:
            return list(numbers)
        heard = torch.tensor(numbers, dtype=torch.float64)
        distributed.broadcast(heard, 0, self.words)
        found: list[float] = heard.tolist()
        return found

    def sum_of(self, own: Tensor) -> Tensor:
        """The sum of a tensor over all processes, on its device."""
        if self.several:
            distributed.all_reduce(own)
        return own

    def sum_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replaces every gradient by its sum over all processes, in one exchange."""
        if not self.several:
            return
        gradients = [p.grad for p in parameters if p.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(flat)
        sizes = [gradient.numel() for gradient in gradients]
        for gradient, total in zip(gradients, _pieces(flat, sizes), strict=True):
            gradient.copy_(total.view(gradient.shape))


def _pieces(flat: Tensor, sizes: list[int]) -> list[Tensor]:
    starts = torch.tensor(sizes).cumsum(0)[:-1].tolist()
    return list(flat.tensor_split(starts))
