"""The task of finding objects: losses of a detector, average precisions, COCO results."""

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn.utils import parametrize

from reactivate.datasets.coco import results
from reactivate.detection.average_precision import METRICS, average_precisions
from reactivate.experiment.cell import Cell
from reactivate.experiment.outputs import DETECTIONS
from reactivate.training.inputs import Batch, Inputs
from reactivate.training.scenes.inputs import DetectionInputs
from reactivate.training.snapshots import State
from reactivate.training.tasks import Learnt, Measured

if TYPE_CHECKING:
    from reactivate.training.trainer import Trainer

LOSSES = ("classification", "bbox_regression")  # of a detector of torchvision


class Detection:
    """Finds the objects of pictures; the inputs are a :class:`DetectionInputs`.

    The loss of a picture is divided by the anchors that it has to find, so the losses of a batch
    add up however it is divided.
    """

    works_alone = False
    sums = 3
    summed = ("train_loss", "train_class_loss", "train_box_loss")
    tested = ("test_map", "test_ap50")
    watched = "test_map"

    def check_fit(self, network: nn.Module, inputs: Inputs, cell: Cell, classes: int) -> None:
        """Stops before a training whose annotations have other classes than the network.

        Raises:
            ValueError: They have.
        """
        assert isinstance(inputs, DetectionInputs)
        if len(inputs.categories) != classes:
            raise ValueError(
                f"{cell.dataset} has {len(inputs.categories)} categories, but {cell.model} tells "
                f"{classes} apart; correct classes in config/datasets.yaml"
            )

    def divisor(self, trainer: "Trainer", batch: Batch) -> float:
        """Number of pictures of the batch."""
        return batch.total

    def learn(self, trainer: "Trainer", x: Any, y: Any) -> Learnt:
        """Losses of classes and of boxes, summed over pictures."""
        with trainer.precision.passing(), parametrize.cached():
            means = trainer.learner(x, y)
        losses = torch.stack([means[name].float() for name in LOSSES]) * len(x)
        with torch.no_grad():
            count = torch.full_like(losses[:1], len(x))
            sums = torch.cat([losses, count]).double()
        return Learnt(losses.sum(), sums)

    def means(self, sums: Sequence[float]) -> list[float]:
        """Loss of a picture, and its two parts."""
        classes, boxes, count = sums
        return [(classes + boxes) / count, classes / count, boxes / count]

    def test(self, trainer: "Trainer") -> list[float]:
        """Average precisions of the test pictures, in percent."""
        found = precisions(trainer, detections(trainer))
        return [found["map"], found["ap50"]]

    def measure(self, trainer: "Trainer", state: State) -> Measured:
        """All average precisions in percent; detections in the form of COCO's results."""
        found = detections(trainer)
        metrics: dict[str, Any] = precisions(trainer, found)
        metrics |= {"epochs": state.epoch, "diverged_at": state.diverged_at}
        content = json.dumps(found, separators=(",", ":")) + "\n"
        return Measured(metrics, {DETECTIONS: content.encode()})


@torch.no_grad()
def detections(trainer: "Trainer") -> list[dict[str, Any]]:
    """What the network of a training finds in all test pictures, in float32, as COCO's results.

    Sixteen bits would round the corners of boxes to several pixels.
    """
    network = trainer.network.eval()
    assert isinstance(trainer.inputs, DetectionInputs)
    rows = []
    for x, y, _ in trainer.inputs.measured("test", 1):
        with parametrize.cached():
            found = network(x)
        rows += results(found, [one["image_id"] for one in y], trainer.inputs.categories)
    return rows


def precisions(trainer: "Trainer", found: list[dict[str, Any]]) -> dict[str, float]:
    """Average precisions in percent; not a number where there is nothing to find."""
    assert isinstance(trainer.inputs, DetectionInputs)
    shares = average_precisions(trainer.inputs.truth, found)
    return {name: 100 * shares[name] if shares[name] >= 0 else math.nan for name in METRICS}
