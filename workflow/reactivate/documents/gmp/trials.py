"""Trials of Figures 2 and 3: networks of one parameterization at two rates, over seeds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from reactivate.documents.gmp.evolution import Evolution
from reactivate.documents.gmp.networks import PARAMETERIZATIONS, networks
from reactivate.documents.gmp.rates import OWN_RATE, RATES
from reactivate.documents.gmp.training import Outcome, Plan, outputs, train
from reactivate.foundation.seeding import generator
from reactivate.training.splits import Samples

Summary = dict[str, tuple[int, float]]  # step and value of each quantity


class Sizes(NamedTuple):
    """How large trials are."""

    hidden: int  # ReLU units
    seeds: int  # networks per rate
    every: int  # steps between locations that are kept


@dataclass(frozen=True)
class Problem:
    """A learning problem, with the same data for every network."""

    name: str
    fit: Samples  # (N, n) and (N, 1)
    inputs: Tensor  # where the networks' outputs are looked at, (M, n)
    plan: Plan
    watch: Samples | None = None  # see reactivate.documents.gmp.training.train


@dataclass(frozen=True)
class Trial:
    """One network that was trained."""

    parameterization: str
    rate: float
    seed: int
    outcome: Outcome
    before: Tensor  # outputs at the problem's inputs, (M,)
    after: Tensor
    moves: list[float]  # largest change of a location, by step
    turns: list[float]  # largest change of a direction, by step, in radians
    locations: list[Tensor]  # (H, n), before training and after every so many steps

    def distance_to_location(self, inputs: Tensor) -> float:
        """Mean distance of inputs ``(N, n)`` to the nearest location at the end of training."""
        return torch.cdist(inputs, self.locations[-1]).amin(dim=1).mean().item()

    @property
    def is_own_rate(self) -> bool:
        """Whether the rate is the one with which its parameterization is compared."""
        return self.rate == OWN_RATE[self.parameterization]


def run_trials(
    problem: Problem, parameterization: str, hidden: int, seeds: int, every: int
) -> list[Trial]:
    """Trains one network per rate and seed, all of them at once.

    A seed is an initial draw of weights and an order of samples; both are the same for every
    parameterization and rate.

    Args:
        problem: What they learn.
        parameterization: How their hidden units are parameterized.
        hidden: ReLU units.
        seeds: Networks per rate.
        every: Steps between locations that are kept.
    """
    places = [(rate, seed) for rate in RATES for seed in range(seeds)]
    count = len(places)

    def streams(purpose: str) -> list[torch.Generator]:
        return [generator("gmp", problem.name, seed, purpose) for _, seed in places]

    model = networks(parameterization, problem.fit.x.shape[1], hidden, streams("weights"))
    fit, inputs = _copies(problem.fit, count), _repeated(problem.inputs, count)
    watch = problem.watch and _copies(problem.watch, count)
    recorded = Evolution(model, fit.x, range(count), every)
    before = outputs(model, inputs).squeeze(-1)
    rates = torch.tensor([rate for rate, _ in places], dtype=torch.float64)
    done = train(model, fit, problem.plan, rates, streams("order"), watch, recorded)
    after = outputs(model, inputs).squeeze(-1)
    return [
        Trial(parameterization, rate, seed, done[n], before[n], after[n], *recorded.of(n))
        for n, (rate, seed) in enumerate(places)
    ]


def _repeated(tensor: Tensor, count: int) -> Tensor:
    """A copy of a tensor for each network, ``(count, ...)``."""
    return tensor.expand(count, *tensor.shape).clone()


def _copies(part: Samples, count: int) -> Samples:
    """A copy of some data for each network."""
    return Samples(_repeated(part.x, count), _repeated(part.y, count))


def described(
    problem: Problem,
    sizes: Sizes,
    score: Callable[[Trial], float],
    summary: Callable[[Trial, float], Summary],
    details: Callable[[Trial], list[pd.DataFrame]],
) -> list[pd.DataFrame]:
    """Tables of the trials of every parameterization and rate: all in short, one in detail.

    Args:
        problem: What the networks learn.
        sizes: How many units and seeds, and which locations are kept.
        score: The score of a trial on test data.
        summary: Step and value of each quantity that is told of every trial, from its score.
        details: Tables of the trial with the median score.
    """
    parts = []
    for parameterization in PARAMETERIZATIONS:
        trials = run_trials(problem, parameterization, *sizes)
        for rate in RATES:
            here = [trial for trial in trials if trial.rate == rate]
            scores = [score(trial) for trial in here]
            for trial, value in zip(here, scores, strict=True):
                parts.append(about(trial, _rows(summary(trial, value))))
            shown = typical(here, scores)
            parts += [about(shown, part) for part in details(shown)]
    return parts


def _rows(summary: Summary) -> pd.DataFrame:
    rows = [{"quantity": name, "step": step, "value": v} for name, (step, v) in summary.items()]
    return pd.DataFrame(rows)


def typical(trials: Sequence[Trial], scores: Sequence[float]) -> Trial:
    """The trial with the median score, the lower one of two: what a picture shows of many seeds.

    Args:
        trials: Those of one parameterization and rate.
        scores: One for each.
    """
    order = sorted(range(len(trials)), key=lambda place: (scores[place], trials[place].seed))
    return trials[order[(len(order) - 1) // 2]]


def about(trial: Trial, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with the columns parameterization, rate and seed of the trial they are from."""
    return rows.assign(parameterization=trial.parameterization, rate=trial.rate, seed=trial.seed)


def largest_by_window(values: Sequence[float], windows: int) -> tuple[list[int], list[float]]:
    """Last step and largest value of each of ``windows`` equal stretches of steps.

    Example:
        >>> largest_by_window([1.0, 5.0, 2.0, 3.0], 2)
        ([2, 4], [5.0, 3.0])
    """
    stretches = np.array_split(np.arange(len(values)), min(windows, len(values)))
    steps = [int(stretch[-1]) + 1 for stretch in stretches]
    return steps, [max(values[step] for step in stretch) for stretch in stretches]


def spread_places(count: int, wanted: int, power: float = 1.0) -> list[int]:
    """At most ``wanted`` places out of ``count``, the first and the last among them.

    Args:
        count: All places.
        wanted: How many are taken.
        power: 1 for even ones; more for more of the first ones.

    Example:
        >>> spread_places(11, 3), spread_places(11, 3, power=2)
        ([0, 5, 10], [0, 2, 10])
    """
    shares = np.linspace(0, 1, min(wanted, count)) ** power
    return sorted({round(share * (count - 1)) for share in shares})
