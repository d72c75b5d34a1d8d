"""The engine takes the steps that a plain loop would take, and stops when it must."""

import csv
from pathlib import Path

import pandas as pd
import pytest
import torch
from reactivate.evidence.epochs import read_history
from reactivate.evidence.histories import read_curve
from reactivate.evidence.observed import Observations
from reactivate.training.inputs import ALONE, Batch
from reactivate.training.schedules import Clock
from reactivate.training.setup import make_inputs, make_network
from reactivate.training.trainer import Trainer
from safetensors.torch import load, load_file
from torch import nn
from torch.nn import functional

CPU = torch.device("cpu")
ADAM = {"name": "adam", "weight_decay": 0.01}
SGD = {"name": "sgd", "momentum": 0.9, "weight_decay": 0.01}
CONSTANT = {"kind": "constant"}


def plain_loop(run, optimizer, epochs, smoothing=0.0):
    """The network after a loop as in any tutorial, on the batches that the run sees."""
    network = make_network(run.cell, run.chosen, run.seed)
    inputs = make_inputs(run.cell, run.chosen, run.seed, CPU, 1)
    step = optimizer(network.parameters())
    loss_of = nn.CrossEntropyLoss(label_smoothing=smoothing)
    losses = []
    for epoch in range(1, epochs + 1):
        summed = 0.0
        for x, y, _ in inputs.epoch(epoch, ALONE):
            loss = loss_of(network(x), y)
            step.zero_grad()
            loss.backward()
            step.step()
            summed += loss.item() * len(y)
        losses.append(summed / len(inputs.data.train_labels))
    return network, losses


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize(
    ("settings", "optimizer"),
    [
        (SGD, lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, weight_decay=0.01)),
        (SGD | {"momentum": 0.0}, lambda p: torch.optim.SGD(p, 0.05, weight_decay=0.01)),
        (ADAM, lambda p: torch.optim.Adam(p, 0.05, weight_decay=0.01)),
    ],
    ids=["momentum", "plain", "adam"],
)
def test_weights_are_those_of_a_plain_loop(project, new_run, settings, optimizer, smoothing):
    run = new_run("out", optimizer=settings, schedule=CONSTANT, label_smoothing=smoothing)
    network, losses = plain_loop(run, optimizer, 4, smoothing)
    run.train(ALONE, CPU, 1)
    for name, expected in network.state_dict().items():
        torch.testing.assert_close(
            run.network.state_dict()[name], expected, rtol=1e-6, atol=1e-6, msg=name
        )
    assert [row["train_loss"] for row in run.state.history] == pytest.approx(losses, rel=1e-5)


def test_convolutions_are_trained_as_in_a_plain_loop(project, new_run):
    changes = {"schedule": CONSTANT, "epochs": 1, "lr": {"default": 0.01}}
    run = new_run("out", "convolutions", "bn", **changes)

    def sgd(parameters):
        return torch.optim.SGD(parameters, 0.01, momentum=0.9, weight_decay=0.01)

    network, _ = plain_loop(run, sgd, 1)
    run.train(ALONE, CPU, 1)
    for name, expected in network.state_dict().items():
        torch.testing.assert_close(
            run.network.state_dict()[name], expected, rtol=1e-4, atol=1e-5, msg=name
        )


class Scripted:
    """Inputs whose test labels give a network that always says 0 the wanted accuracies."""

    steps = 1

    def __init__(self, accuracies):
        self.accuracies = list(accuracies)

    def epoch(self, number, share):
        yield Batch(torch.ones(2, 1), torch.tensor([0, 0]), 2)

    def measured(self, part, views):
        right = self.accuracies.pop(0)
        labels = torch.tensor([0] * right + [1] * (100 - right))
        yield Batch(torch.ones(100, 1), labels, 100)


def scripted(recipe, accuracies, **changes):
    """A trainer whose test accuracies are given; class 0 always wins."""
    network = nn.Linear(1, 2)
    nn.init.constant_(network.weight, 0.0)
    with torch.no_grad():
        network.bias.copy_(torch.tensor([9.0, 0.0]))
    steps = len(accuracies)
    chosen = recipe(lr={"default": 1e-3}, epochs=steps, **changes)
    return Trainer(network, Scripted(accuracies), chosen, 1e-3, Clock(steps, steps, 1), ("toy", 0))


def plateau(patience, stop_patience):
    times = {"patience": patience, "stop_patience": stop_patience}
    return {"kind": "plateau", "watch": "top1", "factor": 0.5, **times}


@pytest.mark.parametrize(
    ("accuracies", "patience", "stop", "factors"),
    [
        ([10, 20, 30, 40], 2, 9, [1, 1, 1, 1]),
        ([10, 20, 20, 20, 30, 30], 2, 9, [1, 1, 1, 1, 0.5, 0.5]),
        ([30, 20, 20, 20, 20, 20], 2, 9, [1, 1, 1, 0.5, 0.5, 0.25]),
        ([30, 20, 40, 20, 20, 20], 1, 3, [1, 1, 0.5, 0.5, 0.25, 0.125]),
        ([30, 20, 20, 20, 50, 50], 9, 3, [1, 1, 1, 1]),
        ([30, 20, 20, 40, 20, 20, 20, 99], 2, 3, [1, 1, 1, 0.5, 0.5, 0.5, 0.25]),
    ],
    ids=["rises", "equal is no rise", "lowered twice", "waits anew", "stops", "lowers and stops"],
)
def test_plateau_lowers_the_rate_and_stops(recipe, accuracies, patience, stop, factors):
    trainer = scripted(recipe, accuracies, schedule=plateau(patience, stop))
    state = trainer.fit()
    assert [row["test_top1"] for row in state.history] == accuracies[: len(factors)]
    assert [row["lr"] / 1e-3 for row in state.history] == pytest.approx(factors)


def test_iterations_cut_the_last_epoch(project, new_run):
    run = new_run("out", epochs=None, iterations=7, schedule={"kind": "linear", "final": 0.001})
    run.train(ALONE, CPU, 1)
    assert run.state.epoch == 3  # of 3, 3 and 1 steps
    rates = [row["lr"] for row in run.state.history]
    assert rates == pytest.approx([0.05 - 0.049 * step / 7 for step in (0, 3, 6)])
    network, inputs = _trainable(run)
    steps = [batch for number in (1, 2, 3) for batch in inputs.epoch(number, ALONE)][:7]
    optimizer = torch.optim.SGD(network.parameters(), 0.05, momentum=0.9, weight_decay=0.01)
    for step, (x, y, _) in enumerate(steps):
        optimizer.param_groups[0]["lr"] = 0.05 - 0.049 * step / 7
        optimizer.zero_grad()
        functional.cross_entropy(network(x), y).backward()
        optimizer.step()
    for found, expected in zip(run.network.parameters(), network.parameters(), strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6)


def _trainable(run):
    network = make_network(run.cell, run.chosen, run.seed)
    return network, make_inputs(run.cell, run.chosen, run.seed, CPU, 1)


def test_a_diverged_training_ends_with_numbers(project, new_run):
    run = new_run("out", lr={"default": 1e30}, epochs=9)
    run.train(ALONE, CPU, 1)
    run.write()
    (row,) = rows("out/metrics.csv")
    assert int(row["diverged_at"]) == int(row["epochs"]) < 9
    assert 0 <= float(row["top1"]) <= 100
    assert float(row["top1"]) + float(row["error"]) == 100
    assert len(rows("out/history.csv")) == int(row["epochs"])


def rows(path):
    with Path(path).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_metrics_are_those_of_the_kept_predictions(project, new_run):
    run = new_run("out", ten_crop=True, measure_train=True)
    run.train(ALONE, CPU, 1)
    run.write()
    kept = load_file("out/predictions.safetensors")
    (row,) = rows("out/metrics.csv")
    right = (kept["scores"].argmax(1) == kept["labels"]).double().mean().item()
    assert float(row["top1"]) == pytest.approx(100 * right)
    ten = (kept["scores_ten"].argmax(1) == kept["labels"]).double().mean().item()
    assert float(row["top1_ten"]) == pytest.approx(100 * ten)
    chosen = kept["scores"].double().log_softmax(1).gather(1, kept["labels"][:, None])
    assert float(row["test_loss"]) == pytest.approx(-chosen.mean().item(), rel=1e-5)
    assert rows("out/history.csv")[-1]["test_top1"] == row["top1"]


def test_kept_weights_give_the_kept_predictions(project, new_run):
    run = new_run("out")
    run.train(ALONE, CPU, 1)
    run.write()
    network, inputs = _trainable(run)
    network.load_state_dict(load_file("out/model.safetensors"))
    network.eval()
    with torch.no_grad():
        scores = torch.cat([network(x) for x, _, _ in inputs.measured("test", 1)])
    torch.testing.assert_close(scores, load_file("out/predictions.safetensors")["scores"])


def test_the_score_of_ten_views_is_their_mean_probability(project, new_run):
    run = new_run("out", ten_crop=True)
    run.train(ALONE, CPU, 1)
    network, inputs = _trainable(run)
    network.load_state_dict(run.network.state_dict())
    ((x, y, _),) = inputs.measured("test", 10)
    with torch.no_grad():
        each = network(x).softmax(1)
    mean = torch.stack([each[10 * n : 10 * n + 10].mean(0) for n in range(len(y))])
    ten = load(run.measured.files["predictions.safetensors"])["scores_ten"]
    torch.testing.assert_close(ten.exp(), mean)


def left_by(new_run, finish, out, **changes):
    """Metrics, weights and history of a run whose settings are changed."""
    run = new_run(out)
    run.chosen = run.chosen.model_copy(update=changes)
    finish(run)
    history = pd.read_csv(run.out / "history.csv")
    return (
        (run.out / "metrics.csv").read_bytes(),
        load_file(run.out / "model.safetensors"),
        history,
    )


def test_tests_in_the_end_change_nothing_but_the_history(project, new_run, finish):
    metrics, weights, history = left_by(new_run, finish, "each")
    same, unchanged, untested = left_by(new_run, finish, "end", tests="end")
    assert same == metrics
    assert all(torch.equal(tensor, unchanged[name]) for name, tensor in weights.items())
    assert untested.drop(columns=["test_top1", "test_top5"]).equals(
        history.drop(columns=["test_top1", "test_top5"])
    )
    assert history["test_top1"].notna().all()
    assert untested["test_top1"].isna().all()
    assert read_curve(Path("end")).told == "training loss"


def test_a_history_without_tests_is_not_read_as_one_with_them(project, new_run, finish):
    left_by(new_run, finish, "end", tests="end")
    with pytest.raises(ValueError, match="has no test of any epoch"):
        Observations({("row", "column", "document", 0): Path("end")}).table("history")
    with pytest.raises(ValueError, match="Remove `tests: end` from the recipe"):
        read_history(Path("end"))


def test_test_images_may_be_fewer_than_training_images(project, new_run, finish):
    _, weights, _ = left_by(new_run, finish, "all")
    _, same, _ = left_by(new_run, finish, "fewer", test_fraction=0.5)
    assert all(torch.equal(tensor, same[name]) for name, tensor in weights.items())
    assert len(load_file("fewer/predictions.safetensors")["labels"]) == 5
