"""Accuracy of scores, of a batch and summed over an epoch."""

from collections.abc import Sequence

import torch
from torch import Tensor

from reactivate.training.inputs import Share


def top(scores: Tensor, labels: Tensor, k: int) -> Tensor:
    """Tells which labels are among the ``k`` largest scores, or all if there are fewer classes."""
    return (scores.topk(min(k, scores.shape[1])).indices == labels[:, None]).any(1)


class Totals:
    """Sums of loss and hits over the training batches of an epoch.

    Args:
        device: Where the losses and scores are.
        share: Part of every batch that this process computes; the sums are taken over all.
        kept: Sums of each process over the batches before an interruption.
    """

    def __init__(
        self, device: torch.device, share: Share, kept: Sequence[Sequence[float]] = ()
    ) -> None:
        self.share = share
        self.sums = torch.zeros(4, dtype=torch.float64, device=device)
        if len(kept) == share.processes:
            self.sums = torch.tensor(kept[share.rank], dtype=torch.float64, device=device)
        elif kept and share.rank == 0:  # there were more processes before, or fewer
            self.sums = torch.tensor(kept, dtype=torch.float64, device=device).sum(0)

    @torch.no_grad()
    def add(self, loss: Tensor, scores: Tensor, labels: Tensor) -> None:
        """Adds a batch, by its summed loss and the scores of its images."""
        hits = [top(scores, labels, k).sum() for k in (1, 5)]
        self.sums += torch.stack([loss.double(), *hits, torch.full_like(hits[0], len(labels))])

    def means(self) -> dict[str, float]:
        """Loss and accuracies in percent, over the batches of all processes."""
        if self.share.processes > 1:
            torch.distributed.all_reduce(self.sums)
        loss, first, five, count = self.sums.tolist()
        return {
            "train_loss": loss / count,
            "train_top1": 100 * first / count,
            "train_top5": 100 * five / count,
        }
