"""The networks behind a cell: every seed and, for cross-validation, fold and learning rate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import torch
from torch import Tensor

from reactivate.activations import ACTIVATIONS
from reactivate.experiment.cell import Cell
from reactivate.experiment.settings import SweepSettings
from reactivate.experiment.sweeps import ChosenLr
from reactivate.foundation.progress import Progress
from reactivate.foundation.seeding import generator
from reactivate.layers.batched import BATCHED
from reactivate.layers.batched.affine import Units
from reactivate.models.batched_mlp import BatchedMLP, build
from reactivate.training.batched import Outcome, Schedule, fit, networks_per_batch
from reactivate.training.splits import (
    Samples,
    Split,
    fold,
    hold_out,
    stack,
    standardize,
    train_test,
)


@dataclass(frozen=True)
class Task:
    """One network to train."""

    seed: int
    lr: float
    fold: int | None = None  # None: the whole training split


class Sweep:
    """Turns a cell's settings into batches of networks and trains them.

    Args:
        cell: What is trained.
        settings: How.
        part: The dataset.
    """

    def __init__(self, cell: Cell, settings: SweepSettings, part: Samples) -> None:
        self.cell = cell
        self.settings = settings
        self.part = part
        self.dtype: torch.dtype = getattr(torch, settings.recipe.precision)

    def trials(self, seeds: Sequence[int]) -> list[Task]:
        """The networks that choose the learning rate of every seed."""
        lr = self.settings.recipe.lr
        assert isinstance(lr, ChosenLr)
        return [
            Task(s, rate, k) for s in seeds for rate in lr.choose_from for k in range(lr.folds)
        ]

    def batches(self, tasks: Sequence[Task]) -> Iterator[Sequence[Task]]:
        """Tasks in groups that are trained together."""
        samples = len(self._split(tasks[0]).fit.x)
        per_step = min(samples, self.batch_size or samples)
        size = networks_per_batch(per_step, self.settings.hidden, self.dtype.itemsize)
        for start in range(0, len(tasks), size):
            yield tasks[start : start + size]

    def train(
        self, tasks: Sequence[Task], progress: Progress
    ) -> tuple[list[Outcome], dict[str, Tensor]]:
        """Outcomes and weights of a group of networks."""
        recipe = self.settings.recipe
        schedule = Schedule(
            loss=recipe.loss,
            batch_size=self.batch_size,
            epochs=recipe.epochs,
            plateau_factor=recipe.plateau.factor,
            plateau_patience=recipe.plateau.patience,
            min_delta=recipe.plateau.min_delta,
            stop_patience=recipe.stop.patience,
            adam_epsilon=recipe.optimizer.epsilon,
        )
        model = self.model(tasks)
        outcomes = fit(
            model,
            stack([standardize(self._split(task), self.dtype) for task in tasks]),
            torch.tensor([task.lr for task in tasks], dtype=self.dtype),
            schedule,
            [generator(self.cell.dataset, task.seed, "shuffle") for task in tasks],
            lambda _, networks, loss: progress.advance(networks, loss),
        )
        return outcomes, {name: rows.clone() for name, rows in model.named_rows().items()}

    def model(self, tasks: Sequence[Task]) -> BatchedMLP:
        """The untrained networks of some tasks."""
        recipe, name = self.settings.recipe, self.cell.parameterization
        units = BATCHED.load(name)
        return build(
            units=units,
            output_units=units if recipe.output_layer == "same_if_wn" and name == "wn" else Units,
            activation=ACTIVATIONS.load(self.cell.activation)(),
            features=self.part.x.shape[1],
            hidden=self.settings.hidden,
            streams=[generator(self.cell.dataset, task.seed, "weights") for task in tasks],
            dtype=self.dtype,
            initialization=recipe.initialization,
            options=recipe.batch_norm.model_dump() if name == "bn" else {},
        )

    @property
    def batch_size(self) -> int | None:
        """The number of samples per step; None for all of them."""
        size = self.settings.recipe.batch_size
        return None if size == "full" else size

    def _split(self, task: Task) -> Split:
        """The samples of a task to fit, to watch and to report."""
        recipe = self.settings.recipe
        train, report = train_test(
            self.part, self.cell.dataset, task.seed, recipe.splits.test_fraction
        )
        if task.fold is not None:
            assert isinstance(recipe.lr, ChosenLr)
            train, report = fold(train, task.fold, recipe.lr.folds)
        if recipe.monitor == "test":
            return Split(train, report, report)
        if recipe.monitor == "training":
            return Split(train, None, report)
        return Split(*hold_out(train, recipe.splits.validation_fraction), report)


def choose_lr(seed: int, trials: Sequence[Task], outcomes: Sequence[Outcome]) -> float:
    """The learning rate of least mean error over a seed's folds; a diverged fold rules it out."""
    errors: dict[float, list[float]] = {}
    for task, outcome in zip(trials, outcomes, strict=True):
        if task.seed == seed:
            error = float("inf") if outcome.diverged_at is not None else outcome.score
            errors.setdefault(task.lr, []).append(error)
    return min(errors, key=lambda lr: fmean(errors[lr]))
