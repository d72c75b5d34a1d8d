"""Train, validation and test parts of a dataset; they depend on dataset and seed only."""

from dataclasses import dataclass

import torch
from torch import Tensor

from reactivate.foundation.seeding import generator


@dataclass(frozen=True)
class Samples:
    """Inputs ``(..., N, n)`` and targets ``(..., N, 1)``."""

    x: Tensor
    y: Tensor

    def __getitem__(self, rows: Tensor) -> "Samples":
        return Samples(self.x[rows], self.y[rows])


@dataclass(frozen=True)
class Split:
    """Three parts of a dataset: to fit, to watch while fitting, and to report."""

    fit: Samples
    watch: Samples | None  # None: no rows are watched, the training loss is
    report: Samples


def subset(part: Samples, dataset: str, fraction: float) -> Samples:
    """A random fraction of a dataset, the same for everyone who asks."""
    if fraction == 1.0:
        return part
    order = torch.randperm(len(part.x), generator=generator(dataset, "subset"))
    return part[order[: round(fraction * len(order))]]


def train_test(
    part: Samples, dataset: str, seed: int, test_fraction: float
) -> tuple[Samples, Samples]:
    """Random training and test rows of a seed."""
    order = torch.randperm(len(part.x), generator=generator(dataset, seed, "split"))
    tests = round(test_fraction * len(order))
    return part[order[tests:]], part[order[:tests]]


def hold_out(train: Samples, fraction: float) -> tuple[Samples, Samples]:
    """Splits off the last rows of an already shuffled part: the rest, and what is held out."""
    held = round(fraction * len(train.x))
    rows = torch.arange(len(train.x))
    return train[rows[: len(rows) - held]], train[rows[len(rows) - held :]]


def fold(train: Samples, index: int, folds: int) -> tuple[Samples, Samples]:
    """Fold ``index``: the other rows, and the fold. All folds have the same size."""
    size = len(train.x) // folds
    rows = torch.arange(size * folds)
    inside = rows // size == index
    return train[rows[~inside]], train[rows[inside]]


def standardize(split: Split, dtype: torch.dtype) -> Split:
    """Scales features by mean and deviation of the fitted part; targets are left as they are."""
    mean = split.fit.x.mean(0)
    deviation = split.fit.x.std(0, correction=0)
    deviation = torch.where(deviation > 0, deviation, torch.ones_like(deviation))

    def scaled(part: Samples) -> Samples:
        return Samples(((part.x - mean) / deviation).to(dtype), part.y.to(dtype))

    watch = None if split.watch is None else scaled(split.watch)
    return Split(scaled(split.fit), watch, scaled(split.report))


def stack(splits: list[Split]) -> Split:
    """One batch of networks' data: a leading network dimension on everything."""

    def stacked(parts: list[Samples]) -> Samples:
        return Samples(torch.stack([p.x for p in parts]), torch.stack([p.y for p in parts]))

    watched = [s.watch for s in splits if s.watch is not None]
    return Split(
        stacked([s.fit for s in splits]),
        stacked(watched) if watched else None,
        stacked([s.report for s in splits]),
    )
