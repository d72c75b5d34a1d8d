"""Numbers of a run from its predictions and its history, by hand."""

import math

import pytest
import torch
from reactivate.training.metrics import accuracies, convergence, final_metrics, vote_error
from reactivate.training.snapshots import State

LABELS = torch.tensor([0, 1])


@pytest.mark.parametrize("classes", [2, 5, 7])
def test_accuracies_count_how_many_scores_are_larger(classes):
    stream = torch.Generator().manual_seed(0)
    scores = torch.randn(40, classes, generator=stream)
    labels = torch.randint(classes, (40,), generator=stream)
    larger = (scores > scores.gather(1, labels[:, None])).sum(1)
    found = accuracies(scores, labels)
    assert found["top5"] == pytest.approx(100 * (larger < 5).double().mean().item())
    assert found["top1"] == pytest.approx(100 * (larger < 1).double().mean().item())
    assert found["error"] == 100 - found["top1"]
    assert found["top5_error"] == 100 - found["top5"]


def test_a_vote_is_the_mean_probability_not_the_mean_score():
    wrong = torch.tensor([[0.0, 90.0], [90.0, 0.0]])
    right = torch.tensor([[5.0, 0.0], [0.0, 5.0]])
    assert accuracies(wrong + right + right, LABELS)["error"] == 100
    assert vote_error([wrong, right, right], LABELS) == 0


def test_one_network_votes_as_it_is():
    scores = torch.tensor([[1.0, 2.0], [1.0, 2.0]])
    assert vote_error([scores], LABELS) == accuracies(scores, LABELS)["error"] == 50


def test_convergence_counts_epochs_from_one():
    assert convergence([3.5, 2.9, 2.4, 2.6]) == {
        "loss_min": 2.4,
        "epoch_loss_min": 3,
        "epoch_below_3_0": 2,
        "epoch_below_2_5": 3,
        "epoch_below_2_0": math.inf,
    }


def test_convergence_passes_over_what_is_no_number():
    found = convergence([2.9, math.inf, math.nan])
    assert (found["loss_min"], found["epoch_loss_min"]) == (2.9, 1)


def test_a_network_that_says_nothing_still_has_numbers():
    state = State(epoch=1, history=[{"train_loss": math.nan}], diverged_at=1)
    found = final_metrics(state, (torch.full((4, 3), math.nan), torch.tensor([0, 1, 2, 0])))
    assert 0 <= found["top1"] <= 100
    assert found["diverged_at"] == found["epochs"] == 1
    assert math.isnan(found["loss_min"])
    assert found["epoch_below_2_0"] == math.inf
