"""What a small network is fitted to, and what decides about its schedule, stop and weights."""

import copy

import pytest
import torch
from pydantic import ValidationError
from reactivate.experiment.cell import Cell
from reactivate.experiment.settings import SweepSettings
from reactivate.experiment.sweeps import SweepRecipe
from reactivate.foundation.progress import Progress
from reactivate.layers.batched import BATCHED
from reactivate.training.splits import Samples, train_test
from reactivate.training.sweep import Sweep, Task
from torch.testing import assert_close

ROWS, TESTS = 60, 12
PARAMETERIZATIONS = sorted(BATCHED.targets)


def recipe(monitor, **changes):
    """A short training whose networks slow down and stop before its end."""
    whole = {
        "stage": "sweep",
        "optimizer": {"name": "adam", "epsilon": 1e-8},
        "lr": {"default": 0.3},
        "batch_size": "full",
        "splits": {
            "test_fraction": TESTS / ROWS,
            "validation_fraction": 0.25 if monitor == "validation" else 0.0,
            "seeds": 2,
        },
        "monitor": monitor,
        "loss": "mse",
        "epochs": 80,
        "plateau": {"factor": 0.1, "patience": 4, "min_delta": 1e-4},
        "stop": {"patience": 7},
        "initialization": "document",
        "output_layer": "plain",
        "batch_norm": {"momentum": 0.3, "epsilon": 1e-2},  # those of the networks alone
        "precision": "float64",
    }
    return SweepRecipe.model_validate({**whole, **changes})


def table():
    """A smooth function of three features with noise, in rows that are in no order."""
    stream = torch.Generator().manual_seed(515)
    x = torch.randn(ROWS, 3, dtype=torch.float64, generator=stream)
    noise = torch.randn(ROWS, 1, dtype=torch.float64, generator=stream)
    return Samples(4 + 2 * x, x[:, :1].sin() + x[:, 1:2] * x[:, 2:] + 0.3 * noise)


def sweep_of(part, chosen, parameterization="sp"):
    cell = Cell("synthetic", "mlp8", "relu", parameterization, "all_rows")
    return Sweep(cell, SweepSettings(recipe=chosen, hidden=8, data_fraction=1.0), part)


def train(part, chosen, parameterization="sp"):
    """Outcomes and weights of the networks of two seeds."""
    tasks = [Task(seed, 0.3) for seed in range(2)]
    with Progress("watching", 1) as progress:
        return sweep_of(part, chosen, parameterization).train(tasks, progress)


def numbers(seed):
    """Row numbers of the training and the test part of a seed."""
    order = Samples(torch.arange(ROWS), torch.arange(ROWS))
    return [part.x.tolist() for part in train_test(order, "synthetic", seed, TESTS / ROWS)]


def moved(part, rows):
    """The table with other targets, and other features, in some rows."""
    x, y = part.x.clone(), part.y.clone()
    x[rows] += 3.0
    y[rows] = 5.0 - 2 * y[rows]
    return Samples(x, y)


def is_same(one, two, seed):
    return all(torch.equal(one[name][seed], two[name][seed]) for name in one)


@pytest.mark.parametrize("loss", ["mse", "mae"])
@pytest.mark.parametrize("batch_size", ["full", 20])
@pytest.mark.parametrize("parameterization", PARAMETERIZATIONS)
@pytest.mark.parametrize("monitor", ["training", "validation"])
def test_test_rows_change_nothing_but_the_measured_error_if_they_are_not_watched(
    monitor, parameterization, batch_size, loss
):
    chosen = recipe(monitor, batch_size=batch_size, loss=loss)
    outcomes, weights = train(table(), chosen, parameterization)
    changed, others = train(moved(table(), numbers(0)[1]), chosen, parameterization)
    assert changed[0].score != outcomes[0].score  # it is measured on other rows
    assert is_same(weights, others, 0)
    assert changed[0].history == outcomes[0].history


def test_test_rows_that_are_watched_change_the_weights():
    """Guards the test above: it would notice."""
    chosen = recipe("test")
    weights = train(table(), chosen)[1]
    assert not is_same(weights, train(moved(table(), numbers(0)[1]), chosen)[1], 0)


@pytest.mark.parametrize(("monitor", "fitted"), [("training", 48), ("validation", 36)])
def test_rows_that_are_fitted_are_all_of_the_training_part_or_those_not_held_out(monitor, fitted):
    """A row is fitted if its target alone changes the first step."""
    chosen, seed = recipe(monitor, epochs=1), 1
    weights = train(table(), chosen)[1]

    def matters(row):
        y = table().y.clone()
        y[row] += 1.0
        return not is_same(weights, train(Samples(table().x, y), chosen)[1], seed)

    training, _ = numbers(seed)
    assert [row for row in range(ROWS) if matters(row)] == sorted(training[:fitted])


def plain_training(network, x, y, chosen):
    """An ordinary loop over all rows; the loss that a step sees decides, as Keras reports it."""
    optimizer = torch.optim.Adam(network.parameters(), lr=0.3)
    loss_of = {"mse": torch.nn.MSELoss(), "mae": torch.nn.L1Loss()}[chosen.loss]
    kept, seen, progress = copy.deepcopy(network.state_dict()), [], [float("inf")]
    since = 0
    for _ in range(chosen.epochs):
        loss = loss_of(network(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < min(seen, default=float("inf")):
            kept = copy.deepcopy(network.state_dict())
        seen.append(loss.item())
        if loss.item() < progress[-1] - chosen.plateau.min_delta:
            progress.append(loss.item())
            since = 0
        else:
            since += 1
        if since == chosen.plateau.patience:
            optimizer.param_groups[0]["lr"] *= chosen.plateau.factor
            since = 0
        if len(seen) - 1 - seen.index(min(seen)) == chosen.stop.patience:
            break
    network.load_state_dict(kept)
    return seen, optimizer.param_groups[0]["lr"]


@pytest.mark.parametrize("initialization", ["document", "document_direction", "authors_code"])
@pytest.mark.parametrize("loss", ["mse", "mae"])
@pytest.mark.parametrize("parameterization", PARAMETERIZATIONS)
def test_watching_the_training_loss_is_a_plain_loop_over_all_rows(
    alone, parameterization, loss, initialization
):
    chosen = recipe("training", loss=loss, initialization=initialization)
    outcomes, weights = train(table(), chosen, parameterization)
    start = sweep_of(table(), chosen, parameterization).model([Task(s, 0.3) for s in range(2)])
    for seed in range(2):
        training, tests = numbers(seed)
        rows = table().x[training]
        center, scale = rows.mean(0), ((rows - rows.mean(0)) ** 2).mean(0).sqrt()
        reference = alone(parameterization, start, seed)
        y = table().y[training]
        seen, rate = plain_training(reference.module, (rows - center) / scale, y, chosen)
        assert (outcomes[seed].epochs, outcomes[seed].best_epoch) == (
            len(seen),
            seen.index(min(seen)) + 1,
        )
        assert outcomes[seed].watched == pytest.approx(min(seen), rel=1e-8)
        last = (len(seen), pytest.approx(seen[-1], rel=1e-8), pytest.approx(seen[-1], rel=1e-8))
        assert outcomes[seed].history[-1] == (*last, pytest.approx(rate))
        state = reference.module.state_dict()
        for ours, theirs in reference.names.items():
            if ours not in ("first.bias", "norm.running_mean") or parameterization != "bn":
                assert_close(weights[theirs][seed], state[ours].flatten(), rtol=1e-7, atol=1e-7)
        reference.module.eval()
        with torch.no_grad():
            error = reference((table().x[tests] - center) / scale) - table().y[tests]
        assert outcomes[seed].score == pytest.approx(error.square().mean().sqrt().item(), rel=1e-7)


@pytest.mark.parametrize("parameterization", PARAMETERIZATIONS)
def test_the_plain_loops_above_slow_down_and_stop(parameterization):
    """Guards the test above: its rates fall, and a network stops before the last epoch."""
    chosen = recipe("training")
    outcomes, _ = train(table(), chosen, parameterization)
    assert min(o.history[-1][3] for o in outcomes) < 0.3
    assert min(o.epochs for o in outcomes) < chosen.epochs


def test_an_epoch_of_small_batches_is_judged_by_the_mean_over_its_samples():
    """At a rate of 0 every step sees the same network: its loss on all rows is the mean."""
    chosen = recipe("training", batch_size=20, loss="mae", epochs=1)
    sweep = sweep_of(table(), chosen)
    with Progress("watching", 1) as progress:
        outcomes, _ = sweep.train([Task(0, 0.0)], progress)
    training, _ = numbers(0)
    rows = table().x[training]
    x = (rows - rows.mean(0)) / rows.std(0, correction=0)
    network = sweep.model([Task(0, 0.0)])
    with torch.no_grad():
        wanted = (network(x.unsqueeze(0))[0] - table().y[training]).abs().mean().item()
    assert outcomes[0].watched == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("monitor", ["training", "test"])
def test_rows_cannot_be_held_out_for_a_monitor_that_does_not_watch_them(monitor):
    held = {"test_fraction": 0.2, "validation_fraction": 0.2, "seeds": 2}
    with pytest.raises(
        ValidationError, match=rf"monitor: {monitor} holds nothing out, but.* 0\.2"
    ):
        recipe(monitor, splits=held)


def test_a_monitor_that_watches_held_out_rows_needs_some():
    splits = {"test_fraction": 0.2, "validation_fraction": 0.0, "seeds": 2}
    with pytest.raises(ValidationError, match=r"needs splits\.validation_fraction above 0"):
        recipe("validation", splits=splits)
