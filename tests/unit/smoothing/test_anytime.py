"""Early stops save samples, settle the question, and claim no more than their bound."""

import numpy as np
import pytest
import torch
from reactivate.smoothing.anytime import certify_anytime, lasting_bounds
from reactivate.smoothing.bases import Plain
from reactivate.smoothing.bounds import certified_radius, largest_radius
from reactivate.smoothing.sampling import ABSTAIN, Sampling, read_counts
from scipy.stats import norm
from torch import nn

SAMPLING = Sampling(sigma=1.0, n=5000)


def half_line(distance):
    """A linear classifier whose boundary is at a distance from 0.5."""
    network = nn.Linear(1, 2).double().requires_grad_(False)
    network.weight[:] = torch.tensor([[1.0], [0.0]])
    network.bias[:] = torch.tensor([distance - 0.5, 0.0])
    return Plain(network)


def certified(distance, target, **changes):
    x = torch.tensor([0.5]).double()
    settings = {"sampling": SAMPLING, "key": ["test"], **changes}
    return certify_anytime(half_line(distance), x, 0, 0, target=target, **settings)


@pytest.mark.parametrize(
    ("distance", "target", "reached"), [(1.5, 0.0, True), (1.5, 1.0, True), (1.0, 1.5, False)]
)
def test_a_clear_question_is_settled_with_fewer_samples(distance, target, reached):
    found = certified(distance, target)
    assert found.settled
    assert found.saved > SAMPLING.n / 2
    assert found.draws + found.saved == SAMPLING.n
    assert (found.radius >= target) == reached
    assert found.radius < distance
    assert sum(read_counts(found.counts).values()) == found.draws


def test_a_close_question_takes_all_samples_and_says_so():
    found = certified(1.0, target=1.0)
    assert not found.settled
    assert (found.draws, found.saved) == (SAMPLING.n, 0)
    assert 0.8 < found.radius < 1.0


def test_an_undecided_image_is_abstained_from():
    found = certified(0.0, target=0.0)
    assert (found.predict, found.radius, found.correct) == (ABSTAIN, 0.0, False)


def test_the_radius_is_that_of_the_bound_and_below_that_of_as_many_samples_at_once():
    found = certified(3.0, target=1.0)
    successes = read_counts(found.counts)[0]
    low, _ = lasting_bounds(successes, found.draws, SAMPLING.alpha)
    assert found.radius == certified_radius(SAMPLING.sigma, low)
    assert found.radius <= largest_radius(SAMPLING.sigma, found.draws, SAMPLING.alpha)


@pytest.mark.parametrize("runs", [[(0, 400), (1, 200)], [(0, 300), (1, 150), (0, 150)]])
def test_a_bound_that_held_once_is_kept(voting, runs):
    """All looks hold together, so the best of them counts, also where later ones are worse."""
    sampling = Sampling(sigma=1.0, n0=10, n=600)
    base = voting((0, 10), *runs)
    x = torch.tensor([0.5]).double()
    # a target above all bounds, and far below what gives it up before the last look
    found = certify_anytime(base, x, 0, 0, sampling, target=2.0, every=50)
    kinds = [kind for kind, count in runs for _ in range(count)]
    looks = range(50, found.draws + 1, 50)
    bounds = [lasting_bounds(kinds[:n].count(0), n, sampling.alpha) for n in looks]
    best = max(low for low, _ in bounds)
    assert bounds[-1][0] < best - 0.01  # the last look alone would certify less
    assert found.radius == certified_radius(sampling.sigma, best)
    needed = norm.cdf(2.0)
    assert found.settled == (min(high for _, high in bounds) < needed)


def test_a_target_that_was_given_up_stays_given_up(voting):
    """The upper bound falls below what is needed once; the draws end there."""
    sampling = Sampling(sigma=1.0, n0=10, n=600)
    base = voting((0, 10), (1, 100), (0, 500))
    found = certify_anytime(base, torch.tensor([0.5]).double(), 0, 0, sampling, every=50)
    assert (found.settled, found.draws, found.predict) == (True, 50, ABSTAIN)


def test_a_false_certificate_is_rarer_than_alpha_in_simulated_votes():
    alpha, target = 0.1, 0.5
    needed = norm.cdf(target)
    votes = np.random.default_rng(0).random((200, 10, 50)) < needed - 1e-9  # just too few
    counts = votes.sum(axis=2).cumsum(axis=1)
    false = [
        any(lasting_bounds(int(k), 50 * (t + 1), alpha)[0] >= needed for t, k in enumerate(path))
        for path in counts
    ]
    assert 0 < np.mean(false) <= alpha


@pytest.mark.parametrize("target", [-0.1, float("inf"), float("nan")])
def test_a_target_that_is_none_is_named(target):
    with pytest.raises(ValueError, match=r"target is .*; accepted: a radius from 0 on\. Change"):
        certified(1.0, target)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1])
def test_bounds_need_a_probability_of_error(alpha):
    with pytest.raises(ValueError, match=r"alpha is .*; accepted: above 0 and below 1"):
        lasting_bounds(5, 10, alpha)
