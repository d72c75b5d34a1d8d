"""GmP Figure 2: regression of the Levy function on a line under four parameterizations."""

import math
from functools import partial

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from reactivate.documents.gmp.rates import RATES
from reactivate.documents.gmp.training import Plan
from reactivate.documents.gmp.trials import (
    Problem,
    Sizes,
    Summary,
    Trial,
    described,
    largest_by_window,
    spread_places,
)
from reactivate.documents.gmp.units import units_on_a_line
from reactivate.training.splits import Samples

NOISE = 0.1  # deviation of the training targets
PLATEAU, PATIENCE = 500, 1000  # epochs
EVERY = 10  # steps between locations that are kept
SPECTRA = 9  # bars: from before training to its end
WINDOWS = 250
UNITS = ((0.0, -1.5), (math.pi, -1.5))  # angle and offset of panels (a) and (b)
COLUMNS = ["quantity", "parameterization", "rate", "seed", "step", "unit", "x", "value"]


def levy(x: Tensor) -> Tensor:
    """The Levy function of one variable.

    ``sin^2(pi w) + (w - 1)^2 (1 + sin^2(2 pi w))`` with ``w = 1 + (x - 1) / 4``.

    Example:
        >>> levy(torch.tensor([1.0])).round(decimals=4)
        tensor([0.])
    """
    w = 1 + (x - 1) / 4
    wave = torch.sin(2 * math.pi * w).square()
    return torch.sin(math.pi * w).square() + (w - 1).square() * (1 + wave)


def training_points(points: int) -> Samples:
    """Points uniform on [-10, 10] with noisy values, ``(N, 1)``: the authors' own 50.

    They are drawn as in the authors' notebook, from numpy's frozen stream of seed 0.
    """
    stream = np.random.RandomState(0)
    x = torch.from_numpy(stream.uniform(-10.0, 10.0, (points, 1)))
    return Samples(x, levy(x) + torch.from_numpy(stream.normal(0.0, NOISE, (points, 1))))


def evaluation_points() -> Tensor:
    """The 201 test points, ``(201, 1)``."""
    return torch.linspace(-10, 10, 201, dtype=torch.float64).unsqueeze(1)


def absolute_error(output: Tensor, target: Tensor) -> Tensor:
    """Absolute error, the loss of the authors' code."""
    return (output - target).abs()


def figure2(hidden: int, points: int, epochs: int, seeds: int) -> pd.DataFrame:
    """Everything that Figure 2 shows; of many seeds the network with the median test error.

    ``quantity`` is one of: activation (of a unit on the line, by angle and offset, in ``unit``),
    location (of a unit, by step), levy, training, before, after (values at ``x``),
    largest_change (of a location, by stretch of steps up to ``step``), and for all seeds
    largest_change_ever, test_rmse (with the epoch of the weights kept as ``step``) and
    distance_to_location (of a training input to the nearest one at the end, on average).

    Args:
        hidden: ReLU units.
        points: Training points.
        epochs: At most.
        seeds: Initial draws of weights, at each rate.
    """
    test = evaluation_points()
    plan = Plan(absolute_error, None, epochs, PLATEAU, PATIENCE)
    problem = Problem("levy", training_points(points), test, plan)
    trials = described(
        problem,
        Sizes(hidden, seeds, EVERY),
        partial(_test_error, test=test),
        partial(_summary, inputs=problem.fit.x),
        partial(_shown, test=test),
    )
    parts = [_units(), _function(problem), *trials]
    return pd.concat([part.reindex(columns=COLUMNS) for part in parts], ignore_index=True)


def _test_error(trial: Trial, test: Tensor) -> float:
    truth = levy(test).squeeze(1)
    return (trial.after - truth).square().mean().sqrt().item()


def _units() -> pd.DataFrame:
    drawn = units_on_a_line(UNITS)
    panel = drawn["theta"].map({theta: n for n, (theta, _) in enumerate(UNITS)})
    activation = drawn.assign(quantity="activation", unit=panel, value=drawn["activation"])
    where = drawn.assign(quantity="location", unit=panel, value=drawn["location"])
    where = where.drop_duplicates("unit").drop(columns="x")
    return pd.concat([activation, where])


def _function(problem: Problem) -> pd.DataFrame:
    curve = {"x": problem.inputs.squeeze(1), "value": levy(problem.inputs).squeeze(1)}
    data = {"x": problem.fit.x.squeeze(1), "value": problem.fit.y.squeeze(1)}
    parts = [
        pd.DataFrame({k: v.numpy().round(6) for k, v in values.items()}).assign(quantity=quantity)
        for quantity, values in (("levy", curve), ("training", data))
    ]
    return pd.concat(parts)


def _summary(trial: Trial, error: float, inputs: Tensor) -> Summary:
    moved = int(np.argmax(trial.moves))
    return {
        "largest_change_ever": (moved + 1, trial.moves[moved]),
        "test_rmse": (trial.outcome.best_epoch, error),
        "distance_to_location": (len(trial.moves), trial.distance_to_location(inputs)),
    }


def _shown(trial: Trial, test: Tensor) -> list[pd.DataFrame]:
    parts = []
    if trial.rate == max(RATES):
        steps, changes = largest_by_window(trial.moves, WINDOWS)
        rows = {"step": steps, "value": changes}
        parts.append(pd.DataFrame(rows).assign(quantity="largest_change"))
    if trial.is_own_rate:
        x = test.squeeze(1).numpy().round(6)
        for quantity, values in (("before", trial.before), ("after", trial.after)):
            parts.append(
                pd.DataFrame({"quantity": quantity, "x": x, "value": values.numpy().round(6)})
            )
        for place in spread_places(len(trial.locations), SPECTRA):
            points = trial.locations[place].squeeze(1).numpy().round(6)
            spectrum = {"step": place * EVERY, "unit": range(len(points)), "value": points}
            parts.append(pd.DataFrame(spectrum).assign(quantity="location"))
    return parts
