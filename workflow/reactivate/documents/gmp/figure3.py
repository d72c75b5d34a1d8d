"""GmP Figure 3: the two classes of the Banana set under four parameterizations."""

import math
from functools import partial

import numpy as np
import pandas as pd
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

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
from reactivate.preparation.prepared import load_prepared
from reactivate.training.splits import Samples

PLATEAU, PATIENCE = 50, 100  # epochs
TEST_FRACTION = 0.2
REACH = 3.0  # the plane is shown from -REACH to REACH
SIDE = 31  # points of the grid of predictions, along each side
RECORDS = 41  # of a trajectory, at most; more of its start
WINDOWS = 200
COLUMNS = ["quantity", "parameterization", "rate", "seed", "step", "unit", "x1", "x2", "value"]


def split(x: Tensor, y: Tensor, drawn: int) -> tuple[Samples, Samples]:
    """The training and the test part of a draw, standardized by the training part.

    Rows and split are those of the authors' notebook (numpy's and scikit-learn's frozen streams
    of seed 0), given their order of rows. Classes -1 and 1 become 0 and 1.

    Args:
        x: Features, ``(N, n)``.
        y: Classes, ``(N, 1)``.
        drawn: How many rows are used; a fifth of them are the test part.
    """
    rows = np.random.RandomState(0).choice(len(x), size=drawn, replace=False)
    order = np.random.RandomState(0).permutation(drawn)
    tests = math.ceil(TEST_FRACTION * drawn)
    test, fit = (torch.from_numpy(rows[part]) for part in (order[:tests], order[tests:]))
    mean, deviation = x[fit].mean(0), x[fit].std(0, correction=0)

    def part(chosen: Tensor) -> Samples:
        return Samples((x[chosen] - mean) / deviation, (y[chosen] > 0).double())

    return part(fit), part(test)


def cross_entropy(output: Tensor, target: Tensor) -> Tensor:
    """Cross entropy of a sigmoid output, element by element."""
    return binary_cross_entropy_with_logits(output, target, reduction="none")


def grid() -> Tensor:
    """Points of the plane where predictions are shown, ``(SIDE * SIDE, 2)``."""
    side = torch.linspace(-REACH, REACH, SIDE, dtype=torch.float64)
    return torch.cartesian_prod(side, side)


def figure3(hidden: int, drawn: int, batch_size: int, epochs: int, seeds: int) -> pd.DataFrame:
    """Everything that Figure 3 shows; of many seeds the network with the median accuracy.

    ``quantity`` is one of: training (``value`` is the class), location (of a unit, by step),
    prediction (the probability of class 1), largest_turn (of a unit's direction, in degrees, by
    stretch of steps up to ``step``), and for all seeds largest_turn_ever (degrees),
    largest_move_ever (of a location), test_accuracy (with the epoch of the weights kept as
    ``step``) and distance_to_location (of a training input to the nearest one at the end, on
    average).

    Args:
        hidden: ReLU units.
        drawn: Rows of the set that are used.
        batch_size: Samples of a step.
        epochs: At most.
        seeds: Initial draws of weights, at each rate.
    """
    fit, test = split(*load_prepared("banana"), drawn)
    plan = Plan(cross_entropy, batch_size, epochs, PLATEAU, PATIENCE)
    inputs = torch.cat([grid(), test.x])
    problem = Problem("banana", fit, inputs, plan, test)
    every = math.ceil(len(fit.x) / batch_size)  # once per epoch
    trials = described(
        problem,
        Sizes(hidden, seeds, every),
        partial(_accuracy, test=test),
        partial(_summary, inputs=fit.x),
        partial(_shown, every=every),
    )
    parts = [_training(fit), *trials]
    return pd.concat([part.reindex(columns=COLUMNS) for part in parts], ignore_index=True)


def _accuracy(trial: Trial, test: Samples) -> float:
    predicted = trial.after[-len(test.x) :] > 0
    return (predicted == (test.y.squeeze(1) > 0)).double().mean().item()


def _training(fit: Samples) -> pd.DataFrame:
    x1, x2 = fit.x.numpy().round(6).T
    rows = pd.DataFrame({"x1": x1, "x2": x2, "value": fit.y.squeeze(1).numpy()})
    return rows.assign(quantity="training")


def _summary(trial: Trial, accuracy: float, inputs: Tensor) -> Summary:
    turned, moved = int(np.argmax(trial.turns)), int(np.argmax(trial.moves))
    return {
        "largest_turn_ever": (turned + 1, math.degrees(trial.turns[turned])),
        "largest_move_ever": (moved + 1, trial.moves[moved]),
        "test_accuracy": (trial.outcome.best_epoch, accuracy),
        "distance_to_location": (len(trial.moves), trial.distance_to_location(inputs)),
    }


def _shown(trial: Trial, every: int) -> list[pd.DataFrame]:
    parts = []
    for place in spread_places(len(trial.locations), RECORDS, power=2):
        x1, x2 = trial.locations[place].numpy().round(6).T
        path = {"step": place * every, "unit": range(len(x1)), "x1": x1, "x2": x2}
        parts.append(pd.DataFrame(path).assign(quantity="location"))
    if trial.rate == max(RATES):
        steps, turns = largest_by_window(trial.turns, WINDOWS)
        rows = {"step": steps, "value": np.rad2deg(turns)}
        parts.append(pd.DataFrame(rows).assign(quantity="largest_turn"))
    if trial.is_own_rate:
        x1, x2 = grid().numpy().round(6).T
        values = torch.sigmoid(trial.after[: len(x1)]).numpy().round(6)
        plane = {"x1": x1, "x2": x2, "value": values}
        parts.append(pd.DataFrame(plane).assign(quantity="prediction"))
    return parts
