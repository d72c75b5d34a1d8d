"""Train an image network, epoch by epoch; the same on one device and on many."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import parametrize
from torch.optim import SGD, Adam, Optimizer

from reactivate.experiment.recipes import OnPlateau, Sgd, Training
from reactivate.foundation.seeding import seed_torch
from reactivate.training.inputs import ALONE, Inputs, Part, Share
from reactivate.training.schedules import Clock, rates
from reactivate.training.snapshots import Snapshots, State

SECONDS_BETWEEN_SNAPSHOTS = 20.0
HISTORY = ["epoch", "lr", "train_loss", "train_top1", "train_top5", "test_top1", "test_top5"]


def layout(device: torch.device) -> torch.memory_format:
    """Channels last on a GPU, where mixed precision wants it.

    Not on a CPU, although it is about 1.2 times as fast there (``benchmarks/training.py``): with
    oneDNN 3.12 (torch 2.13) the gradient of a 1x1 convolution with stride 2 and fewer than eight
    channels writes outside its memory.
    """
    return torch.channels_last if device.type == "cuda" else torch.contiguous_format


def make_optimizer(recipe: Training, network: nn.Module, lr: float) -> Optimizer:
    """The recipe's optimizer over all parameters of a network."""
    decay = recipe.optimizer.weight_decay
    parameters = list(network.parameters())
    if isinstance(recipe.optimizer, Sgd):
        return SGD(parameters, lr, recipe.optimizer.momentum, weight_decay=decay)
    return Adam(parameters, lr, weight_decay=decay)


def top(scores: Tensor, labels: Tensor, k: int) -> Tensor:
    """Whether each label is among the ``k`` largest scores, or all if there are fewer classes."""
    return (scores.topk(min(k, scores.shape[1])).indices == labels[:, None]).any(1)


@dataclass
class Trainer:
    """A network, what it reads, and how far it is.

    Args:
        network: On its device; its memory format becomes that of :func:`layout`.
        inputs: Training and test batches.
        recipe: How to train.
        lr: Initial learning rate.
        clock: Length of the run; stretches the schedule to it.
        key: Dataset and seed, of the random streams.
        share: Of this process; gradients are averaged over all.
        snapshots: Where to keep the state; None keeps none.
        seconds_between: Of two snapshots.
        report: Called with the state after every epoch.
    """

    network: nn.Module
    inputs: Inputs
    recipe: Training
    lr: float
    clock: Clock
    key: tuple[str, int]
    share: Share = ALONE
    snapshots: Snapshots | None = None
    seconds_between: float = SECONDS_BETWEEN_SNAPSHOTS
    report: Callable[[State], None] = lambda state: None
    state: State = field(default_factory=State)

    def __post_init__(self) -> None:
        self.device = next(self.network.parameters()).device
        self.mixed = (
            self.recipe.mixed_precision
            and self.device.type == "cuda"
            and torch.cuda.is_bf16_supported()
        )
        self.layout = layout(self.device)
        self.network.to(memory_format=self.layout)  # type: ignore[call-overload]
        self.optimizer = make_optimizer(self.recipe, self.network, self.lr)
        self.learner = self.network
        if self.share.processes > 1:
            from torch.nn.parallel import DistributedDataParallel

            self.learner = DistributedDataParallel(self.network)

    @property
    def epochs(self) -> int:
        """Of the run; the last one may be cut short."""
        return math.ceil(self.clock.steps / self.inputs.steps)

    def fit(self) -> State:
        """Trains from the newest snapshot, or from the start, to the end."""
        if self.snapshots is not None:
            self.state = self.snapshots.load(self.network, self.optimizer) or self.state
            if self.share.processes > 1:
                torch.distributed.barrier()  # before the first process replaces or removes it
        saved = start = time.monotonic()
        while not self.finished:
            self._epoch(self.state.epoch + 1)
            now = time.monotonic()
            self.state.seconds += now - start
            start = now
            if self.finished or now - saved >= self.seconds_between:
                self._save()
                saved = now
            self.report(self.state)
        return self.state

    @property
    def finished(self) -> bool:
        """Whether nothing is left to train."""
        state = self.state
        return state.epoch >= self.epochs or state.diverged_at is not None or state.stopped

    def _save(self) -> None:
        if self.snapshots is not None and self.share.rank == 0:
            self.snapshots.save(self.state, self.network, self.optimizer)

    def _epoch(self, number: int) -> None:
        first = (number - 1) * self.inputs.steps
        lr = self._train(number, first)
        row = {"epoch": number, "lr": lr, **self._sums(), **self._test()}
        self.state.history.append({name: row[name] for name in HISTORY})
        self.state.epoch = number
        if not all(parameter.isfinite().all() for parameter in self.network.parameters()):
            self.state.diverged_at = number  # NaN never heals: nothing can change any more
        if isinstance(self.recipe.schedule, OnPlateau):
            self._watch(self.recipe.schedule, row)

    def _train(self, number: int, first: int) -> float:
        """One epoch; the learning rate of its first step."""
        self.learner.train()
        seed_torch(*self.key, number, "dropout", self.share.rank)
        self.totals = torch.zeros(4, dtype=torch.float64, device=self.device)
        batches = self.inputs.epoch(number, self.share)
        first_lr = math.nan
        for step, batch in enumerate(islice(batches, self.clock.steps - first), start=first):
            now = rates(self.recipe, self.lr, self.clock, step)
            for group in self.optimizer.param_groups:
                group["lr"] = now.lr * self.state.factor
                group["weight_decay"] = now.weight_decay
            if step == first:
                first_lr = now.lr * self.state.factor
            self._step(*batch)
        return first_lr

    def _step(self, x: Tensor, y: Tensor, total: int) -> None:
        scores = self._forward(self.learner, x)
        smoothing = self.recipe.label_smoothing
        loss = functional.cross_entropy(scores, y, reduction="sum", label_smoothing=smoothing)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss * (self.share.processes / total))
        self.optimizer.step()
        with torch.no_grad():
            hits = [top(scores, y, k).sum() for k in (1, 5)]
            self.totals += torch.stack([loss.double(), *hits, torch.full_like(hits[0], len(y))])

    def _forward(self, network: nn.Module, x: Tensor) -> Tensor:
        if x.dim() == 4:
            x = x.contiguous(memory_format=self.layout)
        with (
            torch.autocast(self.device.type, torch.bfloat16, enabled=self.mixed),
            parametrize.cached(),
        ):
            scores: Tensor = network(x.to(self.device))
        return scores.float()

    def _sums(self) -> dict[str, float]:
        """Loss and accuracy of the epoch's training batches, over all processes."""
        if self.share.processes > 1:
            torch.distributed.all_reduce(self.totals)
        loss, first, five, count = self.totals.tolist()
        return {
            "train_loss": loss / count,
            "train_top1": 100 * first / count,
            "train_top5": 100 * five / count,
        }

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
        found, labels = [], []
        for x, y, _ in self.inputs.measured(part, views):
            scores = self._forward(self.network, x)
            if views > 1:
                mean = scores.softmax(1).reshape(len(y), views, -1).mean(1)
                scores = mean.log()
            found.append(scores.cpu())
            labels.append(y.cpu())
        return torch.cat(found), torch.cat(labels)

    def _watch(self, schedule: OnPlateau, row: dict[str, float]) -> None:
        """Lowers the rate or stops when the watched accuracy does not rise any more."""
        state, accuracy = self.state, row[f"test_{schedule.watch}"]
        if accuracy > state.best:
            state.best, state.best_epoch, state.waited = accuracy, state.epoch, 0
            return
        state.waited += 1
        if state.waited >= schedule.patience:
            state.factor *= schedule.factor
            state.waited = 0
        state.stopped = state.epoch - state.best_epoch >= schedule.stop_patience
