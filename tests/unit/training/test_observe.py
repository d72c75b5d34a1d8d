"""A training that is looked at ends with the same bytes, and what was seen is what was there."""

import math
from bisect import bisect
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import torch
from reactivate.evidence.records import verify_record
from reactivate.experiment.observations import Early, Observation
from reactivate.training.inputs import ALONE
from reactivate.training.observing.callback import Observing
from reactivate.training.observing.moments import moments
from reactivate.training.observing.recorder import Recorder
from reactivate.training.observing.scene import Scene, make_scene
from reactivate.training.observing.tables import TABLES
from reactivate.training.observing.weights import neuron_sizes, weight_layers
from reactivate.training.run import WRITTEN, Treatment
from reactivate.training.schedules import Clock
from reactivate.training.setup import make_inputs, make_network
from torch import nn
from torch.nn import functional

CPU = torch.device("cpu")
SEEN = Observation(every=4, images=9, pairs=6, samples=5, neurons=7)


def observed(run, out, points=(), **changes):
    """The same run, looked at."""
    seen = SEEN.model_copy(update=changes)
    treatment = Treatment(callbacks=[Observing(seen, points)], identity=seen.model_dump_json())
    return replace(run, out=Path(out), stage="observe", treatment=treatment)


def table(run, name):
    return pd.read_csv(run.out / f"{name}.csv")


@pytest.mark.parametrize("each_step", [False, True])
@pytest.mark.parametrize("network", ["mlp", "dropout"])
def test_looking_changes_nothing(project, new_run, network, each_step, finish):
    alone = new_run("alone", network=network, parameterization="bn")
    seen = observed(alone, "seen", each_step=each_step)
    found, plain = finish(seen), finish(alone)
    assert {name: found[name] for name in WRITTEN} == plain


@pytest.mark.parametrize("each_step", [False, True])
def test_an_interrupted_observation_goes_on_to_the_same_tables(
    project, new_run, each_step, finish, interrupt
):
    def run(out):
        plain = new_run("plain", parameterization="bn")
        return observed(plain, out, [[-0.1, 0.1], [0.0]], each_step=each_step)

    files = finish(run("whole"))
    interrupt(run("cut"), 3)  # the second was kept
    again = run("cut")
    assert finish(again) == files
    assert again.state.resumes == 1
    assert {f"{name}.csv" for name in TABLES} < set(files)


def test_a_snapshot_of_another_observation_is_not_used(project, new_run, finish, interrupt):
    alone = finish(observed(new_run("plain"), "alone"))
    interrupt(observed(new_run("plain"), "out", neurons=6), 3)
    again = observed(new_run("plain"), "out")
    assert finish(again) == alone
    assert again.state.resumes == 0


def test_a_training_that_diverges_at_a_moment_is_measured_again_to_the_same_tables(
    project, new_run, finish
):
    def run(out):
        return observed(new_run("plain", lr={"default": 1e30}), out, every=3)

    files = finish(run("whole"))
    run("cut").train(ALONE, CPU, 1)  # killed after the last snapshot: gradients are lost
    again = run("cut")
    assert finish(again) == files
    assert again.state.diverged_at == 1
    assert table(again, "activations")["step"].tolist() == [0, 3]
    assert set(table(again, "weights")["step"]) == {0}  # no gradients follow the last step


def test_what_is_seen_before_the_first_step_is_the_initial_network(project, new_run, finish):
    run = observed(new_run("plain"), "seen")
    finish(run)
    network = make_network(run.cell, run.chosen, run.seed).eval()
    inputs = make_inputs(run.cell, run.chosen, run.seed, CPU, 0)
    scene = make_scene(SEEN, inputs, run.cell.dataset)
    with torch.no_grad():
        z = network[1].layer(scene.images.flatten(1))
        outputs = network(scene.images)
    first = table(run, "activations").iloc[0]
    chosen = z[: SEEN.samples, torch.linspace(0, 15, 7).round().long()].double()
    assert first["pre_mean"] == pytest.approx(chosen.mean().item())
    assert first["post_variance"] == pytest.approx(chosen.relu().var(correction=0).item())
    same = [(z[a] > 0) == (z[b] > 0) for a, b in zip(scene.first, scene.second, strict=True)]
    similarity = torch.stack(same).double().mean().item()
    assert first["similarity"] == pytest.approx(similarity)
    share = (z > 0).double().mean(0)
    entropy = torch.special.entr(share) + torch.special.entr(1 - share)
    assert first["entropy_mean"] == pytest.approx(entropy.mean().item())
    whole = table(run, "network").iloc[0]
    distance = (outputs[scene.first] - outputs[scene.second]).double().norm(dim=1)
    assert whole["similarity"] == pytest.approx(similarity)  # one layer is the network
    assert whole["distance_mean"] == pytest.approx(distance.mean().item())
    counts = table(run, "entropies").iloc[0].filter(like="bin")
    assert counts.sum() == 16


@pytest.mark.parametrize("abstaining", [False, True])
def test_similarity_by_any_breakpoints_is_that_of_intervals_counted_one_by_one(abstaining):
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(3, 5), nn.Sigmoid(), nn.Linear(5, 7), nn.Sigmoid())
    images = torch.randn(300, 3)  # more than one batch
    first, second = torch.randint(300, (2, 40))
    with torch.no_grad():
        layers = [network[0](images), network[:3](images)]
    on = layers[0][first[0], 2].item()
    sets = [(-0.5, 0.5), (-1.0, 1.0), (-0.3, on if abstaining else 0.1, 2.0)]
    recorder = Recorder(network, Scene(images, first, second, 4, 4), [0], sets)
    recorder.look_last(network, 0)
    z = torch.cat(layers, dim=1).double().tolist()

    def interval(value, points):
        return None if value in points else bisect(points, value)

    for points, found in zip(sets, recorder.similarities[0].tolist(), strict=True):
        same = [
            interval(x, points) is not None and interval(x, points) == interval(y, points)
            for a, b in zip(first, second, strict=True)
            for x, y in zip(z[a], z[b], strict=True)
        ]
        assert len(same) == 40 * 12
        assert found == pytest.approx(sum(same) / len(same), abs=1e-15)
    assert recorder.similarities[0, 0] == recorder.network[0, 0]  # Sigmoid's own breakpoints


def test_similarities_are_written_by_step_and_breakpoints(project, new_run, finish):
    run = observed(new_run("plain"), "seen", [[-0.5, 0.5], [0.0]])
    finish(run)
    found = table(run, "similarities")
    steps = table(run, "network")
    assert found["step"].tolist() == [step for step in steps["step"] for _ in range(2)]
    assert found["breakpoints"].tolist() == ["-0.5, 0.5", "0"] * len(steps)
    assert found.loc[found["breakpoints"] == "0", "similarity"].tolist() == (
        steps["similarity"].tolist()  # ReLU's own
    )
    assert set(found["printed_step"]) == set(steps["printed_step"])
    finish(observed(new_run("plain"), "none"))
    assert pd.read_csv("none/similarities.csv").empty


def test_gradients_are_those_of_the_step_and_weights_those_before_it(project, new_run, finish):
    run = observed(new_run("plain"), "seen")
    finish(run)
    network = make_network(run.cell, run.chosen, run.seed)
    inputs = make_inputs(run.cell, run.chosen, run.seed, CPU, 0)
    batch = next(iter(inputs.epoch(1, ALONE)))
    functional.cross_entropy(network(batch.x), batch.y).backward()
    found = table(run, "weights")
    for number, weight in enumerate(weight_layers(network).values(), start=1):
        row = found[(found["step"] == 0) & (found["layer"] == number)].iloc[0]
        w, g = weight.detach(), weight.grad
        for name, values in (("weight", w.abs()), ("gradient", g.abs()), ("ratio", (g / w).abs())):
            assert row[f"{name}_mean"] == pytest.approx(values.mean().item(), rel=1e-5)
            spread = values.mean(1).var(correction=0).item()
            assert row[f"{name}_variance"] == pytest.approx(spread, rel=1e-4, abs=1e-12)
        norms = g.norm(dim=1) / w.norm(dim=1)
        assert row["norm_ratio_mean"] == pytest.approx(norms.mean().item(), rel=1e-5)


def test_each_step_counts_between_two_records(project, new_run, finish):
    every = observed(new_run("plain"), "every", every=1)
    mean = observed(new_run("plain"), "mean", every=4, each_step=True)
    finish(every)
    finish(mean)
    single = table(every, "weights")
    window = single[single["step"].between(1, 4)].groupby("layer")["gradient_mean"].mean()
    averaged = table(mean, "weights")
    row = averaged[averaged["step"] == 4].set_index("layer")["gradient_mean"]
    assert row.to_list() == pytest.approx(window.to_list())


def test_the_record_vouches_for_the_tables_and_names_its_stage(project, new_run, finish):
    run = observed(new_run("plain"), "seen")
    finish(run)
    record = verify_record(run.out / "run.json")
    assert {f"{name}.csv" for name in TABLES} < set(record.files)
    assert record.stage == "observe"
    assert record.observation.every == 4


def test_a_weight_of_0_has_no_ratio():
    weight = torch.tensor([[2.0, 0.0], [0.5, -4.0]])
    gradient = torch.tensor([[1.0, 3.0], [-1.0, 2.0]])
    sizes = neuron_sizes(weight, gradient)
    assert sizes[2].tolist() == [0.5, 1.25]
    assert sizes[0].tolist() == [1.0, 2.25]
    assert sizes[3].tolist() == pytest.approx([math.sqrt(10) / 2, math.sqrt(5) / math.sqrt(16.25)])


def test_moments_are_stretched_with_the_run_and_closer_at_first():
    seen = SEEN.model_copy(update={"every": 100, "early": Early(every=5, until=20)})
    printed = Clock(steps=250, printed_steps=250, printed_epoch=10)
    assert moments(seen, printed) == [0, 5, 10, 15, 100, 200, 250]
    short = Clock(steps=50, printed_steps=250, printed_epoch=10)
    assert moments(seen, short) == [0, 1, 2, 3, 20, 40, 50]
    shortest = Clock(steps=1, printed_steps=250, printed_epoch=10)
    assert moments(seen, shortest) == [0, 1]


def test_pairs_have_different_labels_and_are_the_same_for_every_network(project, new_run):
    run = new_run("plain")
    inputs = make_inputs(run.cell, run.chosen, run.seed, CPU, 0)
    scene, again = (make_scene(SEEN, inputs, "mnist") for _ in range(2))
    labels = torch.cat([y for _, y, _ in inputs.measured("test", 1)])
    assert (labels[scene.first] != labels[scene.second]).all()
    assert torch.equal(scene.first, again.first)
    assert len(scene.images) == SEEN.images
