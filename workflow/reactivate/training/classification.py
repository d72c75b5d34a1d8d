"""The task of telling classes apart: accuracies, and scores as predictions."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import save
from torch import Tensor, nn

from reactivate.experiment.cell import Cell
from reactivate.patterns.preactivations import evaluating
from reactivate.training.accuracy import top
from reactivate.training.inputs import Batch, Inputs, Part
from reactivate.training.metrics import final_metrics
from reactivate.training.snapshots import State
from reactivate.training.strategies import CrossEntropy, Strategy
from reactivate.training.tasks import Learnt, Measured

if TYPE_CHECKING:
    from reactivate.training.trainer import Trainer

PREDICTIONS = "predictions.safetensors"


@dataclass(frozen=True)
class Classification:
    """Tells the class of an image; its losses are made by a strategy.

    Args:
        strategy: Makes the loss of a step.
    """

    strategy: Strategy = field(default_factory=CrossEntropy)
    sums = 4
    summed = ("train_loss", "train_top1", "train_top5")
    tested = ("test_top1", "test_top5")
    watched = "test_top1"

    @property
    def works_alone(self) -> bool:
        """Whether the strategy works in the training of one process only."""
        return self.strategy.works_alone

    def check_fit(self, network: nn.Module, inputs: Inputs, cell: Cell, classes: int) -> None:
        """Stops before a network that cannot read its images, or tell their classes apart.

        Raises:
            ValueError: The network fails on an image of the right size, or gives other scores.
        """
        device = next(network.parameters()).device
        what = f"{cell.model} on {cell.dataset}"
        where = "choose another model or dataset in config/papers"
        try:
            with evaluating(network):
                scores = network(torch.zeros(1, *inputs.shape, device=device))
        except (RuntimeError, ValueError) as error:
            raise ValueError(
                f"{what}: the network does not take images of {inputs.shape} ({error}); {where}"
            ) from None
        if scores.shape != (1, classes):
            raise ValueError(
                f"{what}: scores are {tuple(scores.shape)}, not (1, {classes}); {where}"
            )

    def divisor(self, trainer: "Trainer", batch: Batch) -> float:
        """Number of images of the batch."""
        return batch.total

    def learn(self, trainer: "Trainer", x: Any, y: Any) -> Learnt:
        """Loss by the strategy; loss, hits among the first and the first five, and images."""
        loss, scores = self.strategy(trainer, x, y)
        with torch.no_grad():
            hits = [top(scores, y, k).sum() for k in (1, 5)]
            sums = torch.stack([loss.double(), *hits, torch.full_like(hits[0], len(y))])
        return Learnt(loss, sums)

    def means(self, sums: Sequence[float]) -> list[float]:
        """Loss, and accuracies in percent."""
        loss, first, five, count = sums
        return [loss / count, 100 * first / count, 100 * five / count]

    def test(self, trainer: "Trainer") -> list[float]:
        """Accuracies of the test images, in percent."""
        scores, labels = all_scores(trainer, "test")
        return [100 * top(scores, labels, k).double().mean().item() for k in (1, 5)]

    def measure(self, trainer: "Trainer", state: State) -> Measured:
        """Accuracies and losses; scores and labels of every test image."""
        recipe = trainer.recipe
        scores, labels = all_scores(trainer, "test")
        ten = all_scores(trainer, "test", views=10)[0] if recipe.ten_crop else None
        train = all_scores(trainer, "train") if recipe.measure_train else None
        predictions = {"scores": scores, "labels": labels}
        if ten is not None:
            predictions["scores_ten"] = ten
        metrics = final_metrics(state, (scores, labels), ten, train)
        return Measured(metrics, {PREDICTIONS: save(predictions)})


@torch.no_grad()
def all_scores(trainer: "Trainer", part: Part, views: int = 1) -> tuple[Tensor, Tensor]:
    """Outputs of a training's network for every image of a part, and the labels.

    With several views the result is the logarithm of their mean probability.
    """
    trainer.network.eval()
    parts, labels = [], []
    for x, y, _ in trainer.inputs.measured(part, views):
        scores = trainer.forward(trainer.network, x)
        if views > 1:
            mean = scores.softmax(1).reshape(len(y), views, -1).mean(1)
            scores = mean.log()
        parts.append(scores)
        labels.append(y)
    return torch.cat(parts).cpu(), torch.cat(labels).cpu()  # waits for the device once
