"""Numbers of a trained image network: from its predictions, and from its history."""

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from reactivate.training.accuracy import top
from reactivate.training.snapshots import State


def accuracies(scores: Tensor, labels: Tensor) -> dict[str, float]:
    """Top-1 and top-5 accuracy in percent, and the errors.

    Example:
        >>> accuracies(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([1, 1]))["top1"]
        50.0
    """
    one, five = (100 * top(scores, labels, k).double().mean().item() for k in (1, 5))
    return {"top1": one, "top5": five, "error": 100 - one, "top5_error": 100 - five}


def vote_error(scores: list[Tensor], labels: Tensor) -> float:
    """Error in percent of the mean probability of several networks.

    Args:
        scores: One ``(N, classes)`` per network.
        labels: ``(N,)``.
    """
    mean = torch.stack([one.double().softmax(1) for one in scores]).mean(0)
    return accuracies(mean, labels)["error"]


def first_epoch_below(losses: list[float], threshold: float) -> float:
    """The first epoch, from 1, with a loss below a threshold; infinite if there is none.

    Example:
        >>> first_epoch_below([3.2, 2.9, 3.1], 3.0), first_epoch_below([3.2], 3.0)
        (2, inf)
    """
    return next((n for n, loss in enumerate(losses, start=1) if loss < threshold), math.inf)


def convergence(losses: list[float]) -> dict[str, float]:
    """The lowest finite training loss, the epoch it is reached in, and when thresholds are."""
    finite = [loss for loss in losses if math.isfinite(loss)]
    lowest = min(finite, default=math.nan)
    return {
        "loss_min": lowest,
        "epoch_loss_min": losses.index(lowest) + 1 if finite else math.nan,
        "epoch_below_3_0": first_epoch_below(losses, 3.0),
        "epoch_below_2_5": first_epoch_below(losses, 2.5),
        "epoch_below_2_0": first_epoch_below(losses, 2.0),
    }


def final_metrics(
    state: State,
    test: tuple[Tensor, Tensor],
    ten_crop: Tensor | None = None,
    train: tuple[Tensor, Tensor] | None = None,
) -> dict[str, Any]:
    """All numbers of a run, by the name that exhibits use.

    Args:
        state: State of the finished training.
        test: Scores and labels of the test images.
        ten_crop: Scores of the test images over ten crops.
        train: Scores and labels of the training images.
    """
    metrics: dict[str, Any] = accuracies(*test)
    metrics["test_loss"] = functional.cross_entropy(*test).item()
    if ten_crop is not None:
        metrics |= {f"{name}_ten": value for name, value in accuracies(ten_crop, test[1]).items()}
    if train is not None:
        metrics["train_error"] = accuracies(*train)["error"]
    metrics |= convergence([row["train_loss"] for row in state.history])
    return {**metrics, "epochs": state.epoch, "diverged_at": state.diverged_at}
