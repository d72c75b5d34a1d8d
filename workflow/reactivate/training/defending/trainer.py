"""Train an image network with a defence; all else is as in any other training."""

from dataclasses import dataclass, field

import torch
from torch import Tensor

from reactivate.defences.defence import Defence
from reactivate.foundation.seeding import generator
from reactivate.training.trainer import Trainer, top


@dataclass
class DefendedTrainer(Trainer):
    """A training whose loss is that of a defence.

    What a defence draws for a step is keyed by dataset, seed, epoch and step, so that a resumed
    run draws the same, and so do runs with other defences. In one process only: the passes of a
    defence do not go through ``DistributedDataParallel``.

    Args:
        defence: What makes a loss of a batch of images from 0 to 1.
    """

    defence: Defence = field(kw_only=True)

    def __post_init__(self) -> None:
        if self.share.processes > 1:
            raise ValueError(
                f"{self.share.processes} processes train with a defence together; accepted: 1. "
                "Run the stage defend with python, not torchrun"
            )
        super().__post_init__()

    def _train(self, number: int, first: int) -> float:
        self.number, self.step = number, first
        return super()._train(number, first)

    def _step(self, x: Tensor, y: Tensor, total: int) -> None:
        random = generator(*self.key, self.number, self.step, "defence")
        x = x.contiguous(memory_format=self.layout).to(self.device)
        # without its cache: weights that were cast where no gradient is kept would get none later
        with torch.autocast(
            self.device.type, torch.bfloat16, enabled=self.mixed, cache_enabled=False
        ):
            loss, scores = self.defence(self.network, x, y, random, self.clock.epoch(self.step))
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss / total)
        self.optimizer.step()
        self.step += 1
        with torch.no_grad():
            hits = [top(scores, y, k).sum() for k in (1, 5)]
            self.totals += torch.stack([loss.double(), *hits, torch.full_like(hits[0], len(y))])
