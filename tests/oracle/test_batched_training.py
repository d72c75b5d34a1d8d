"""Training a batch of networks is training every network alone."""

import copy
import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.foundation.seeding import generator
from reactivate.layers.batched import BATCHED
from reactivate.training.adam import BatchedAdam
from reactivate.training.batched import (
    Outcome,
    Schedule,
    batches,
    fit,
    is_recorded,
    networks_per_batch,
    squared_error,
)
from reactivate.training.monitor import Monitor
from reactivate.training.splits import (
    Samples,
    Split,
    fold,
    hold_out,
    stack,
    standardize,
    subset,
    train_test,
)
from reactivate.training.sweep import Task, choose_lr
from torch import nn
from torch.testing import assert_close

PARAMETERIZATIONS = sorted(BATCHED.targets)
SCHEDULE = Schedule(
    loss="mse",
    batch_size=None,
    epochs=30,
    plateau_factor=0.1,
    plateau_patience=3,
    min_delta=1e-4,
    stop_patience=5,
    adam_epsilon=1e-8,
)
LRS = [0.02, 0.3, 0.9]


class Keras:
    """ReduceLROnPlateau and EarlyStopping of Keras, line by line, as two separate rules."""

    def __init__(self, plateau_patience, min_delta, stop_patience):
        self.plateau_patience, self.min_delta = plateau_patience, min_delta
        self.stop_patience = stop_patience
        self.plateau_best = self.stop_best = math.inf
        self.plateau_wait = self.stop_wait = 0

    def reduce_lr(self, current):
        if current < self.plateau_best - self.min_delta:
            self.plateau_best = current
            self.plateau_wait = 0
        else:
            self.plateau_wait += 1
            if self.plateau_wait >= self.plateau_patience:
                self.plateau_wait = 0
                return True
        return False

    def early_stopping(self, current):
        """Whether the weights are kept, and whether training stops."""
        self.stop_wait += 1
        if current < self.stop_best:
            self.stop_best = current
            self.stop_wait = 0
            return True, False
        return False, self.stop_wait >= self.stop_patience


def data(networks=3, samples=20, seed=1):
    """Noisy targets: the watched error soon rises, at another epoch for every network."""
    stream = torch.Generator().manual_seed(seed)

    def part(n):
        x = torch.randn(networks, n, 4, dtype=torch.float64, generator=stream)
        noise = torch.randn(networks, n, 1, dtype=torch.float64, generator=stream)
        return Samples(x, x[..., :1].sin() + 0.5 * noise)

    return Split(part(samples), part(12), part(8))


def shuffles(networks=3):
    return [torch.Generator().manual_seed(100 + b) for b in range(networks)]


def train_alone(network, split, b, lr, schedule):
    """One network, ordinary torch: Adam, mini-batches, the two rules, the best weights."""
    loss_of = {"mse": nn.MSELoss(), "mae": nn.L1Loss()}[schedule.loss]
    module = network.module
    optimizer = torch.optim.Adam(module.parameters(), lr=lr, eps=schedule.adam_epsilon)
    rules = Keras(schedule.plateau_patience, schedule.min_delta, schedule.stop_patience)
    stream = shuffles()[b]
    x, y = split.fit.x[b], split.fit.y[b]
    best, best_epoch, lrs = copy.deepcopy(module.state_dict()), 0, []
    for epoch in range(1, schedule.epochs + 1):
        module.train()
        if schedule.batch_size is None:
            orders = [torch.arange(len(x))]
        else:
            orders = torch.randperm(len(x), generator=stream).split(schedule.batch_size)
        for rows in orders:
            optimizer.zero_grad()
            loss_of(module(x[rows]), y[rows]).backward()
            optimizer.step()
        module.eval()
        with torch.no_grad():
            score = nn.functional.mse_loss(module(split.watch.x[b]), split.watch.y[b]).item()
        lowered = rules.reduce_lr(score)
        keep, stop = rules.early_stopping(score)
        if lowered:
            optimizer.param_groups[0]["lr"] *= schedule.plateau_factor
        lrs.append(optimizer.param_groups[0]["lr"])
        if keep:
            best, best_epoch = copy.deepcopy(module.state_dict()), epoch
        if stop:
            break
    module.load_state_dict(best)
    with torch.no_grad():
        final = nn.functional.mse_loss(module(split.report.x[b]), split.report.y[b]).item()
    return final**0.5, rules.stop_best**0.5, best_epoch, epoch, lrs


@pytest.mark.parametrize("batch_size", [None, 8])
@pytest.mark.parametrize("loss", ["mse", "mae"])
@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_a_batch_of_networks_trains_as_each_network_alone(make, alone, name, loss, batch_size):
    schedule = replace(SCHEDULE, loss=loss, batch_size=batch_size)
    split = data()
    batch = make(name)
    networks = [alone(name, batch, b) for b in range(3)]
    outcomes = fit(batch, split, torch.tensor(LRS, dtype=torch.float64), schedule, shuffles())
    wanted = [train_alone(n, split, b, LRS[b], schedule) for b, n in enumerate(networks)]
    assert [(o.best_epoch, o.epochs) for o in outcomes] == [w[2:4] for w in wanted]
    assert [o.score for o in outcomes] == pytest.approx([w[0] for w in wanted], rel=1e-8)
    assert [o.watched for o in outcomes] == pytest.approx([w[1] for w in wanted], rel=1e-8)
    # normalization cancels the bias before it: its gradient is rounding, its place is open
    skipped = ("first.bias", "norm.running_mean") if name == "bn" else ()
    kept = {
        f"{b} {ours}": batch.named_rows()[theirs][b]
        for b, network in enumerate(networks)
        for ours, theirs in network.names.items()
        if ours not in skipped
    }
    state = {
        f"{b} {ours}": network.module.state_dict()[ours].flatten()
        for b, network in enumerate(networks)
        for ours in network.names
        if ours not in skipped
    }
    assert_close(kept, state, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_networks_of_a_batch_stop_and_slow_down_at_epochs_of_their_own(make, alone, name):
    """Guards the test above: its networks do stop early, apart, after lowered rates."""
    split = data()
    batch = make(name)
    networks = [alone(name, batch, b) for b in range(3)]
    outcomes = fit(batch, split, torch.tensor(LRS, dtype=torch.float64), SCHEDULE, shuffles())
    wanted = [train_alone(n, split, b, LRS[b], SCHEDULE) for b, n in enumerate(networks)]
    assert len({o.epochs for o in outcomes}) > 1
    assert min(o.epochs for o in outcomes) < SCHEDULE.epochs
    lowered = [w[4][-1] < lr for w, lr in zip(wanted, LRS, strict=True)]
    assert any(lowered)
    last = [o.history[-1] for o in outcomes]
    assert [row[0] for row in last] == [o.epochs for o in outcomes]
    assert [row[3] for row in last] == pytest.approx([w[4][-1] for w in wanted], rel=1e-6)


def test_adam_moves_every_network_as_torch_does_with_its_own_rate():
    stream = torch.Generator().manual_seed(0)
    start = torch.randn(3, 5, dtype=torch.float64, generator=stream)
    steps = torch.randn(6, 3, 5, dtype=torch.float64, generator=stream)
    batched = nn.Parameter(start.clone())
    optimizer = BatchedAdam([batched], torch.tensor(LRS, dtype=torch.float64), epsilon=1e-3)
    separate = [nn.Parameter(start[b].clone()) for b in range(3)]
    theirs = [torch.optim.Adam([p], lr=lr, eps=1e-3) for p, lr in zip(separate, LRS, strict=True)]
    for gradients in steps:
        optimizer.step([gradients])
        for b, alone in enumerate(theirs):
            separate[b].grad = gradients[b].clone()
            alone.step()
    assert_close(batched.data, torch.stack([p.data for p in separate]), rtol=1e-13, atol=1e-13)


def test_adam_continues_as_torch_does_when_other_networks_are_dropped():
    stream = torch.Generator().manual_seed(0)
    start = torch.randn(6, 2, dtype=torch.float64, generator=stream)  # 3 networks x 2 units
    steps = torch.randn(6, 6, 2, dtype=torch.float64, generator=stream)
    kept = torch.tensor([True, False, True])
    rows = torch.tensor([0, 1, 4, 5])
    batched = nn.Parameter(start.clone())
    optimizer = BatchedAdam([batched], torch.tensor(LRS, dtype=torch.float64))
    halves = [nn.Parameter(start[:2].clone()), nn.Parameter(start[4:].clone())]
    theirs = [
        torch.optim.Adam([half], lr=lr) for half, lr in zip(halves, [LRS[0], LRS[2]], strict=True)
    ]
    for step, gradients in enumerate(steps):
        if step == 3:
            optimizer.keep(kept)
            batched.data = batched.data[rows]
        optimizer.step([gradients if step < 3 else gradients[rows]])
        for half, alone, piece in zip(halves, theirs, [slice(0, 2), slice(4, 6)], strict=True):
            half.grad = gradients[piece].clone()
            alone.step()
    assert_close(batched.data, torch.cat([h.data for h in halves]), rtol=1e-13, atol=1e-13)


SCORES = st.lists(
    st.one_of(st.sampled_from([1.0, 2.0, 2.00005, 3.0]), st.floats(0, 5)), min_size=1, max_size=60
)


@given(
    scores=SCORES,
    plateau_patience=st.integers(1, 5),
    stop_patience=st.integers(1, 8),
    min_delta=st.sampled_from([0.0, 1e-4, 0.5]),
)
def test_the_monitor_decides_as_the_two_keras_callbacks(
    scores, plateau_patience, stop_patience, min_delta
):
    ours = Monitor(plateau_patience, min_delta, stop_patience)
    theirs = Keras(plateau_patience, min_delta, stop_patience)
    for epoch, score in enumerate(scores, 1):
        decision = ours.update(score)
        improved, stop = theirs.early_stopping(score)
        assert decision == (improved, theirs.reduce_lr(score), stop), f"epoch {epoch}"
    assert ours.best == min(scores)
    assert ours.best_epoch == scores.index(min(scores)) + 1
    assert ours.diverged_at is None


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_no_number_stops_the_network_and_names_the_epoch(score):
    monitor = Monitor(plateau_patience=2, min_delta=0.0, stop_patience=2)
    monitor.update(1.0)
    assert monitor.update(score) == (False, False, True)
    assert monitor.diverged_at == 2
    assert (monitor.best, monitor.best_epoch) == (1.0, 1)


def test_a_diverged_network_is_recorded_and_the_others_go_on(make):
    split = data()
    reference = fit(
        make("sp"), split, torch.tensor([0.01] * 3, dtype=torch.float64), SCHEDULE, shuffles()
    )
    lrs = torch.tensor([0.01, 1e200, 0.01], dtype=torch.float64)
    outcomes = fit(make("sp"), split, lrs, SCHEDULE, shuffles())
    assert outcomes[1].diverged_at == outcomes[1].epochs
    assert outcomes[1].epochs < SCHEDULE.epochs
    assert math.isfinite(outcomes[1].score)  # with the last weights that gave a number
    assert [outcomes[b].diverged_at for b in (0, 2)] == [None, None]
    assert [outcomes[b].score for b in (0, 2)] == pytest.approx(
        [reference[b].score for b in (0, 2)], rel=1e-12
    )


@pytest.mark.parametrize("size", [1, 7, 8, 19])
def test_an_epoch_visits_every_sample_of_every_network_once(size):
    number = torch.arange(20.0).reshape(1, 20, 1).repeat(3, 1, 1)
    part = Samples(number.repeat(1, 1, 2), number)
    seen = list(batches(part, size, shuffles()))
    assert [p.y.shape[1] for p in seen[:-1]] == [size] * (len(seen) - 1)
    order = torch.cat([p.y for p in seen], dim=1).squeeze(-1)
    assert torch.equal(order.sort(dim=1).values, number.squeeze(-1))
    assert all(torch.equal(p.x[..., :1], p.y) for p in seen)
    assert not torch.equal(order[0], order[1])


@pytest.mark.parametrize("size", [None, 20, 1024])
def test_a_batch_as_large_as_the_part_is_the_part_itself(size):
    part = data().fit
    assert [p is part for p in batches(part, size, shuffles())] == [True]


def test_two_epochs_visit_the_samples_in_different_orders():
    part, streams = data().fit, shuffles()
    first, second = (torch.cat([p.y for p in batches(part, 7, streams)], 1) for _ in range(2))
    assert not torch.equal(first, second)


def test_squared_error_is_measured_in_evaluation_mode(make):
    batch, split = make("bn").train(), data()
    error = squared_error(batch, split.watch)
    assert not batch.training
    predicted = batch(split.watch.x)
    wanted = [nn.functional.mse_loss(predicted[b], split.watch.y[b]).item() for b in range(3)]
    assert error.tolist() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("element_bytes", [4, 8])
@pytest.mark.parametrize("samples", [1, 300, 7654, 10**7])
def test_at_least_one_network_is_trained_at_a_time(samples, element_bytes):
    together = networks_per_batch(samples, 100, element_bytes)
    assert together >= 1
    assert together >= networks_per_batch(samples, 100, 2 * element_bytes)


def test_the_history_keeps_the_first_epochs_and_then_ever_fewer():
    kept = [epoch for epoch in range(1, 5001) if is_recorded(epoch)]
    assert kept[:99] == list(range(1, 100))
    assert len(kept) < 150


def rows(n):
    """A part whose rows carry their number."""
    return Samples(torch.arange(float(n)).reshape(n, 1), torch.arange(float(n)).reshape(n, 1))


def numbers(part):
    return part.y.squeeze(-1).int().tolist()


@pytest.mark.parametrize("seed", [0, 1, 9])
def test_a_split_is_disjoint_and_covers_all_rows(seed):
    train, test = train_test(rows(103), "boston", seed, 0.2)
    assert len(test.x) == 21
    assert sorted(numbers(train) + numbers(test)) == list(range(103))


def test_a_split_depends_on_dataset_and_seed_only():
    torch.manual_seed(1)
    one = train_test(rows(50), "boston", 3, 0.2)
    torch.manual_seed(2)
    two = train_test(rows(50), "boston", 3, 0.2)
    assert numbers(one[0]) == numbers(two[0])
    assert numbers(one[1]) == numbers(two[1])


@pytest.mark.parametrize(("dataset", "seed"), [("boston", 4), ("yacht", 3)])
def test_another_dataset_or_seed_is_another_split(dataset, seed):
    one = train_test(rows(50), "boston", 3, 0.2)
    assert numbers(one[1]) != numbers(train_test(rows(50), dataset, seed, 0.2)[1])


@pytest.mark.parametrize("fraction", [0.0, 0.2, 0.5])
def test_rows_held_out_and_the_rest_are_the_whole(fraction):
    rest, held = hold_out(rows(41), fraction)
    assert len(held.x) == round(fraction * 41)
    assert numbers(rest) + numbers(held) == list(range(41))


@pytest.mark.parametrize(("n", "folds"), [(12, 3), (13, 3), (14, 5)])
def test_folds_partition_the_rows_into_equal_sizes(n, folds):
    parts = [fold(rows(n), index, folds) for index in range(folds)]
    held = [numbers(p[1]) for p in parts]
    assert {len(h) for h in held} == {n // folds}
    used = sorted(number for h in held for number in h)
    assert used == list(range(n // folds * folds))
    assert all(sorted(numbers(p[0]) + numbers(p[1])) == used for p in parts)


def test_a_fraction_of_a_dataset_is_the_same_for_everyone():
    assert numbers(subset(rows(40), "wine", 0.5)) == numbers(subset(rows(40), "wine", 0.5))
    assert len(set(numbers(subset(rows(40), "wine", 0.5)))) == 20
    assert numbers(subset(rows(40), "wine", 1.0)) == list(range(40))


def test_features_are_scaled_by_the_fitted_part_only():
    stream = torch.Generator().manual_seed(0)
    x = 5 + 3 * torch.randn(30, 3, dtype=torch.float64, generator=stream)
    x[:, 2] = 7.0  # a constant column must not divide by zero
    y = 100 + torch.randn(30, 1, dtype=torch.float64, generator=stream)
    split = Split(Samples(x[:20], y[:20]), Samples(x[20:25], y[20:25]), Samples(x[25:], y[25:]))
    scaled = standardize(split, torch.float64)
    fitted = scaled.fit.x[:, :2]
    assert_close(fitted.mean(0), torch.zeros(2, dtype=torch.float64), rtol=0, atol=1e-12)
    assert_close(fitted.square().mean(0), torch.ones(2, dtype=torch.float64), rtol=1e-12, atol=0)
    assert_close(scaled.fit.x[:, 2], torch.zeros(20, dtype=torch.float64), rtol=0, atol=0)
    mean, deviation = x[:20].mean(0), x[:20].std(0, correction=0)
    assert_close(scaled.report.x[:, :2], ((x[25:] - mean) / deviation)[:, :2])
    assert torch.equal(scaled.watch.y, y[20:25])
    assert standardize(split, torch.float32).report.x.dtype == torch.float32


def test_stacked_splits_keep_every_network_its_own_rows():
    splits = [Split(rows(4), rows(3), rows(2)), Split(rows(4), rows(3), rows(2))]
    stacked = stack(splits)
    assert [p.x.shape for p in (stacked.fit, stacked.watch, stacked.report)] == [
        (2, 4, 1),
        (2, 3, 1),
        (2, 2, 1),
    ]


def outcome(score, diverged_at=None):
    return Outcome(score, score, 1, 1, diverged_at, [])


def test_the_chosen_rate_has_the_lowest_mean_error_of_its_seed():
    trials = [Task(s, lr, k) for s in (0, 1) for lr in (0.01, 0.1) for k in (0, 1)]
    scores = [outcome(x) for x in (1.0, 9.0, 4.0, 4.0, 1.0, 2.0, 4.0, 4.0)]
    assert choose_lr(0, trials, scores) == 0.1  # 4 against 5, though one fold is the best
    assert choose_lr(1, trials, scores) == 0.01


def test_a_rate_with_a_diverged_fold_is_not_chosen():
    trials = [Task(0, lr, k) for lr in (0.01, 0.1) for k in (0, 1)]
    scores = [outcome(5.0), outcome(5.0), outcome(1.0), outcome(1.0, diverged_at=3)]
    assert choose_lr(0, trials, scores) == 0.01


@pytest.mark.parametrize("other", [("boston", 0, "noise"), ("boston", 1, "split"), ("b", 0)])
def test_streams_for_different_purposes_are_independent(other):
    one = torch.rand(4, generator=generator("boston", 0, "split"))
    assert torch.equal(one, torch.rand(4, generator=generator("boston", 0, "split")))
    assert not torch.equal(one, torch.rand(4, generator=generator(*other)))
