"""Trains a batch of small networks as the GmP authors do, and shows every step to a recorder."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from reactivate.models.batched_mlp import BatchedMLP
from reactivate.training.adam import BatchedAdam
from reactivate.training.batched import batches
from reactivate.training.monitor import Decision, Monitor
from reactivate.training.splits import Samples

ADAM_EPSILON = 1e-7  # Keras's default
MIN_DELTA = 1e-4  # Keras's default: less is no progress for the plateau schedule
PLATEAU_FACTOR = 0.1

# called after every step with the networks, and which of those at the start they are
Recorder = Callable[[BatchedMLP, list[int]], None]


@dataclass(frozen=True)
class Plan:
    """Loss, batches, schedule and stopping of a training."""

    loss: Callable[[Tensor, Tensor], Tensor]  # of outputs and targets, element by element
    batch_size: int | None  # None: full batch
    epochs: int
    plateau_patience: int
    stop_patience: int


@dataclass(frozen=True)
class Outcome:
    """Result of the training of one network."""

    epochs: int
    best_epoch: int
    diverged_at: int | None


def train(
    model: BatchedMLP,
    data: Samples,
    plan: Plan,
    lr: Tensor,
    shuffles: Sequence[Generator],
    watch: Samples | None = None,
    on_step: Recorder = lambda model, alive: None,
) -> list[Outcome]:
    """Trains each network until its own monitor stops it; ``model`` ends with the weights kept.

    The rules are Keras's: an epoch's training loss is the mean of what its steps saw before they
    moved, while the weights kept for the best epoch are those at its end.

    Args:
        model: ``B`` networks.
        data: What they are fitted to, with the leading dimension ``B``.
        plan: Loss, batches, schedule and stopping.
        lr: Initial learning rates, ``(B,)``.
        shuffles: One random stream per network, for the order of samples.
        watch: Where the share of wrong classes decides about schedule, stop and weights; None
            for the training loss.
        on_step: Called after every step.

    Returns:
        One outcome per network, in order.
    """
    monitors = [Monitor(plan.plateau_patience, MIN_DELTA, plan.stop_patience) for _ in lr]
    alive = list(range(len(lr)))
    best = {name: rows.clone() for name, rows in model.named_rows().items()}
    optimizer = BatchedAdam(list(model.parameters()), lr.clone(), ADAM_EPSILON)
    for _ in range(plan.epochs):
        parts = batches(data, plan.batch_size, [shuffles[n] for n in alive])
        scores = _epoch(model, optimizer, parts, plan.loss, alive, on_step)
        if watch is not None:
            scores = wrong_classes(model, watch)
        decisions = [monitors[n].update(s) for n, s in zip(alive, scores.tolist(), strict=True)]
        _keep_improved(best, model, alive, decisions)
        lowered = torch.tensor([decision.lower_lr for decision in decisions])
        optimizer.lr[lowered] *= PLATEAU_FACTOR
        going = torch.tensor([not decision.stop for decision in decisions])
        if not going.all():
            alive = [n for n, goes in zip(alive, going.tolist(), strict=True) if goes]
            if not alive:
                break
            model.keep(going)
            optimizer.keep(going)
            data, watch = data[going], None if watch is None else watch[going]
    model.load_rows(best)
    return [Outcome(m.epoch, m.best_epoch, m.diverged_at) for m in monitors]


def _keep_improved(
    best: dict[str, Tensor], model: BatchedMLP, alive: list[int], decisions: list[Decision]
) -> None:
    """Overwrites the best weights of the networks that have improved."""
    improved = [place for place, decision in enumerate(decisions) if decision.improved]
    for name, rows in model.named_rows().items():
        best[name][[alive[place] for place in improved]] = rows[improved]


def _epoch(
    model: BatchedMLP,
    optimizer: BatchedAdam,
    parts: Iterator[Samples],
    loss_of: Callable[[Tensor, Tensor], Tensor],
    alive: list[int],
    on_step: Recorder,
) -> Tensor:
    """Trains for one epoch; returns the mean loss of every network over its samples."""
    model.train()
    total, samples = torch.zeros(len(alive), dtype=torch.float64), 0
    for part in parts:
        losses = loss_of(model(part.x), part.y).mean(dim=(1, 2))
        optimizer.step(torch.autograd.grad(losses.sum(), optimizer.parameters))
        total += losses.detach() * part.x.shape[1]
        samples += part.x.shape[1]
        on_step(model, alive)
    return total / samples


def outputs(model: BatchedMLP, x: Tensor) -> Tensor:
    """Outputs of the networks for inputs ``(B, N, n)`` in evaluation mode, ``(B, N, 1)``."""
    model.eval()
    with torch.no_grad():
        out: Tensor = model(x)
    return out


def wrong_classes(model: BatchedMLP, part: Samples) -> Tensor:
    """Share of samples whose output has not the sign of the class, 0 or 1, ``(B,)``."""
    return ((outputs(model, part.x) > 0) != (part.y > 0)).double().mean(dim=(1, 2))
