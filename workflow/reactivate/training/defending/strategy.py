"""Make the loss of a training step with a defence."""

from dataclasses import dataclass

from torch import Tensor

from reactivate.defences.defence import Defence
from reactivate.foundation.device import generator_on, sent
from reactivate.layers.portions import portion_generator
from reactivate.training.strategies import Step
from reactivate.training.trainer import Trainer


@dataclass(frozen=True)
class Defending:
    """Takes loss and scores of every batch from a defence.

    What a defence draws for a step is keyed by dataset, seed, epoch and step, so that a resumed
    run draws the same, and so do runs with other defences; where a batch is divided, the whole is
    drawn for and the portion's kept.

    Args:
        defence: What makes a loss of a batch of images from 0 to 1.
    """

    defence: Defence
    works_alone = False

    def __call__(self, trainer: Trainer, x: Tensor, y: Tensor) -> Step:
        named = *trainer.key, trainer.state.epoch + 1, trainer.step, "defence"
        random = portion_generator(generator_on(trainer.device, *named), trainer.present.portion)
        x = sent(x.contiguous(memory_format=trainer.layout), trainer.device)
        with trainer.precision.passing(keeps_casts=False):
            epoch = trainer.clock.epoch(trainer.step)
            loss, scores = self.defence(trainer.network, x, y, random, epoch)
        return Step(loss, scores)
