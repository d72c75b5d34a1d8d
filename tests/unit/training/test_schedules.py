"""Rates follow the recipe; a shorter run keeps every change at its share of the run."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from reactivate.training.schedules import Clock, Rates, rates

LR, PER_EPOCH, EPOCHS = 0.3, 10, 20
PRINTED = PER_EPOCH * EPOCHS
PIECES = [
    {"epochs": 5, "lr": 0.2, "weight_decay": 0.01},
    {"epochs": 15, "lr": 0.02, "weight_decay": 0.0},
]


@pytest.fixture(scope="module")
def scheduled(recipe):
    """``scheduled(schedule, steps, **changes)``: the rates of every step."""

    def all_rates(schedule, steps=PRINTED, **changes):
        chosen = recipe(**{"schedule": schedule, "epochs": EPOCHS} | changes)
        clock = Clock(steps, PRINTED, PER_EPOCH)
        return [rates(chosen, LR, clock, step) for step in range(steps)]

    return all_rates


def changes(found):
    """At which steps the rate is another than before."""
    return [step for step in range(1, len(found)) if found[step] != found[step - 1]]


@given(steps=st.integers(1, 3 * PRINTED), at=st.integers(1, EPOCHS - 1))
def test_milestones_keep_their_share_of_the_run(scheduled, steps, at):
    found = scheduled({"kind": "milestones", "at": [at], "factor": 0.5}, steps)
    first = -(-steps * at // EPOCHS)  # the first step that is not before the milestone
    assert changes(found) == ([first] if first < steps else [])


@given(steps=st.integers(1, 3 * PRINTED), share=st.integers(1, PRINTED - 1))
def test_a_flat_start_keeps_its_share_of_the_run(scheduled, steps, share):
    start = {"iterations": share, "lr": 0.01, "rises": False}
    found = [rate.lr for rate in scheduled({"kind": "constant"}, steps, warm_up=start)]
    first = -(-steps * share // PRINTED)
    assert found == [0.01] * first + [LR] * (steps - first)


@given(steps=st.integers(2, 3 * PRINTED), kind=st.sampled_from(["linear", "cosine"]))
def test_a_decay_falls_towards_its_end_at_any_length(scheduled, steps, kind):
    found = [rate.lr for rate in scheduled({"kind": kind, "final": 0.003}, steps)]
    assert found[0] == LR
    assert all(before > after for before, after in pairwise(found))
    assert found[-1] > 0.003
    if steps % 2 == 0:
        assert found[steps // 2] == pytest.approx((LR + 0.003) / 2)


@pytest.mark.parametrize("factor", [2, 5, 10])
def test_a_shorter_run_has_every_nth_rate_of_the_printed_one(scheduled, factor):
    start = {"epochs": 4, "lr": 0.0, "rises": True}
    whole = scheduled({"kind": "cosine", "final": 0.003}, warm_up=start)
    short = scheduled({"kind": "cosine", "final": 0.003}, PRINTED // factor, warm_up=start)
    expected = [rate.lr for rate in whole[::factor]]
    assert [rate.lr for rate in short] == pytest.approx(expected)


def test_a_decay_that_ends_early_stays_at_its_end(scheduled):
    found = scheduled({"kind": "linear", "final": 0.003, "epochs": 5})
    assert [rate.lr for rate in found[5 * PER_EPOCH :]] == pytest.approx([0.003] * 150)


@pytest.mark.parametrize("length", [{"iterations": 40}, {"epochs": 4}])
def test_a_rising_start_ends_at_the_initial_rate(scheduled, length):
    start = {**length, "lr": 0.1, "rises": True}
    found = [rate.lr for rate in scheduled({"kind": "constant"}, warm_up=start)]
    assert found[:3] == pytest.approx([0.1, 0.105, 0.11])
    assert found[40:] == [LR] * (PRINTED - 40)


@pytest.mark.parametrize("per_epoch", [10, 50])
def test_iterations_of_larger_epochs_keep_their_share_of_an_epoch(scheduled, per_epoch):
    start = {"iterations": per_epoch, "per_epoch": per_epoch, "lr": 0.1, "rises": False}
    found = [rate.lr for rate in scheduled({"kind": "constant"}, warm_up=start)]
    assert found == [0.1] * PER_EPOCH + [LR] * (PRINTED - PER_EPOCH)


def test_pieces_have_rates_and_weight_decays_of_their_own(scheduled):
    found = scheduled({"kind": "pieces", "pieces": PIECES})
    assert found == [Rates(0.2, 0.01)] * 50 + [Rates(0.02, 0.0)] * 150


def test_a_start_before_pieces_has_the_weight_decay_of_the_first(scheduled):
    start = {"iterations": 3, "lr": 0.001, "rises": False}
    found = scheduled({"kind": "pieces", "pieces": PIECES}, warm_up=start)
    assert found[2:4] == [Rates(0.001, 0.01), Rates(0.2, 0.01)]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"schedule": {"kind": "pieces", "pieces": PIECES}, "epochs": 7}, "last 20 epochs"),
        ({"iterations": 5}, "exactly one of epochs and iterations"),
        ({"epochs": None}, "exactly one of epochs and iterations"),
        (
            {"warm_up": {"epochs": 2, "per_epoch": 9, "lr": 0.1, "rises": True}},
            "per_epoch counts iterations",
        ),
        ({"warm_up": {"lr": 0.1, "rises": True}}, "exactly one of iterations and epochs"),
        ({"folds": 3, "seeds": 4}, "only 3 folds"),
        ({"pictures": {"size": 9, "resize": 8, "train": "random_crop"}}, "size 9 cannot be cut"),
        ({"pictures": {"size": 8, "resize": 8, "train": "scale_jitter"}}, "largest belongs to"),
    ],
)
def test_a_recipe_that_contradicts_itself_is_named(recipe, wrong, message):
    with pytest.raises(ValidationError, match=message):
        recipe(**wrong)
