"""Sums over the training images of an epoch, of all processes, before and after interruptions."""

from collections.abc import Sequence

import torch
from torch import Tensor

from reactivate.training.inputs import Share


class Totals:
    """Sums of losses and of what else a task counts, over the training batches of an epoch.

    Args:
        device: Where the losses are.
        share: Part of every batch that this process computes; the sums are taken over all.
        kept: Sums of each process over the batches before an interruption.
        numbers: How many sums there are.
    """

    def __init__(
        self,
        device: torch.device,
        share: Share,
        kept: Sequence[Sequence[float]] = (),
        numbers: int = 4,
    ) -> None:
        self.share = share
        self.sums = torch.zeros(numbers, dtype=torch.float64, device=device)
        if len(kept) == share.processes:
            self.sums = torch.tensor(kept[share.rank], dtype=torch.float64, device=device)
        elif kept and share.rank == 0:  # there were more processes before, or fewer
            self.sums = torch.tensor(kept, dtype=torch.float64, device=device).sum(0)

    @torch.no_grad()
    def add(self, sums: Tensor) -> None:
        """Adds the sums of some images."""
        self.sums += sums

    def over_all(self) -> list[float]:
        """The sums over the batches of all processes; waits for the device."""
        if self.share.processes > 1:
            torch.distributed.all_reduce(self.sums)
        found: list[float] = self.sums.tolist()
        return found
