"""Callbacks are called in order, and what they know is in the snapshot of the training."""

import json
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest
import torch
from reactivate.evidence.records import verify_record
from reactivate.foundation.files import sha256
from reactivate.training.callbacks import Callback, Left
from reactivate.training.classification import Classification
from reactivate.training.heartbeat import HEARTBEAT, Beat, Heartbeat
from reactivate.training.inputs import ALONE, Share
from reactivate.training.run import WRITTEN, Treatment
from reactivate.training.schedules import Clock
from reactivate.training.setup import make_clock, make_trainable
from reactivate.training.trainer import Trainer
from torch import nn

CPU = torch.device("cpu")
STEPS = 3  # of an epoch
MOMENTS = ("on_start", "on_gradients", "on_step", "on_epoch", "on_end")
SEEN = {"every": 1, "images": 2, "pairs": 1, "samples": 1, "neurons": 1}


class Diary(Callback):
    """Notes every call, with the number of steps that are finished by then."""

    def __init__(self, name, notes):
        self.name, self.notes = name, notes

    def state_dict(self):
        self.notes.append((self.name, "state_dict", None))
        return {}

    def load_state_dict(self, tensors):
        self.notes.append((self.name, "load_state_dict", None))


def noting(moment):
    def note(self, trainer):
        self.notes.append((self.name, moment, getattr(trainer, "step", None)))

    return note


for moment in MOMENTS:
    setattr(Diary, moment, noting(moment))


class Smoothed(Callback):
    """Keeps a running mean of the last weights and pulls the network towards it.

    What it keeps decides the network, and changes at every step and after every epoch.
    """

    def on_start(self, trainer):
        self.mean = torch.zeros_like(self.weights(trainer))
        self.epochs = torch.zeros((), dtype=torch.int64)

    def weights(self, trainer):
        return list(trainer.network.parameters())[-1].detach()

    def on_gradients(self, trainer):
        self.mean = 0.5 * self.mean + 0.5 * self.weights(trainer)

    def on_step(self, trainer):
        weights = self.weights(trainer)
        weights += 0.1 * (1 + self.epochs) * (self.mean - weights)

    def on_epoch(self, trainer):
        self.epochs += 1

    def state_dict(self):
        return {"mean": self.mean, "epochs": self.epochs}

    def load_state_dict(self, tensors):
        self.mean, self.epochs = tensors["mean"], tensors["epochs"]

    def leave(self, trainer, out):
        (out / "mean.json").write_text(json.dumps(self.mean.tolist()), encoding="utf-8")
        return Left(("mean.json",), {"observation": {**SEEN, "every": int(self.epochs)}})


def treated(run, *callbacks):
    """The same run with callbacks."""
    return replace(run, treatment=Treatment(callbacks=callbacks))


def test_callbacks_are_called_in_order_and_told_the_step(project, new_run):
    notes = []
    run = treated(new_run("out", epochs=2), Diary("a", notes), Diary("b", notes))
    run.train(ALONE, CPU, 1, seconds_between=0)
    assert [name for name, _, _ in notes] == ["a", "b"] * (len(notes) // 2)
    assert all(a[1:] == b[1:] for a, b in list(pairwise(notes))[::2])
    epochs = [
        [
            *((what, step + (what == "on_step")) for step in steps for what in MOMENTS[1:3]),
            ("on_epoch", steps[-1] + 1),
            ("state_dict", None),
        ]
        for steps in ([0, 1, 2], [3, 4, 5])
    ]
    calls = [(what, step) for name, what, step in notes if name == "a"]
    assert calls == [("on_start", None), *epochs[0], *epochs[1], ("on_end", 6)]


def test_a_resumed_training_gives_the_state_back_before_the_first_step(
    project, new_run, interrupt
):
    notes = []
    interrupt(treated(new_run("out"), Diary("first", [])), 2)
    treated(new_run("out"), Diary("again", notes)).train(ALONE, CPU, 1)
    calls = [(what, step) for _, what, step in notes[:4]]
    assert calls[:2] == [("on_start", None), ("load_state_dict", None)]
    assert calls[2:] == [("on_gradients", STEPS), ("on_step", STEPS + 1)]


def test_a_finished_training_only_starts_and_ends_its_callbacks(project, new_run):
    treated(new_run("out"), Diary("first", [])).train(ALONE, CPU, 1)
    notes = []
    treated(new_run("out"), Diary("again", notes)).train(ALONE, CPU, 1)
    assert [what for _, what, _ in notes] == ["on_start", "load_state_dict", "on_end"]
    assert notes[-1][2] == 4 * STEPS


@pytest.mark.parametrize("stop", [2, 3, 4])
def test_the_state_of_a_callback_goes_on_to_the_same_bytes(
    project, new_run, finish, interrupt, stop
):
    alone = finish(treated(new_run("alone"), Smoothed()))
    interrupt(treated(new_run("out"), Smoothed()), stop)
    again = treated(new_run("out"), Smoothed())
    assert finish(again) == alone
    assert again.state.resumes == 1


def test_two_callbacks_of_a_kind_keep_a_state_each(project, new_run, finish, interrupt):
    alone = finish(treated(new_run("alone"), Smoothed(), Smoothed()))
    assert alone != finish(treated(new_run("one"), Smoothed()))
    interrupt(treated(new_run("out"), Smoothed(), Smoothed()), 3)
    assert finish(treated(new_run("out"), Smoothed(), Smoothed())) == alone


def test_a_callback_may_change_what_is_learnt(project, new_run, finish):
    plain, changed = finish(new_run("plain")), finish(treated(new_run("out"), Smoothed()))
    assert changed["model.safetensors"] != plain["model.safetensors"]


def test_the_record_vouches_for_what_callbacks_leave(project, new_run, finish):
    run = treated(new_run("out"), Smoothed())
    assert set(finish(run)) == {*WRITTEN, "mean.json"}
    record = verify_record(run.out / "run.json")
    assert record.observation.every == 4
    assert record.files["mean.json"] == sha256(run.out / "mean.json")


def test_what_works_alone_is_named_where_several_processes_train(project, new_run):
    class Alone(Callback):
        works_alone = True

    run = treated(new_run("out"), Smoothed(), Alone())
    message = r"^2 processes train together with Alone; accepted: 1\. Start the stage with python"
    with pytest.raises(ValueError, match=message):
        run.train(Share(0, 2), CPU, 1)


class Squares:
    """A strategy: half the squared distance of the scores from one-hot labels."""

    works_alone = False

    def __init__(self):
        self.seen = []

    def __call__(self, trainer, x, y):
        self.seen.append((trainer.state.epoch + 1, trainer.step))
        scores = trainer.forward(trainer.learner, x)
        wanted = nn.functional.one_hot(y, scores.shape[1]).float()
        return (scores - wanted).square().sum() / 2, scores


def test_a_strategy_makes_the_loss_of_every_step(project, new_run):
    run = new_run("out", schedule={"kind": "constant"}, epochs=2)
    strategy = Squares()
    replace(run, treatment=Treatment(Classification(strategy))).train(ALONE, CPU, 1)
    assert strategy.seen == [(1, 0), (1, 1), (1, 2), (2, 3), (2, 4), (2, 5)]
    network, inputs = make_trainable(run.cell, run.chosen, run.seed, CPU, 1)
    again = replace(run, treatment=Treatment(Classification(Squares())), out=run.out / "again")
    again.train(ALONE, CPU, 1)
    optimizer = torch.optim.SGD(network.parameters(), 0.05, momentum=0.9, weight_decay=0.01)
    for number in (1, 2):
        for x, y, _ in inputs.epoch(number, ALONE):
            wanted = nn.functional.one_hot(y, 3).float()
            optimizer.zero_grad()
            ((network(x) - wanted).square().sum() / 2 / len(y)).backward()
            optimizer.step()
    for found, expected in zip(again.network.parameters(), network.parameters(), strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("rank", "beats"), [(0, 1), (1, 0)])
def test_the_first_process_tells_how_far_it_is_until_the_end(project, new_run, rank, beats):
    run = new_run("out")
    network, inputs = make_trainable(run.cell, run.chosen, run.seed, CPU, 1)
    path = project / HEARTBEAT
    told = []

    class Reader(Heartbeat):
        def on_epoch(self, trainer):
            super().on_epoch(SimpleNamespace(**vars(trainer) | seen, epochs=trainer.epochs))
            told.extend([Beat.read(path)] if path.exists() else [])

    seen = {"share": Share(rank, 2)}
    clock: Clock = make_clock(run.chosen, inputs.steps)
    trainer = Trainer(
        network, inputs, run.chosen.recipe, 0.1, clock, ("toy", 0), callbacks=[Reader(path)]
    )
    trainer.fit()
    assert {(each.epoch, each.epochs) for each in told} == ({(1, 4)} if beats else set())
    assert not path.exists()
