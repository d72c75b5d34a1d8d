"""The target is reached exactly, by whole numbers, and pruning happens when it is said to."""

import re
from fractions import Fraction
from itertools import pairwise
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.experiment.recipes import Pruning
from reactivate.pruning.schedule import Plan, removed
from reactivate.training.pruning.plan import make_plan
from reactivate.training.schedules import Clock

PRINTED = Clock(steps=120 * 391, printed_steps=120 * 391, printed_epoch=391)


def plan(every, clock=PRINTED, protocol="document", fine_tune=20):
    pruning = Pruning(
        blend="weight", sparsity=0.8, every=every, fine_tune=fine_tune, protocol=protocol
    )
    return make_plan(pruning, clock)


@given(size=st.integers(1, 5000), hundredths=st.integers(0, 99), total=st.integers(1, 60))
def test_every_layer_loses_as_much_as_is_said_at_every_step(size, hundredths, total):
    gone = [removed(size, hundredths / 100, done, total) for done in range(total + 1)]
    assert gone[0] == 0
    assert gone[-1] == size * hundredths // 100 < size
    steps = [after - before for before, after in pairwise(gone)]
    assert min(steps) >= 0
    assert max(steps) - min(steps) <= 1  # the same number each time, up to rounding


@pytest.mark.parametrize("sparsity", [0.29, 0.57, 0.7, 0.95, 0.99])
def test_a_sparsity_is_the_decimal_that_is_written(sparsity):
    assert removed(100, sparsity) == round(100 * sparsity)
    assert removed(1000, sparsity) == floor(1000 * Fraction(str(sparsity)))


@pytest.mark.parametrize("sparsity", [0.0, 0.5, 0.99])
def test_a_single_weight_stays(sparsity):
    assert removed(1, sparsity) == 0


@pytest.mark.parametrize("sparsity", [-0.1, 1.0, 1.5, float("nan"), float("inf")])
def test_a_sparsity_outside_the_interval_is_named(sparsity):
    message = f"sparsity is {sparsity!r}; accepted: 0 up to but not including 1"
    with pytest.raises(ValueError, match=re.escape(message)):
        removed(10, sparsity)


@pytest.mark.parametrize(("every", "prunings"), [(2, 49), (5, 19), (10, 9), (15, 6)])
def test_the_printed_numbers_of_prunings(every, prunings):
    moments = plan(every).moments
    assert len(moments) == prunings
    assert [moment % (every * 391) for moment in moments] == [0] * prunings
    assert moments[-1] < 100 * 391


@pytest.mark.parametrize(("every", "prunings"), [(2, 50), (5, 20), (10, 10), (15, 7)])
def test_the_program_prunes_after_the_first_epoch_too(every, prunings):
    moments = plan(every, protocol="authors_code").moments
    assert len(moments) == prunings
    assert moments[:2] == (391, (1 + every) * 391)


def test_one_shot_is_when_fine_tuning_begins():
    assert plan(None).moments == (100 * 391,)


def test_a_short_run_keeps_the_proportions():
    short = Clock(steps=1200, printed_steps=120 * 391, printed_epoch=391)
    for every in (2, 5, 10, 15):
        long = [moment // 391 * 10 for moment in plan(every).moments]
        assert list(plan(every, short).moments) == long
    assert plan(10, short).window == 10


def test_a_run_of_few_steps_prunes_as_often_as_it_can():
    tiny = Clock(steps=12, printed_steps=120 * 391, printed_epoch=391)
    assert plan(2, tiny).moments == tuple(range(1, 11))
    assert plan(2, tiny).window == 1


def test_patterns_are_counted_in_the_epoch_before_a_pruning_only():
    found = plan(10)
    assert found.window == 391
    counted = [step for step in range(PRINTED.steps) if found.counts(step)]
    assert len(counted) == 9 * 391
    assert counted[0] == 9 * 391
    assert counted[-1] == 90 * 391 - 1


def test_the_program_counts_a_quarter_of_the_batches():
    found = Plan((8, 20), window=8, thinned=4)
    assert [step for step in range(25) if found.counts(step)] == [3, 7, 15, 19]
