"""A training with a defence resumes exactly, and leaves a network for images from 0 to 1."""

from types import SimpleNamespace

import pytest
import torch
from reactivate.datasets.images import channel_statistics
from reactivate.defences.standardise import restored
from reactivate.evidence.records import verify_record
from reactivate.preparation.prepared import load_images
from reactivate.stages.defend import treat
from reactivate.training.classification import Classification
from reactivate.training.defending.setup import make_defended
from reactivate.training.defending.strategy import Defending
from reactivate.training.inputs import ALONE
from reactivate.training.run import WRITTEN
from reactivate.training.setup import make_clock, make_network
from reactivate.training.trainer import Trainer
from safetensors.torch import load_file

CPU = torch.device("cpu")
NOISE = {"name": "noise", "sigma": 0.25}
DEFENCES = [
    {"name": "std"},
    NOISE,
    {"name": "fgsm", "epsilon": 8.0},
    {"name": "pgd", "epsilon": 8.0, "step": 4.0, "steps": 2, "start": "gaussian"},
    {"name": "smoothadv", "sigma": 0.2, "epsilon": 0.5, "steps": 2, "copies": 2, "warm_up": 3},
    {"name": "smoothmix", "sigma": 0.2, "step": 0.5, "steps": 1, "copies": 2, "eta": 5.0}
    | {"warm_up": 3},
    {"name": "consistency", "sigma": 0.2, "weight": 5.0, "entropy": 0.5, "copies": 2},
    *(
        {"name": "scrfp2", "sigma": 0.2, "eta": 0.1, "paths": "float", "protocol": protocol}
        for protocol in ("document", "authors_code")
    ),
]
SMALL = {"network": "mlp", "parameterization": "bn", "epochs": 2}


def weights(run):
    return load_file(run.out / "model.safetensors")


def scores_of(run):
    return load_file(run.out / "predictions.safetensors")["scores"]


@pytest.mark.parametrize(
    ("network", "normalise"), [("convolutions", "mean"), ("dropout", "mean_std")]
)
def test_without_a_defence_the_network_is_that_of_the_stage_train(
    project, new_run, network, normalise, finish
):
    changes = {**SMALL, "network": network, "normalise": normalise}
    plain, defended = new_run("plain", **changes), new_run("out", **changes, defence=DEFENCES[0])
    finish(plain)
    finish(defended)
    found = weights(defended)
    assert set(found) - {"mean", "std"} == {f"network.{name}" for name in weights(plain)}
    assert all(torch.equal(found[f"network.{name}"], w) for name, w in weights(plain).items())
    assert torch.equal(scores_of(defended), scores_of(plain))


@pytest.mark.parametrize("defence", DEFENCES, ids=lambda d: d.get("protocol", d["name"]))
def test_every_defence_goes_on_to_the_same_bytes(project, new_run, defence, finish, interrupt):
    alone = finish(new_run("alone", **SMALL, defence=defence))
    if defence["name"] != "std":
        plain = finish(new_run("plain", **SMALL, defence={"name": "std"}))
        assert alone["model.safetensors"] != plain["model.safetensors"]
    interrupt(new_run("out", **SMALL, defence=defence), 2)
    run = new_run("out", **SMALL, defence=defence)
    assert finish(run) == alone
    assert run.state.resumes == 1


@pytest.mark.slow
def test_a_defended_training_killed_while_it_saves_ends_with_the_same_bytes(forked):
    found = forked("kill_saving", "defended")
    assert found["kills"] >= 3
    assert found["resumes"] == found["kills"]
    assert found["ended"] == [found["alone"]]


def test_a_snapshot_of_another_defence_is_not_used(project, new_run, monkeypatch, finish):
    alone = finish(new_run("alone", **SMALL, defence=NOISE))
    monkeypatch.setattr(Trainer, "finished", property(lambda self: self.state.epoch == 1))
    new_run("out", **SMALL, defence={**NOISE, "sigma": 0.3}).train(ALONE, CPU, 1)
    monkeypatch.undo()
    monkeypatch.chdir(project)
    run = new_run("out", **SMALL, defence=NOISE)
    assert finish(run) == alone
    assert run.state.resumes == 0


def test_the_saved_network_reads_images_from_0_to_1(project, new_run, finish):
    run = new_run("out", **SMALL, defence=NOISE)
    finish(run)
    data = load_images("mnist")
    network = restored(make_network(run.cell, run.chosen, 1), weights(run))
    with torch.no_grad():
        scores = network(data.test_images.float() / 255)
    assert torch.equal(scores, scores_of(run))
    mean, std = (
        channel_statistics(data.train_images).mean,
        channel_statistics(data.train_images).std,
    )
    torch.testing.assert_close(network.mean.flatten(), torch.tensor(mean))
    torch.testing.assert_close(network.std.flatten(), torch.tensor(std))


def test_the_record_names_the_stage_and_the_defence(project, new_run, finish):
    run = new_run("out", **SMALL, defence=NOISE)
    finish(run)
    record = verify_record(run.out / "run.json")
    assert record.stage == "defend"
    assert record.settings["recipe"]["defence"] == NOISE
    assert set(record.files) == set(WRITTEN)


def test_settings_hold_the_defence_and_plain_ones_none(project, new_run):
    plain, defended = new_run("a", **SMALL).chosen, new_run("b", **SMALL, defence=NOISE).chosen
    assert defended.model_dump()["recipe"].pop("defence") == NOISE
    assert '"sigma":0.25' in defended.model_dump_json()
    assert "defence" not in plain.model_dump()["recipe"]


def test_a_step_draws_the_same_whatever_the_defence_and_another_than_its_neighbours(
    project, new_run
):
    seen = {}

    def spy(name):
        def defence(network, x, y, random, epoch):
            seen.setdefault(name, []).append((random.initial_seed(), epoch))
            loss = network(x).square().sum()
            return loss, network(x).detach()

        return defence

    for name in ("first", "second"):
        run = new_run(name, **SMALL, defence=NOISE)
        trained(run, spy(name)).fit()
    assert seen["first"] == seen["second"]
    assert len({seed for seed, _ in seen["first"]}) == 6  # two epochs of three steps
    assert [epoch for _, epoch in seen["first"]] == pytest.approx([n / 3 for n in range(6)])


def trained(run, defence, share=ALONE):
    network, inputs = make_defended(run.cell, run.chosen, run.seed, CPU, 0)
    clock = make_clock(run.chosen, inputs.steps)
    key = (run.cell.dataset, run.seed)
    recipe, lr, task = run.chosen.recipe, run.chosen.lr, Classification(Defending(defence))
    return Trainer(network, inputs, recipe, lr, clock, key, share, task)


def test_a_recipe_without_a_defence_is_named(project, new_run):
    plain = new_run("out", **SMALL)
    with pytest.raises(ValueError, match=r"^the recipe has no defence; accepted: recipes of"):
        treat(SimpleNamespace(cell=plain.cell, resolved=plain.chosen))
