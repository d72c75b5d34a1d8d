"""At the printed length, schedules give the rates of torch's own."""

import math

import pytest
import torch
from reactivate.experiment.recipes import Training
from reactivate.training.schedules import Clock, rates
from torch.optim import SGD
from torch.optim.lr_scheduler import (
    CosineAnnealingLR,
    LinearLR,
    LRScheduler,
    MultiStepLR,
    SequentialLR,
)

EPOCHS, PER_EPOCH, LR = 12, 5, 0.3
STEPS = EPOCHS * PER_EPOCH
PRINTED = Clock(STEPS, STEPS, PER_EPOCH)


def ours(schedule, clock=PRINTED, **changes):
    """The rate before every step."""
    recipe = Training.model_validate(
        {
            "stage": "train",
            "optimizer": {"name": "adam", "weight_decay": 0.0},
            "lr": {"default": LR},
            "schedule": schedule,
            "batch_size": 1,
            "epochs": EPOCHS,
            "normalise": "mean",
            "seeds": 1,
            **changes,
        }
    )
    return [rates(recipe, LR, clock, step).lr for step in range(clock.steps)]


def torchs(make) -> list[float]:
    """The rate before every step, of a scheduler that is told of every step."""
    optimizer = SGD([torch.nn.Parameter(torch.zeros(1))], LR)
    scheduler: LRScheduler = make(optimizer)
    found = []
    for _ in range(STEPS):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


def linear(final, steps=STEPS, start=LR):
    return lambda o: LinearLR(o, start / LR, final / LR, total_iters=steps)


@pytest.mark.parametrize(
    ("schedule", "make"),
    [
        (
            {"kind": "milestones", "at": [4, 9], "factor": 0.1},
            lambda o: MultiStepLR(o, [4 * PER_EPOCH, 9 * PER_EPOCH], 0.1),
        ),
        (
            {"kind": "cosine", "final": 0.01},
            lambda o: CosineAnnealingLR(o, STEPS, eta_min=0.01),
        ),
        ({"kind": "linear", "final": 0.01}, linear(0.01)),
        ({"kind": "linear", "final": 0.01, "epochs": 7}, linear(0.01, 7 * PER_EPOCH)),
        ({"kind": "constant"}, linear(LR)),
    ],
    ids=["milestones", "cosine", "linear", "linear to epoch 7", "constant"],
)
def test_rates_are_those_of_torch(schedule, make):
    assert ours(schedule) == pytest.approx(torchs(make), rel=1e-9)


@pytest.mark.parametrize("length", [{"iterations": 10}, {"epochs": 2}])
def test_a_rising_start_is_that_of_torch(length):
    def make(optimizer):
        rise = LinearLR(optimizer, 0.02 / LR, 1.0, total_iters=10)
        then = MultiStepLR(optimizer, [4 * PER_EPOCH - 10], 0.5)
        return SequentialLR(optimizer, [rise, then], [10])

    schedule = {"kind": "milestones", "at": [4], "factor": 0.5}
    found = ours(schedule, warm_up={**length, "lr": 0.02, "rises": True})
    assert found == pytest.approx(torchs(make), rel=1e-9)


def timms(epoch, lr, low, epochs, warm, rise):
    """Rate of an epoch as the cosine schedule of timm 0.4.12 has it, restated."""
    if epoch < rise:
        return warm + epoch * (lr - warm) / rise
    if epoch >= epochs:
        return low
    return low + 0.5 * (lr - low) * (1 + math.cos(math.pi * epoch / epochs))


def test_rates_that_are_set_every_epoch_are_those_of_timm():
    found = ours(
        {"kind": "cosine", "final": 0.001, "epochs": 9, "every": "epoch"},
        warm_up={"epochs": 3, "lr": 0.01, "rises": True, "every": "epoch"},
    )
    expected = [timms(epoch, LR, 0.001, 9, 0.01, 3) for epoch in range(EPOCHS)]
    assert found == pytest.approx([lr for lr in expected for _ in range(PER_EPOCH)], rel=1e-9)


@pytest.mark.parametrize("steps", [24, 36, 84])
def test_rates_of_a_stretched_run_are_set_at_the_printed_epochs(steps):
    schedule = {"kind": "linear", "final": 0.01, "every": "epoch"}
    found = ours(schedule, Clock(steps, STEPS, PER_EPOCH))
    levels = [LR + (0.01 - LR) * epoch / EPOCHS for epoch in range(EPOCHS)]
    assert found == pytest.approx([lr for lr in levels for _ in range(steps // EPOCHS)], rel=1e-9)
