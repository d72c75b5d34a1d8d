"""Train an image network, epoch by epoch; the same on one device and on many."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from reactivate.experiment.arithmetic import Compilation
from reactivate.experiment.recipes import OnPlateau, Training
from reactivate.foundation.device import sent
from reactivate.foundation.seeding import seed_torch
from reactivate.training.accuracy import Totals, top
from reactivate.training.callbacks import Callback
from reactivate.training.inputs import ALONE, Batch, Inputs, Part, Share
from reactivate.training.optimizers import layout, make_optimizer, set_rates
from reactivate.training.precision import Scaling, precision_of
from reactivate.training.schedules import Clock, heed_plateau, rates
from reactivate.training.snapshots import Snapshots, State
from reactivate.training.strategies import CrossEntropy, Strategy

SECONDS_BETWEEN_SNAPSHOTS = 20.0
HISTORY = ["epoch", "lr", "train_loss", "train_top1", "train_top5", "test_top1", "test_top5"]


@dataclass
class Trainer:
    """A network, what it reads, and how far it is.

    Args:
        network: On its device; gets the memory format of
            :func:`reactivate.training.optimizers.layout`.
        inputs: Training and test batches.
        recipe: How to train.
        lr: Initial learning rate.
        clock: Length of the run; stretches the schedule to it.
        key: Dataset and seed, of the random streams.
        share: Part of every batch that this process computes; gradients are averaged over all.
        strategy: Makes the loss of a step.
        callbacks: Are called at fixed moments, in this order; their state is in the snapshot.
        snapshots: Where to keep the state; None keeps none.
        seconds_between: Time between two snapshots.
        compilation: How torch compiles the network that :class:`CrossEntropy` trains; see
            :class:`reactivate.experiment.arithmetic.Arithmetic`.

    Attributes:
        state: How far the training is.
        step: Number of finished steps.
    """

    network: nn.Module
    inputs: Inputs
    recipe: Training
    lr: float
    clock: Clock
    key: tuple[str, int]
    share: Share = ALONE
    strategy: Strategy = field(default_factory=CrossEntropy)
    callbacks: Sequence[Callback] = ()
    snapshots: Snapshots | None = None
    seconds_between: float = SECONDS_BETWEEN_SNAPSHOTS
    compilation: Compilation = "none"
    state: State = field(default_factory=State)

    def __post_init__(self) -> None:
        parts: list[Strategy | Callback] = [self.strategy, *self.callbacks]
        alone = [type(part).__name__ for part in parts if part.works_alone]
        if alone and self.share.processes > 1:
            raise ValueError(
                f"{self.share.processes} processes train together with {', '.join(alone)}; "
                "accepted: 1. Start the stage with python, not torchrun"
            )
        self.device = next(self.network.parameters()).device
        self.precision = precision_of(self.recipe, self.device)
        self.scaling = Scaling(self.precision)
        self.layout = layout(self.device)
        self.network.to(memory_format=self.layout)  # type: ignore[call-overload]
        self.optimizer = make_optimizer(self.recipe, self.network, self.lr)
        self.learner = self.network
        if self.share.processes > 1:
            from torch.nn.parallel import DistributedDataParallel

            self.learner = DistributedDataParallel(self.network)
        if self.compilation != "none":
            compiled: Any = torch.compile(self.learner, mode=self.compilation)
            self.learner = compiled

    @property
    def epochs(self) -> int:
        """Number of epochs of the run; the last one may be cut short."""
        return math.ceil(self.clock.steps / self.inputs.steps)

    def fit(self) -> State:
        """Trains from the newest snapshot, or from the start, to the end."""
        for callback in self.callbacks:
            callback.on_start(self)
        self._resume()
        saved = start = time.monotonic()
        while not self.finished:
            self._epoch(self.state.epoch + 1)
            now = time.monotonic()
            self.state.seconds += now - start
            start = now
            for callback in self.callbacks:
                callback.on_epoch(self)
            if self.finished or now - saved >= self.seconds_between:
                self._save()
                saved = now
        for callback in self.callbacks:
            callback.on_end(self)
        return self.state

    @property
    def finished(self) -> bool:
        """Whether nothing is left to train."""
        state = self.state
        return state.epoch >= self.epochs or state.diverged_at is not None or state.stopped

    def _resume(self) -> None:
        if self.snapshots is not None:
            kept = self.snapshots.load(self.network, self.optimizer, self._stateful)
            self.state = kept or self.state
            if self.share.processes > 1:
                torch.distributed.barrier()  # before the first process replaces or removes it
        self.step = min(self.state.epoch * self.inputs.steps, self.clock.steps)

    def _save(self) -> None:
        if self.snapshots is not None and self.share.rank == 0:
            self.snapshots.save(self.state, self.network, self.optimizer, self._stateful)

    @property
    def _stateful(self) -> list[Callback]:
        """All whose state is in a snapshot, besides network and optimizer."""
        return [*self.callbacks, self.scaling]

    def _epoch(self, number: int) -> None:
        lr, totals = self._train(number)
        row = {"epoch": number, "lr": lr, **totals.means(), **self._test()}
        self.state.history.append({name: row[name] for name in HISTORY})
        self.state.epoch = number
        finite = [parameter.isfinite().all() for parameter in self.network.parameters()]
        if not torch.stack(finite).all():
            self.state.diverged_at = number  # NaN never heals: nothing can change any more
        if isinstance(self.recipe.schedule, OnPlateau):
            heed_plateau(self.recipe.schedule, self.state, row)

    def _train(self, number: int) -> tuple[float, Totals]:
        """Trains for one epoch; returns the learning rate of its first step, and its sums."""
        self.learner.train()
        seed_torch(*self.key, number, "dropout", self.share.rank)
        totals = Totals(self.device, self.share)
        first, first_lr = self.step, math.nan
        batches = self.inputs.epoch(number, self.share)
        for batch in islice(batches, self.clock.steps - first):
            now = rates(self.recipe, self.lr, self.clock, self.step)
            set_rates(self.optimizer, now.lr * self.state.factor, now.weight_decay)
            if self.step == first:
                first_lr = now.lr * self.state.factor
            self._step(batch, totals)
        return first_lr, totals

    def _step(self, batch: Batch, totals: Totals) -> None:
        loss, scores = self.strategy(self, batch.x, batch.y)
        self.optimizer.zero_grad(set_to_none=True)
        self.scaling.backward(loss * (self.share.processes / batch.total), self.optimizer)
        for callback in self.callbacks:
            callback.on_gradients(self)
        self.scaling.step(self.optimizer)
        self.step += 1
        totals.add(loss, scores, batch.y)
        for callback in self.callbacks:
            callback.on_step(self)

    def forward(self, network: nn.Module, x: Tensor) -> Tensor:
        """Scores of images in full precision, however the network computes them."""
        if x.dim() == 4:
            x = x.contiguous(memory_format=self.layout)
        with self.precision.passing(), parametrize.cached():
            scores: Tensor = network(sent(x, self.device))
        return scores.float()

    def _test(self) -> dict[str, float]:
        """Accuracies of the test images, the first process's for all: statistics may differ."""
        scores, labels = self.scores("test")
        hits = torch.stack([top(scores, labels, k).double().mean() for k in (1, 5)])
        if self.share.processes > 1:
            hits = hits.to(self.device)
            torch.distributed.broadcast(hits, 0)
        first, five = hits.tolist()
        return {"test_top1": 100 * first, "test_top5": 100 * five}

    @torch.no_grad()
    def scores(self, part: Part, views: int = 1) -> tuple[Tensor, Tensor]:
        """Outputs of the network for every image of a part, and the labels.

        With several views the result is the logarithm of their mean probability.
        """
        self.network.eval()
        parts, labels = [], []
        for x, y, _ in self.inputs.measured(part, views):
            scores = self.forward(self.network, x)
            if views > 1:
                mean = scores.softmax(1).reshape(len(y), views, -1).mean(1)
                scores = mean.log()
            parts.append(scores)
            labels.append(y)
        return torch.cat(parts).cpu(), torch.cat(labels).cpu()  # waits for the device once
