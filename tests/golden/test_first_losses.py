"""The first losses of tiny runs, as they were when the layers were checked against torch.

A change here means that a training run computes something else than before: if that is meant,
print the new numbers with ``first_losses`` and say in the commit why they changed.
"""

import pytest
import torch
from reactivate.experiment.cell import Cell
from reactivate.experiment.settings import SweepSettings
from reactivate.experiment.sweeps import BatchNorm, Optimizer, Plateau, Splits, Stop, SweepRecipe
from reactivate.foundation.progress import Progress
from reactivate.training.splits import Samples
from reactivate.training.sweep import Sweep, Task

EPOCHS = 4
# (protocol, parameterization): losses of both seeds in the first epochs, then both test errors
GOLDEN = {
    ("authors_code", "bn"): [
        0.960380318,
        0.845957196,
        0.691249858,
        0.574291258,
        1.16850624,
        0.933353348,
        0.689247353,
        0.634019218,
        1.07156047,
        0.870800246,
    ],
    ("authors_code", "gmp"): [
        0.832694563,
        0.813191289,
        0.675731085,
        0.626849487,
        1.11178334,
        0.872768442,
        0.757140078,
        0.680442964,
        1.14360621,
        0.693021261,
    ],
    ("authors_code", "sp"): [
        0.894947671,
        0.738078166,
        0.594891457,
        0.570758173,
        1.04185025,
        0.771425152,
        0.588768003,
        0.497636184,
        1.05166832,
        0.771501895,
    ],
    ("authors_code", "wn"): [
        0.880574839,
        0.749331732,
        0.621140849,
        0.612270164,
        0.999419453,
        0.742279164,
        0.602033967,
        0.534086209,
        1.02939381,
        0.852155815,
    ],
    ("document", "bn"): [
        2.75467505,
        1.53382656,
        1.06931763,
        0.965997476,
        2.06463965,
        1.45227302,
        1.06262088,
        0.863934811,
        1.52527533,
        0.713211736,
    ],
    ("document", "gmp"): [
        3.33704579,
        2.37411199,
        1.74926107,
        1.39253976,
        1.9617109,
        1.69414905,
        1.52600291,
        1.35170476,
        1.37751261,
        1.08077266,
    ],
    ("document", "sp"): [
        1.74063171,
        1.18401545,
        0.951567656,
        0.829825747,
        1.78068189,
        1.39167551,
        1.10669262,
        0.905911558,
        1.49298991,
        0.745550626,
    ],
    ("document", "wn"): [
        1.74063171,
        1.16524873,
        0.976345551,
        0.886263154,
        1.78068189,
        1.35647445,
        1.04743605,
        0.844998575,
        1.4787372,
        0.707010495,
    ],
}


def recipe(protocol):
    """What decides the numbers of the two protocols, apart from how long they train."""
    documented = protocol == "document"
    return SweepRecipe(
        stage="sweep",
        optimizer=Optimizer(name="adam", epsilon=1e-8 if documented else 1e-7),
        lr={"default": 0.05},
        batch_size="full" if documented else 16,
        splits=Splits(test_fraction=0.2, validation_fraction=0.2 if documented else 0.0, seeds=2),
        monitor="validation" if documented else "test",
        loss="mse" if documented else "mae",
        epochs=EPOCHS,
        plateau=Plateau(factor=0.1, patience=50, min_delta=1e-4),
        stop=Stop(patience=100),
        initialization=protocol,
        output_layer="plain" if documented else "same_if_wn",
        batch_norm=BatchNorm(momentum=0.1 if documented else 0.01, epsilon=1e-5),
        precision="float64",
    )


def table():
    """60 rows of a smooth function of three features, with noise."""
    stream = torch.Generator().manual_seed(2305)
    x = torch.randn(60, 3, dtype=torch.float64, generator=stream)
    noise = torch.randn(60, 1, dtype=torch.float64, generator=stream)
    return Samples(2 + 5 * x, x[:, :1].sin() + x[:, 1:2] * x[:, 2:] + 0.1 * noise)


def first_losses(protocol, parameterization):
    cell = Cell("synthetic", "mlp8", "relu", parameterization, protocol)
    settings = SweepSettings(recipe=recipe(protocol), hidden=8, data_fraction=1.0)
    tasks = [Task(seed, 0.05) for seed in range(2)]
    with Progress("golden", 2 * EPOCHS) as progress:
        outcomes, _ = Sweep(cell, settings, table()).train(tasks, progress)
    losses = [row[1] for outcome in outcomes for row in outcome.history]
    return losses + [outcome.score for outcome in outcomes]


@pytest.mark.parametrize(("protocol", "parameterization"), sorted(GOLDEN))
def test_first_losses_are_those_of_the_checked_layers(protocol, parameterization):
    wanted = GOLDEN[protocol, parameterization]
    assert first_losses(protocol, parameterization) == pytest.approx(wanted, rel=1e-6)
