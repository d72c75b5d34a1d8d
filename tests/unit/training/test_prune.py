"""A training that loses parameters resumes exactly and leaves what it says it leaves."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
import torch
from reactivate.evidence.records import verify_record
from reactivate.experiment.recipes import Pruned
from reactivate.foundation.files import sha256
from reactivate.pruning.schedule import removed
from reactivate.pruning.targets import find_targets
from reactivate.stages.prune import treat
from reactivate.training.pruning.callback import MASKS
from reactivate.training.pruning.plan import make_plan
from reactivate.training.run import WRITTEN
from reactivate.training.setup import make_clock, make_inputs, make_network
from safetensors.torch import load_file

CPU = torch.device("cpu")
PLAIN = {"name": "sgd", "momentum": 0.0, "weight_decay": 0.0}
STEPS = 3  # of an epoch


def pruning(blend="entropy_weighted", sparsity=0.7, every=2, fine_tune=1, **more):
    said = {"blend": blend, "sparsity": sparsity, "every": every, "fine_tune": fine_tune, **more}
    return {"optimizer": PLAIN, "epochs": 7, "pruning": said}


def masks(run):
    return pd.read_csv(run.out / MASKS)


def targets(run):
    """Layers that are pruned, of the network that was written."""
    network = make_network(run.cell, run.chosen, run.seed)
    network.load_state_dict(load_file(run.out / "model.safetensors"))
    inputs = make_inputs(run.cell, run.chosen, run.seed, CPU, 0)
    x = next(iter(inputs.measured("test", 1))).x[:1]
    protocol = run.chosen.recipe.pruning.protocol
    return {
        target.name: target.module.weight
        for target in find_targets(network, x, protocol == "authors_code")
    }


@pytest.mark.slow
def test_a_pruned_training_killed_while_it_saves_ends_with_the_same_bytes(forked):
    found = forked("kill_saving", "pruned")
    assert found["kills"] >= 4
    assert found["resumes"] == found["kills"]
    assert found["ended"] == [found["alone"]]
    assert len(found["alone"]) == len(WRITTEN) + 1


@pytest.mark.parametrize(
    ("stop", "protocol"), [(2, "document"), (3, "document"), (5, "authors_code"), (7, "document")]
)
def test_an_interrupted_pruning_goes_on_to_the_same_masks(
    project, new_run, stop, protocol, finish, interrupt
):
    changes = {"parameterization": "bn", **pruning(protocol=protocol)}
    alone = finish(new_run("alone", **changes))
    interrupt(new_run("out", **changes), stop)
    again = new_run("out", **changes)
    assert finish(again) == alone
    assert again.state.resumes == 1


def test_counts_of_a_window_across_epochs_are_kept(project, new_run, finish, interrupt):
    """At a smaller scale a printed epoch is not one of the run."""

    def run(out):
        made = new_run(out, **pruning(every=2))
        shorter = made.chosen.model_copy(update={"epochs": 4})  # 12 steps for 7 printed epochs
        return replace(made, chosen=shorter)

    alone = finish(run("alone"))
    plan = make_plan(run("x").chosen.recipe.pruning, make_clock(run("x").chosen, STEPS))
    assert plan.moments == (3, 7)
    assert plan.counts(5)
    assert plan.counts(6)  # the last step of the second epoch and the first of the third
    interrupt(run("out"), 3)
    assert finish(run("out")) == alone


@pytest.mark.parametrize(
    ("network", "blend", "sparsity"),
    [
        ("mlp", "weight", 0.0),
        ("mlp", "entropy_weighted", 0.35),
        ("mlp", "random", 0.99),
        ("convolutions", "harmonic_mean", 0.95),
    ],
)
def test_every_layer_has_the_said_share_at_every_pruning(
    project, new_run, network, blend, sparsity, finish
):
    changes = {"network": network, **pruning(blend, sparsity)}
    run = new_run("out", **changes)
    finish(run)
    left = targets(run)
    found = masks(run)
    assert sorted(found["pruning"].unique()) == [1, 2]
    assert sorted(found["step"].unique()) == [2 * STEPS, 4 * STEPS]
    assert sorted(found["epoch"].unique()) == [2.0, 4.0]
    for number, part in found.groupby("pruning"):
        assert part["layer"].tolist() == list(left)
        gone = [removed(size, sparsity, number, 2) for size in part["size"]]
        assert (part["size"] - part["remaining"]).tolist() == gone
    for row in found[found["pruning"] == 2].itertuples():
        assert int((left[row.layer] != 0).sum()) == row.remaining


def test_without_pruning_it_is_the_stage_train(project, new_run, finish):
    changes = pruning(sparsity=0.0)
    pruned = new_run("pruned", **changes)
    finish(pruned)
    plain = new_run("plain", **{k: v for k, v in changes.items() if k != "pruning"})
    finish(plain)
    for name in WRITTEN:
        assert sha256(plain.out / name) == sha256(pruned.out / name)


def test_one_shot_prunes_when_fine_tuning_begins(project, new_run, finish):
    run = new_run("out", **pruning("weight", every=None, fine_tune=3))
    finish(run)
    assert masks(run)["epoch"].unique().tolist() == [4.0]


def test_entropies_are_those_of_neurons(project, new_run, finish):
    run = new_run("out", **pruning())
    finish(run)
    entropies = masks(run).filter(like="entropy_")
    assert entropies.columns.tolist() == [f"entropy_{share}" for share in (0, 25, 50, 75, 100)]
    assert entropies.apply(lambda row: row.is_monotonic_increasing, axis=1).all()
    assert entropies.to_numpy().min() >= 0
    assert entropies.to_numpy().max() <= 0.693148


def test_the_record_vouches_for_the_masks_and_tells_what_is_saved(project, new_run, finish):
    run = new_run("out", **pruning(sparsity=0.9))
    finish(run)
    record = verify_record(run.out / "run.json")
    assert MASKS in record.files
    assert record.stage == "prune"
    assert record.settings["recipe"]["pruning"]["sparsity"] == 0.9
    saved = record.savings
    assert saved.non_zero < saved.parameters
    assert saved.parameters_left <= saved.parameters
    assert saved.multiply_adds_non_zero < saved.multiply_adds
    assert saved.speed_up.theoretical > saved.speed_up.counted >= 1
    assert saved.speed_up.measured > 0


def test_a_training_that_diverges_before_it_is_pruned_has_no_masks(project, new_run, finish):
    run = new_run("out", lr={"default": 1e30}, **pruning())
    finish(run)
    assert run.state.diverged_at == 1
    assert masks(run).empty
    assert json.loads(Path("out/run.json").read_text(encoding="utf-8"))["files"][MASKS]


def test_a_recipe_without_pruning_is_named(project, new_run):
    run = new_run("out")
    with pytest.raises(ValueError, match=r"recipe toy has stage train; accepted: prune\. Change"):
        treat(SimpleNamespace(cell=run.cell, resolved=run.chosen))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sparsity": 1.0}, "less than 1"),
        ({"sparsity": -0.1}, "greater than or equal to 0"),
        ({"blend": "wieght"}, "'weight', 'entropy_weighted'"),
        ({"every": 6}, "epochs 7 without fine_tune 1 leave none to prune every 6"),
        ({"fine_tune": 7, "every": None}, "leave none"),
        ({"protocol": "authors_code", "blend": "standardised_product"}, "has no blend"),
        ({"iterations": 9}, "unknown key 'iterations'"),
    ],
)
def test_a_mistake_in_a_recipe_is_named(recipe, change, message):
    with pytest.raises(ValueError, match=message):
        recipe(**pruning(**change))


def test_pruning_is_counted_in_epochs(recipe):
    said = {**pruning(), "epochs": None, "iterations": 20}
    with pytest.raises(ValueError, match="give epochs, not iterations"):
        recipe(**said)
    assert isinstance(recipe(**pruning()), Pruned)
