"""Trains many small networks at once: one loop, the networks as the leading dimension."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from reactivate.models.batched_mlp import BatchedMLP
from reactivate.training.adam import BatchedAdam
from reactivate.training.monitor import Decision, Monitor
from reactivate.training.splits import Samples, Split

CACHE_BYTES = 2_500_000  # hidden activations of one batch of networks that still fit the cache
LOSSES: dict[str, Callable[[Tensor], Tensor]] = {"mse": torch.square, "mae": torch.abs}


@dataclass(frozen=True)
class Schedule:
    """The part of a recipe that the training loop needs: loss, batches, plateau, stopping."""

    loss: str
    batch_size: int | None  # None: full batch
    epochs: int
    plateau_factor: float
    plateau_patience: int
    min_delta: float
    stop_patience: int
    adam_epsilon: float


@dataclass(frozen=True)
class Outcome:
    """The outcome of the training of one network."""

    score: float  # root mean squared error on the reported part, with the weights kept
    watched: float  # the best of it: root mean squared error, or training loss if no rows are
    best_epoch: int
    epochs: int
    diverged_at: int | None
    # epoch, training loss, what is watched, learning rate
    history: list[tuple[int, float, float, float]] = field(repr=False)


def networks_per_batch(samples: int, hidden: int, element_bytes: int) -> int:
    """The number of networks to train at once: as many as keep their activations in the cache.

    One giant batch is slower than none: it streams every activation through main memory.

    Example:
        >>> networks_per_batch(400, 100, 4), networks_per_batch(7654, 100, 4)
        (15, 1)
    """
    return max(1, CACHE_BYTES // (samples * hidden * element_bytes))


def fit(
    model: BatchedMLP,
    data: Split,
    lr: Tensor,
    schedule: Schedule,
    shuffles: Sequence[torch.Generator],
    on_epoch: Callable[[int, int, float], None] = lambda epoch, networks, loss: None,
) -> list[Outcome]:
    """Trains every network until its own monitor stops it; ``model`` ends with the best weights.

    An epoch is judged by the squared error of the watched rows at its end. Where no rows are
    watched it is judged by its training loss as Keras reports it: the mean of what its steps saw
    before they moved, while the weights kept are those at its end.

    Args:
        model: ``B`` networks.
        data: Their data, with the leading dimension ``B``.
        lr: Initial learning rates, ``(B,)``.
        schedule: Loss, batches, plateau and stopping.
        shuffles: One random stream per network, for mini-batches.
        on_epoch: Called with epoch, number of networks still training and their mean loss.

    Returns:
        One outcome per network, in order.
    """
    total = len(lr)
    lr = lr.to(data.fit.x.dtype).clone()
    monitors = [
        Monitor(schedule.plateau_patience, schedule.min_delta, schedule.stop_patience)
        for _ in range(total)
    ]
    histories: list[list[tuple[int, float, float, float]]] = [[] for _ in range(total)]
    alive = list(range(total))
    best = {name: rows.clone() for name, rows in model.named_rows().items()}
    optimizer = BatchedAdam(list(model.parameters()), lr, schedule.adam_epsilon)
    training, watching = data.fit, data.watch
    power = 1.0 if watching is None else 0.5  # a squared error is told by its root
    for epoch in range(1, schedule.epochs + 1):
        streams = [shuffles[network] for network in alive]
        parts = batches(training, schedule.batch_size, streams)
        losses = _descend(model, optimizer, parts, LOSSES[schedule.loss])
        scores = losses if watching is None else squared_error(model, watching).tolist()
        decisions = [monitors[n].update(s) for n, s in zip(alive, scores, strict=True)]
        stops = any(decision.stop for decision in decisions)
        _keep_best(best, model, alive, decisions)
        for place, decision in enumerate(decisions):
            if decision.lower_lr:
                optimizer.lr[place] *= schedule.plateau_factor
        if is_recorded(epoch) or stops or epoch == schedule.epochs:
            for place, n in enumerate(alive):
                row = epoch, losses[place], scores[place] ** power, float(optimizer.lr[place])
                histories[n].append(row)
        on_epoch(epoch, len(alive), sum(losses) / len(losses))
        if stops:
            going = torch.tensor([not decision.stop for decision in decisions])
            alive = [n for n, goes in zip(alive, going.tolist(), strict=True) if goes]
            if not alive:
                break
            model.keep(going)
            optimizer.keep(going)
            training = training[going]
            watching = None if watching is None else watching[going]
    model.load_rows(best)
    final = squared_error(model, data.report).sqrt().tolist()
    return [
        Outcome(score, m.best**power, m.best_epoch, m.epoch, m.diverged_at, history)
        for score, m, history in zip(final, monitors, histories, strict=True)
    ]


def _descend(
    model: BatchedMLP,
    optimizer: BatchedAdam,
    parts: Iterator[Samples],
    loss_of: Callable[[Tensor], Tensor],
) -> list[float]:
    """Trains for one epoch; returns every network's mean loss over its samples."""
    model.train()
    losses, sizes = [], []
    for part in parts:
        loss = loss_of(model(part.x) - part.y).mean(dim=(1, 2))
        optimizer.step(torch.autograd.grad(loss.sum(), optimizer.parameters))
        losses.append(loss.detach())
        sizes.append(part.x.shape[1])
    weights = torch.tensor(sizes, dtype=loss.dtype) / sum(sizes)
    return (torch.stack(losses, dim=1) @ weights).tolist()


def batches(
    part: Samples, size: int | None, streams: Sequence[torch.Generator]
) -> Iterator[Samples]:
    """Mini-batches of every network in an order of its own; all at once if ``size`` is None."""
    samples = part.x.shape[1]
    if size is None or size >= samples:
        yield part
        return
    order = torch.stack([torch.randperm(samples, generator=stream) for stream in streams])
    network = torch.arange(len(streams)).unsqueeze(1)
    for rows in torch.split(order, size, dim=1):
        yield Samples(part.x[network, rows], part.y[network, rows])


def squared_error(model: BatchedMLP, part: Samples) -> Tensor:
    """Mean squared error of every network, ``(B,)``, in evaluation mode."""
    model.eval()
    with torch.no_grad():
        error: Tensor = model(part.x) - part.y
        return error.square_().mean(dim=(1, 2))


def is_recorded(epoch: int) -> bool:
    """Whether the history keeps this epoch: the first hundred, then ever fewer."""
    return epoch % (1 if epoch < 100 else 30 if epoch < 1000 else 300) == 0


def _keep_best(
    best: dict[str, Tensor], model: BatchedMLP, alive: list[int], decisions: list[Decision]
) -> None:
    places = [place for place, decision in enumerate(decisions) if decision.improved]
    if not places:
        return
    networks = [alive[place] for place in places]
    for name, rows in model.named_rows().items():
        best[name][networks] = rows[places]
