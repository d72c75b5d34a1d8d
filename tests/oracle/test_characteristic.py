"""Characteristic boundaries against root finding, and their training against torch's own parts."""

import copy
import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.documents.gmp.characteristic import Boundary, boundary
from reactivate.documents.gmp.evolution import Evolution
from reactivate.documents.gmp.figure1 import perturbed
from reactivate.documents.gmp.networks import PARAMETERIZATIONS, networks
from reactivate.documents.gmp.theorem3 import angle_between
from reactivate.documents.gmp.training import ADAM_EPSILON, Plan, train
from reactivate.documents.gmp.trials import Problem, run_trials
from reactivate.layers.gmp import unit_vector
from reactivate.training.splits import Samples
from scipy.optimize import brentq
from torch import nn
from torch.testing import assert_close

NETWORKS, SAMPLES, UNITS = 3, 24, 6
LRS = [0.3, 0.1, 0.02]


def streams(purpose=0):
    return [torch.Generator().manual_seed(10 * purpose + b) for b in range(NETWORKS)]


def data(features, purpose=0):
    """Inputs and noisy classes, a set of its own for every network."""
    stream = torch.Generator().manual_seed(purpose)
    shape = NETWORKS, SAMPLES, features
    x = torch.randn(shape, generator=stream, dtype=torch.float64) + 0.3
    noise = torch.randn(NETWORKS, SAMPLES, 1, generator=stream, dtype=torch.float64)
    return Samples(x, (x.sum(-1, keepdim=True).abs() + noise > 1).double())


def scrambled(model):
    """Networks with parameters far from their start, those of normalization included."""
    stream = torch.Generator().manual_seed(99)
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn(parameter.shape, generator=stream, dtype=torch.float64)
            parameter.add_(0.5 * noise)
    return model


def pre_activation(name, model, b, batch):
    """``f(x)[unit]`` of network ``b``, written out from its parameters."""
    rows = {key: values[b] for key, values in model.named_rows().items()}
    units, features = model.hidden.units, model.hidden.fan_in
    if name == "gmp":
        offset = rows["hidden.offset"]
        if features == 1:
            return lambda x: x @ rows["hidden.sign"].view(units, 1).T + offset
        theta = rows["hidden.theta"].view(units, features - 1)
        columns = [theta[:, :k].sin().prod(1) * theta[:, k].cos() for k in range(features - 1)]
        return lambda x: x @ torch.stack([*columns, theta.sin().prod(1)]) + offset
    if name == "wn":
        length = rows["hidden.parametrizations.weight.original0"].view(units, 1)
        v = rows["hidden.parametrizations.weight.original1"].view(units, features)
        weight = length * v / v.norm(dim=1, keepdim=True)
    else:
        weight = rows["hidden.weight"].view(units, features)
    linear = nn.functional.linear
    if name != "bn":
        return lambda x: linear(x, weight, rows["hidden.bias"])
    seen = linear(batch[b], weight, rows["hidden.bias"])
    return lambda x: nn.functional.batch_norm(
        linear(x, weight, rows["hidden.bias"]),
        seen.mean(0),
        seen.var(0, correction=0),
        rows["hidden.gamma"],
        rows["hidden.beta"],
        training=False,
        eps=model.hidden.epsilon,
    )


def on_a_ray(before_relu, direction, unit):
    return lambda t: before_relu((t * direction).unsqueeze(0))[0, unit].item()


@pytest.mark.parametrize("features", [1, 2, 4])
@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_the_location_is_the_root_of_the_pre_activation_along_its_direction(name, features):
    model = scrambled(networks(name, features, UNITS, streams()))
    x = data(features).x
    found = boundary(model.hidden, x)
    for b in range(NETWORKS):
        before_relu = pre_activation(name, model, b, x)
        for unit in range(UNITS):
            u = found.direction[b, unit]
            along = on_a_ray(before_relu, u, unit)
            root = brentq(along, -1e4, 1e4, xtol=1e-13, rtol=1e-14)
            assert_close(found.location[b, unit], root * u, rtol=1e-9, atol=1e-9)
            assert along(root + 1.0) > 0  # the direction is that of the active side


@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_points_of_the_boundary_have_a_pre_activation_of_0(name):
    model = scrambled(networks(name, 3, UNITS, streams()))
    x = data(3).x
    found = boundary(model.hidden, x)
    stream = torch.Generator().manual_seed(5)
    step = torch.randn(found.weight.shape, generator=stream, dtype=torch.float64)
    step -= (step * found.direction).sum(-1, keepdim=True) * found.direction
    for b in range(NETWORKS):
        responses = pre_activation(name, model, b, x)(found.location[b] + step[b])
        assert_close(responses.diagonal(), torch.zeros(UNITS, dtype=torch.float64))


@pytest.mark.parametrize("features", [1, 2])
@pytest.mark.parametrize("name", ["wn", "gmp"])
def test_parameterizations_start_from_the_same_function(name, features):
    x = data(features).x
    plain = networks("sp", features, UNITS, streams())
    if (name, features) == ("gmp", 2):  # the authors' conversion loses a sign
        plain.hidden.weight.data[:, -1].abs_()
    assert_close(networks(name, features, UNITS, streams())(x), plain(x))


def train_alone(network, part, watch, b, plan, lr, stream):
    """Adam by torch, and the two Keras callbacks as plain variables."""
    module, criterion = network.module, plan.loss
    optimizer = torch.optim.Adam(module.parameters(), lr=lr, eps=ADAM_EPSILON)
    best = plateau_best = math.inf
    waited = plateau_waited = 0
    kept, kept_epoch = None, None
    for epoch in range(1, plan.epochs + 1):
        order = torch.arange(SAMPLES)
        if plan.batch_size is not None:
            order = torch.randperm(SAMPLES, generator=stream)
        module.train()
        seen = []
        for rows in torch.split(order, plan.batch_size or SAMPLES):
            losses = criterion(module(part.x[b, rows]), part.y[b, rows])
            optimizer.zero_grad()
            losses.mean().backward()
            optimizer.step()
            seen += losses.flatten().tolist()
        score = np.mean(seen)
        if watch is not None:
            module.eval()
            with torch.no_grad():
                right = (module(watch.x[b]).sigmoid() > 0.5) == (watch.y[b] == 1)
            score = 1 - right.double().mean().item()
        if score < plateau_best - 1e-4:
            plateau_best, plateau_waited = score, 0
        else:
            plateau_waited += 1
            if plateau_waited >= plan.plateau_patience:
                optimizer.param_groups[0]["lr"] *= 0.1
                plateau_waited = 0
        if score < best:
            best, waited = score, 0
            kept, kept_epoch = copy.deepcopy(module.state_dict()), epoch
        else:
            waited += 1
            if waited >= plan.stop_patience:
                break
    return kept, kept_epoch, epoch


def absolute(output, target):
    return (output - target).abs()


def cross_entropy(output, target):
    return nn.functional.binary_cross_entropy_with_logits(output, target, reduction="none")


PLANS = {
    "levy": (Plan(absolute, None, 60, 4, 8), False),
    "banana": (Plan(cross_entropy, 10, 40, 3, 6), True),
}


@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_networks_are_trained_stopped_and_kept_as_by_a_loop_of_their_own(make, alone, name, kind):
    plan, watches = PLANS[kind]
    part = data(4)
    watch = data(4, purpose=1) if watches else None
    batch = make(name, NETWORKS)
    by_themselves = [alone(name, batch, b) for b in range(NETWORKS)]
    lr = torch.tensor(LRS, dtype=torch.float64)
    done = train(batch, part, plan, lr, streams(2), watch)
    assert len({outcome.epochs for outcome in done}) > 1  # they stop apart
    for b, network in enumerate(by_themselves):
        state, best_epoch, epochs = train_alone(
            network, part, watch, b, plan, LRS[b], streams(2)[b]
        )
        assert (done[b].best_epoch, done[b].epochs) == (best_epoch, epochs)
        for ours, theirs in network.names.items():
            # normalization cancels the bias before it: its gradient is rounding
            if name == "bn" and ours in ("first.bias", "norm.running_mean"):
                continue
            kept = batch.named_rows()[theirs][b]
            assert_close(kept, state[ours].flatten(), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_a_recorder_changes_nothing_and_sees_every_step(make, name):
    plan, _ = PLANS["banana"]
    part, lr = data(4), torch.tensor(LRS, dtype=torch.float64)
    watch = data(4, purpose=1)
    model, seen = make(name, NETWORKS), []
    recorder = Evolution(model, part.x, [1], every=3)

    def record(model, alive):
        recorder(model, alive)
        if 1 in alive:
            place = [alive.index(1)]
            seen.append(boundary(model.hidden, part.x[alive]).weight[place].clone())

    first = boundary(model.hidden, part.x).weight[[1]].clone()
    done = train(model, part, plan, lr, streams(2), watch, record)
    untouched = make(name, NETWORKS)
    assert train(untouched, part, plan, lr, streams(2), watch) == done
    for key, rows in untouched.named_rows().items():
        assert torch.equal(rows, model.named_rows()[key])
    steps = math.ceil(SAMPLES / plan.batch_size)
    assert [len(moves) for moves in recorder.moves] == [steps * o.epochs for o in done]
    weights = [first, *seen]
    turned = [
        max(
            math.acos(min(1.0, max(-1.0, nn.functional.cosine_similarity(u, v, dim=0).item())))
            for u, v in zip(one[0], other[0], strict=True)
        )
        for one, other in pairwise(weights)
    ]
    assert recorder.turns[1] == pytest.approx(turned, abs=2e-8)
    assert len(recorder.locations[1]) == 1 + len(seen) // 3


def test_moves_are_distances_between_kept_locations():
    part = Samples(data(2).x[0], data(2).y[0])
    problem = Problem("toy", part, part.x, Plan(cross_entropy, None, 12, 50, 100))
    for trial in run_trials(problem, "sp", UNITS, 2, every=1):
        steps = pairwise(trial.locations)
        moves = [(b - a).norm(dim=1).max().item() for a, b in steps]
        assert trial.moves == pytest.approx(moves)
        assert len(moves) == 12


@given(
    st.lists(st.floats(-3.0, 3.0), min_size=4, max_size=4),
    st.lists(st.floats(-2.0, 2.0), min_size=4, max_size=4),
)
def test_a_perturbation_of_angles_turns_the_direction_by_at_most_its_length(theta, epsilon):
    theta, epsilon = (torch.tensor(v, dtype=torch.float64) for v in (theta, epsilon))
    turned = angle_between(unit_vector(theta), unit_vector(theta + epsilon))
    assert turned <= epsilon.norm() + 1e-12


@given(
    st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3),
    st.floats(1e-5, 0.3),
)
def test_perturbed_units_turn_as_equations_12_to_14_say(values, epsilon):
    w = torch.tensor([values[:2]], dtype=torch.float64)
    moved = w + epsilon
    if w.norm() < 1e-3 or moved.norm() < 1e-3:
        return
    unit = Boundary(w, torch.tensor(values[2:], dtype=torch.float64))
    cosine = (w * moved).sum() / (w.norm() * moved.norm())
    wanted = math.acos(min(1.0, max(-1.0, cosine.item())))
    for name, angle in (("sp", wanted), ("wn", wanted), ("gmp", epsilon)):
        after = perturbed(unit, epsilon, name)
        turned = angle_between(unit.direction, after.direction).item()
        assert turned == pytest.approx(angle, abs=1e-6)
    gmp = perturbed(unit, epsilon, "gmp")
    bound = epsilon * (1 + unit.offset.abs().item())
    assert (gmp.location - unit.location).norm().item() <= bound + 1e-12
