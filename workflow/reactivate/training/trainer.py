"""Train an image network, epoch by epoch; the same on one device and on many."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from reactivate.experiment.arithmetic import Compilation
from reactivate.experiment.rates import OnPlateau
from reactivate.experiment.recipes import Training
from reactivate.foundation.device import sent
from reactivate.foundation.seeding import seed_torch
from reactivate.layers.portions import Portion, Present, draw_for_whole_batches
from reactivate.layers.shared_statistics import share_statistics
from reactivate.training.callbacks import Callback
from reactivate.training.classification import Classification
from reactivate.training.ending import end
from reactivate.training.inputs import ALONE, Batch, Inputs, Share
from reactivate.training.optimizers import layout, make_optimizer, set_rates
from reactivate.training.peers import Peers
from reactivate.training.precision import Scaling, precision_of
from reactivate.training.schedules import Clock, heed_plateau, rates
from reactivate.training.snapshots import Snapshots, State
from reactivate.training.tasks import Task
from reactivate.training.torch_stream import TorchStream
from reactivate.training.totals import Totals

SECONDS_BETWEEN_SNAPSHOTS = 20.0
SECONDS_WITHIN_AN_EPOCH = 600.0  # between two snapshots
GO_ON, SAVE, END = range(3)


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
        share: Part of every batch that this process computes; gradients are summed over all.
        task: Makes the loss of a step, and measures the network.
        callbacks: Are called at fixed moments, in this order; their state is in the snapshot.
        snapshots: Where to keep the state; None keeps none.
        seconds_between: Time between two snapshots after an epoch.
        compilation: How torch compiles the network that plain cross-entropy trains; see
            :class:`reactivate.experiment.arithmetic.Arithmetic`.
        micro_batch: The most images that this process passes at once; None for its whole share of
            a batch. Statistics of batches are then those of as many images of each process.
        ending: Tells whether the process is to end: then it keeps its state after the present
            step, and ends.
        tests: Whether the network is tested after every epoch; if not, its history tells nothing
            of the test images.

    Attributes:
        state: How far the training is.
        step: Number of finished steps.
        present: The portion of a batch that is passed at present.
    """

    network: nn.Module
    inputs: Inputs
    recipe: Training
    lr: float
    clock: Clock
    key: tuple[str, int]
    share: Share = ALONE
    task: Task = field(default_factory=Classification)
    callbacks: Sequence[Callback] = ()
    snapshots: Snapshots | None = None
    seconds_between: float = SECONDS_BETWEEN_SNAPSHOTS
    compilation: Compilation = "none"
    micro_batch: int | None = None
    ending: Callable[[], bool] = bool
    tests: bool = True
    state: State = field(default_factory=State)

    def __post_init__(self) -> None:
        parts: list[Task | Callback] = [self.task, *self.callbacks]
        alone = [type(part).__name__ for part in parts if part.works_alone]
        if alone and self.share.processes > 1:
            raise ValueError(
                f"{self.share.processes} processes train together with {', '.join(alone)}; "
                "accepted: 1. Start the stage with python, not torchrun"
            )
        if self.share.processes > self.recipe.batch_size:
            raise ValueError(
                f"{self.share.processes} processes divide batches of {self.recipe.batch_size} "
                "images; accepted: at most as many processes as images. Change processes"
            )
        if self.micro_batch is not None and self.micro_batch < 1:
            raise ValueError(
                f"micro_batch is {self.micro_batch}; accepted: 1 or more. Change it where the "
                "workflow is started (--config micro_batch=...), or in the call"
            )
        self.peers = Peers(self.share)
        self.device = next(self.network.parameters()).device
        self.precision = precision_of(self.recipe, self.device)
        self.scaling = Scaling(self.precision)
        self.layout = layout(self.network, self.device)
        self.network.to(memory_format=self.layout)  # type: ignore[call-overload]
        self.present = Present()
        if self.peers.several:
            share_statistics(self.network)
        draw_for_whole_batches(self.network, self.present)  # however images lie in memory
        self.stream = TorchStream(self.device)
        self.optimizer = make_optimizer(self.recipe, self.network, self.lr)
        self.learner = self.network
        if self.compilation != "none":
            compiled: Any = torch.compile(self.learner, mode=self.compilation)
            self.learner = compiled

    @property
    def columns(self) -> list[str]:
        """Columns of the history."""
        return ["epoch", "lr", *self.task.summed, *self.task.tested]

    @property
    def epochs(self) -> int:
        """Number of epochs of the run; the last one may be cut short."""
        return math.ceil(self.clock.steps / self.inputs.steps)

    def fit(self) -> State:
        """Trains from the newest snapshot, or from the start, to the end."""
        for callback in self.callbacks:
            callback.on_start(self)
        self._resume()
        while not self.finished:
            self._epoch(self.state.epoch + 1)
            self._count_seconds()
            for callback in self.callbacks:
                callback.on_epoch(self)
            self._keep(self.seconds_between)
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
            self.peers.wait()  # before the first process replaces or removes it
        epochs = min(self.state.epoch * self.inputs.steps, self.clock.steps)
        self.step = epochs + self.state.batches
        self.saved = self.counted = time.monotonic()

    def _keep(self, seconds_between: float, totals: Totals | None = None) -> None:
        """Keeps the state if it is time to, or if a process is to end; then all of them end.

        Args:
            seconds_between: Time that is to pass before the state is kept again.
            totals: Sums of an unfinished epoch.
        """
        due = time.monotonic() - self.saved >= seconds_between
        said = self.peers.most(END if self.ending() else SAVE if due else GO_ON)
        if said == GO_ON and not self.finished:
            return
        if totals is not None:
            self.state.sums = self.peers.gather(totals.sums.tolist())
        self._count_seconds()
        if self.snapshots is not None and self.share.rank == 0:
            self.snapshots.save(self.state, self.network, self.optimizer, self._stateful)
        self.saved = time.monotonic()
        if said == END and not self.finished:
            self.peers.wait()  # for the first process to have saved
            end(f"after step {self.step} of {self.clock.steps}")

    def _count_seconds(self) -> None:
        now = time.monotonic()
        self.state.seconds += now - self.counted
        self.counted = now

    @property
    def _stateful(self) -> list[Callback]:
        """All whose state is in a snapshot, besides network and optimizer."""
        return [*self.callbacks, self.scaling, self.stream]

    def _epoch(self, number: int) -> None:
        lr, totals = self._train(number)
        learnt = self.task.means(totals.over_all())
        row = {"epoch": number, "lr": lr, **dict(zip(self.task.summed, learnt, strict=True))}
        if self.tests:
            row |= self._test()
        self.state.history.append(row)
        self.state.epoch, self.state.batches, self.state.sums = number, 0, []
        finite = [parameter.isfinite().all() for parameter in self.network.parameters()]
        if not torch.stack(finite).all():
            self.state.diverged_at = number  # NaN never heals: nothing can change any more
        if isinstance(self.recipe.schedule, OnPlateau):
            heed_plateau(self.recipe.schedule, self.state, row)

    def _train(self, number: int) -> tuple[float, Totals]:
        """Trains for one epoch; returns the learning rate of its first step, and its sums."""
        self.learner.train()
        done = self.state.batches  # before an interruption
        if not done:
            seed_torch(*self.key, number, "dropout", 0)
        totals = Totals(self.device, self.share, self.state.sums, self.task.sums)
        first = self.step - done
        batches = self.inputs.epoch(number, self.share)
        for batch in islice(batches, done, self.clock.steps - first):
            lr, weight_decay = self._rates(self.step)
            set_rates(self.optimizer, lr, weight_decay)
            self._step(batch, totals)
            self.state.batches += 1
            self._keep(SECONDS_WITHIN_AN_EPOCH, totals)
        return self._rates(first)[0], totals

    def _rates(self, step: int) -> tuple[float, float]:
        """Learning rate and weight decay of a step."""
        now = rates(self.recipe, self.lr, self.clock, step)
        return now.lr * self.state.factor, now.weight_decay

    def _step(self, batch: Batch, totals: Totals) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        place = self.stream.state_dict() if self.micro_batch else {}
        share = 1 / self.task.divisor(self, batch)
        start = 0
        for portion in self._portions(batch.total):
            if start:
                self.stream.load_state_dict(place)  # all portions draw for the whole batch
            rows = slice(start, start + portion.count)
            self.present.portion = portion
            loss, sums = self.task.learn(self, batch.x[rows], batch.y[rows])
            self.scaling.backward(loss * share)
            totals.add(sums)
            start += portion.count
        self.present.portion = None
        self.peers.sum_gradients(self.network.parameters())
        self.scaling.unscale(self.optimizer)
        for callback in self.callbacks:
            callback.on_gradients(self)
        self.scaling.step(self.optimizer)
        self.step += 1
        for callback in self.callbacks:
            callback.on_step(self)

    def _portions(self, total: int) -> list[Portion]:
        """What this process passes of a batch, one after the other; all have as many portions."""
        largest = math.ceil(total / self.share.processes)
        return self.share.portion(total).divided(math.ceil(largest / (self.micro_batch or total)))

    def forward(self, network: nn.Module, x: Tensor) -> Tensor:
        """Scores of images in full precision, however the network computes them."""
        if x.dim() == 4:
            x = x.contiguous(memory_format=self.layout)
        with self.precision.passing(), parametrize.cached():
            scores: Tensor = network(sent(x, self.device))
        return scores.to(torch.promote_types(scores.dtype, torch.float32))

    def _test(self) -> dict[str, float]:
        """Measures of the test images, which the first process takes for all."""
        numbers = [math.nan] * len(self.task.tested)
        if self.share.rank == 0:
            numbers = self.task.test(self)
        return dict(zip(self.task.tested, self.peers.hear_first(numbers), strict=True))
