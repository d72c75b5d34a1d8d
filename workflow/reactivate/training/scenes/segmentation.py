"""The task of telling the class of every pixel: weighted losses, intersections over unions."""

import csv
import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from reactivate.datasets.segmentation_items import IGNORED
from reactivate.experiment.cell import Cell
from reactivate.patterns.preactivations import evaluating
from reactivate.segmentation.intersection import confusion, mean_intersection
from reactivate.training.inputs import Batch, Inputs
from reactivate.training.scenes.inputs import SegmentationInputs
from reactivate.training.snapshots import State
from reactivate.training.tasks import Learnt, Measured

if TYPE_CHECKING:
    from reactivate.training.trainer import Trainer

IMAGES = "images.csv"
LEAST = 1e-12  # of the weight of a batch, in which no pixel may count


class Segmentation:
    """Tells the class of every pixel; the inputs are a :class:`SegmentationInputs`.

    The loss of a batch is the mean over its pixels, each weighted by its class, as torch's
    cross-entropy with weights has it, however the batch is divided.
    """

    works_alone = False
    sums = 4
    summed = ("train_loss", "train_pixels")
    tested = ("test_miou", "test_pixels")
    watched = "test_miou"

    def check_fit(self, network: nn.Module, inputs: Inputs, cell: Cell, classes: int) -> None:
        """Stops before a network that does not give a score of every class at every pixel.

        Raises:
            ValueError: The network gives other scores.
        """
        device = next(network.parameters()).device
        side = 64
        with evaluating(network):
            scores = network(torch.zeros(1, 3, side, side, device=device))
        if scores.shape != (1, classes, side, side):
            raise ValueError(
                f"{cell.model} on {cell.dataset}: scores are {tuple(scores.shape)}, not "
                f"{(1, classes, side, side)}; choose another model or dataset in config/papers"
            )

    def divisor(self, trainer: "Trainer", batch: Batch) -> Tensor:
        """Sum of the weights of all pixels of the batch, of all processes."""
        assert isinstance(trainer.inputs, SegmentationInputs)
        own = trainer.inputs.weights[batch.y].sum()
        return trainer.peers.sum_of(own).clamp(min=LEAST)

    def learn(self, trainer: "Trainer", x: Any, y: Any) -> Learnt:
        """Weighted cross-entropy; its sum, that of weights, right pixels, and all pixels."""
        assert isinstance(trainer.inputs, SegmentationInputs)
        weights = trainer.inputs.weights
        scores = trainer.forward(trainer.learner, x)
        loss = functional.cross_entropy(
            scores,
            y,
            weights[: scores.shape[1]].to(scores),
            ignore_index=IGNORED,
            reduction="sum",
        )
        with torch.no_grad():
            right = ((scores.argmax(1) == y) & (y != IGNORED)).sum()
            told = [loss, weights[y].sum(), right, (y != IGNORED).sum()]
            sums = torch.stack([number.double() for number in told])
        return Learnt(loss, sums)

    def means(self, sums: Sequence[float]) -> list[float]:
        """Mean loss of pixels by their weights, and percent of them that are right."""
        loss, weight, right, pixels = sums
        return [loss / weight, 100 * right / pixels] if pixels else [math.nan, math.nan]

    def test(self, trainer: "Trainer") -> list[float]:
        """Mean intersection over union, and right pixels, of the test pictures, in percent."""
        return measures(torch.stack(confusions(trainer)).sum(0))

    def measure(self, trainer: "Trainer", state: State) -> Measured:
        """Measures of the last epoch and the best of all epochs; counts of every test picture."""
        assert isinstance(trainer.inputs, SegmentationInputs)
        each = confusions(trainer)
        miou, pixels = measures(torch.stack(each).sum(0))
        seen = [row["test_miou"] for row in state.history]
        metrics: dict[str, Any] = {
            "miou": miou,
            "miou_best_epoch": max(seen, default=miou),
            "pixels": pixels,
            "epochs": state.epoch,
            "diverged_at": state.diverged_at,
        }
        return Measured(metrics, {IMAGES: _table(trainer.inputs.names(), each).encode()})


@torch.no_grad()
def confusions(trainer: "Trainer") -> list[Tensor]:
    """Confusion matrix of every test picture, ``(K, K)``."""
    trainer.network.eval()
    assert isinstance(trainer.inputs, SegmentationInputs)
    classes = trainer.inputs.classes
    return [
        confusion(trainer.forward(trainer.network, x).argmax(1), y, classes).cpu()
        for x, y, _ in trainer.inputs.measured("test", 1)
    ]


def measures(matrix: Tensor) -> list[float]:
    """Mean intersection over union, and share of right pixels, in percent.

    Example:
        >>> measures(torch.tensor([[2, 0], [1, 1]]))
        [58.33333333333333, 75.0]
    """
    right, pixels = int(matrix.diagonal().sum()), int(matrix.sum())
    return [100 * mean_intersection(matrix), 100 * right / pixels if pixels else math.nan]


def _table(names: Sequence[str], each: Sequence[Tensor]) -> str:
    """Of every picture and class the pixels of intersection and union, which add up over all."""
    classes = range(len(each[0]))
    columns = [f"{kind}_{k}" for k in classes for kind in ("intersection", "union")]
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(["image", *columns])
    for name, matrix in zip(names, each, strict=True):
        both = matrix.diagonal()
        either = matrix.sum(0) + matrix.sum(1) - both
        writer.writerow([name, *torch.stack([both, either], dim=1).flatten().tolist()])
    return written.getvalue()
