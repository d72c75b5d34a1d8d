"""Early stops save samples, settle the radii of a grid, and prove no more than they may."""

import numpy as np
import pytest
import torch
from reactivate.smoothing.anytime import BLOCK, Decisions, Plan, certify_anytime
from reactivate.smoothing.bases import Plain
from reactivate.smoothing.bounds import lower_bound
from reactivate.smoothing.certify import certify_image
from reactivate.smoothing.sampling import ABSTAIN, Sampling, read_counts
from scipy.stats import beta, norm
from torch import nn

SAMPLING = Sampling(sigma=1.0, n=5000)
GRID = (0.0, 0.5, 1.0, 1.5, 2.0)


def half_line(distance):
    """A linear classifier whose boundary is at a distance from 0.5."""
    network = nn.Linear(1, 2).double().requires_grad_(False)
    network.weight[:] = torch.tensor([[1.0], [0.0]])
    network.bias[:] = torch.tensor([distance - 0.5, 0.0])
    return Plain(network)


def certified(distance, radii, **changes):
    x = torch.tensor([0.5]).double()
    settings = {"sampling": SAMPLING, "key": ["test"], **changes}
    return certify_anytime(half_line(distance), x, 0, 0, radii=radii, **settings)


def drawn(row):
    return sum(read_counts(row.counts).values())


@pytest.mark.parametrize(
    ("distance", "radius", "proved"), [(1.5, 0.0, True), (1.5, 1.0, True), (1.0, 1.5, False)]
)
def test_a_clear_question_is_settled_with_fewer_samples(distance, radius, proved):
    found = certified(distance, [radius])
    assert drawn(found) < SAMPLING.n / 2
    assert found.predict == (0 if proved else ABSTAIN)
    assert found.radius == (radius if proved else 0.0)
    assert found.correct == proved


def test_a_close_question_takes_all_samples():
    found = certified(1.07, [1.0])
    assert drawn(found) == SAMPLING.n
    assert (found.predict, found.radius) == (0, 1.0)


def test_a_grid_is_certified_up_to_the_last_radius_that_is_true():
    found = certified(1.25, GRID)
    assert (found.predict, found.radius) == (0, 1.0)
    assert drawn(found) < SAMPLING.n


def test_where_nothing_can_be_proved_it_abstains():
    found = certified(0.0, [0.0, 0.5])
    assert (found.predict, found.radius, found.correct) == (ABSTAIN, 0.0, False)


def test_a_radius_that_no_votes_can_certify_costs_nothing():
    without, beyond = certified(1.5, [0.5]), certified(1.5, [0.5, 9.0])
    assert beyond.counts == without.counts


def test_a_radius_that_takes_every_vote_is_not_given_up_while_none_is_missing():
    n, level = SAMPLING.n, Plan(SAMPLING, GRID).levels[-1]
    plan = Plan(SAMPLING, (norm.ppf(lower_bound(n, n, level)) - 1e-6,))
    assert plan.needed[-1].tolist() == [n]
    for draws in (BLOCK, n - BLOCK, n):
        assert plan.hopeless(draws, [draws, draws - BLOCK]).tolist() == [[False], [True]]


def test_samples_are_the_first_of_those_of_the_printed_protocol():
    x = torch.tensor([0.5]).double()
    early = certified(1.5, [1.0])
    some = Sampling(sigma=1.0, n=drawn(early))
    assert some.n < SAMPLING.n
    assert early.counts == certify_image(half_line(1.5), x, 0, 0, some, ["test"]).counts


def test_wrong_images_are_skipped_where_asked():
    x = torch.tensor([0.5]).double()
    asked = {"sampling": SAMPLING, "radii": [0.5], "key": ["test"]}
    found = certify_anytime(half_line(1.5), x, 1, 0, skip_wrong=True, **asked)
    assert (found.predict, found.counts, found.correct) == (0, "", False)
    assert drawn(certify_anytime(half_line(1.5), x, 1, 0, **asked)) > 0


@pytest.mark.parametrize("n", [20, 100, 1000, 10_000, 100_000])
def test_looks_are_whole_blocks_up_to_n_and_levels_add_up_to_alpha(n):
    plan = Plan(Sampling(sigma=1.0, n0=10, n=n), GRID)
    assert plan.looks[-1] == n
    assert all(look % BLOCK == 0 for look in plan.looks[:-1])
    assert list(plan.looks) == sorted(set(plan.looks))
    assert len(plan.levels) == len(plan.looks)
    assert sum(plan.levels) == pytest.approx(plan.sampling.alpha, rel=1e-12)
    assert sum(plan.levels) <= plan.sampling.alpha * (1 + 1e-12)


def test_needed_votes_are_the_first_whose_bound_reaches_the_probability():
    plan = Plan(Sampling(sigma=0.5, n=1000), GRID)
    for look, level, votes in zip(plan.looks, plan.levels, plan.needed.tolist(), strict=True):
        for radius, least in zip(GRID, votes, strict=True):
            probability = norm.cdf(radius / 0.5)
            assert lower_bound(least - 1, look, level) < probability
            if least <= look:
                assert lower_bound(least, look, level) >= probability
            else:
                assert least == look + 1


def test_between_looks_nothing_is_certified():
    plan = Plan(SAMPLING, GRID)
    assert 400 not in plan.looks
    assert not plan.certified(400, 400).any()
    assert plan.certified(plan.looks[-1], SAMPLING.n).any()


def test_an_image_that_has_stopped_hears_nothing_more():
    plan = Plan(SAMPLING, (0.0, 1.0))
    decisions = Decisions(plan, (2,))
    goes_on = decisions.hear(100, [50, 90])
    assert goes_on.tolist() == [True, True]
    goes_on = decisions.hear(200, [60, 170])  # the first one is hopeless now
    assert goes_on.tolist() == [False, True]
    goes_on = decisions.hear(SAMPLING.n, [SAMPLING.n, SAMPLING.n])
    assert goes_on.tolist() == [False, False]
    assert decisions.certified.tolist() == [[False, False], [True, True]]


def test_a_radius_that_was_given_up_is_not_drawn_for_again():
    """Votes that look better later do not make an image go on for it once the rest is decided."""
    plan = Plan(SAMPLING, (0.0, 2.0))
    decisions = Decisions(plan)
    assert decisions.hear(100, 60)  # hopeless for 2.0, not for 0.0
    assert decisions.open.tolist() == [True, False]
    assert not plan.hopeless(4900, 4860).any()
    decisions.hear(4900, 4860)
    assert decisions.open.tolist() == [True, False]


def follow(plan, successes):
    """Decisions of many images, from their votes after every block, and where they stopped."""
    decisions = Decisions(plan, successes.shape[:1])
    drawn = np.full(len(successes), plan.sampling.n)
    drawing = np.ones(len(successes), dtype=bool)
    for block, votes in enumerate(successes.T, start=1):
        goes_on = decisions.hear(BLOCK * block, votes)
        drawn[drawing & ~goes_on] = BLOCK * block
        drawing = goes_on
    return decisions.certified, drawn


def votes_of(random, probability, images, n):
    """Votes after every block, of images whose class has a probability."""
    new = random.binomial(BLOCK, probability, (images, n // BLOCK))
    return new.cumsum(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, len(GRID)))
def test_false_certificates_of_100_000_null_images_are_rarer_than_alpha(number):
    """The worst null image is just short of a radius, and certified to all that are smaller."""
    alpha = 0.02
    plan = Plan(Sampling(sigma=1.0, n=2000, alpha=alpha), GRID)
    random = np.random.default_rng(number)
    false = 0
    for _ in range(10):
        votes = votes_of(random, norm.cdf(GRID[number]) - 1e-9, 10_000, 2000)
        false += follow(plan, votes)[0][:, number:].any(axis=1).sum()
    assert 0 < false / 100_000 <= alpha


def test_false_certificates_are_rarer_than_alpha_even_if_nothing_is_given_up(monkeypatch):
    """The proof does not rest on futility: without it all looks are taken."""
    monkeypatch.setattr("reactivate.smoothing.anytime.HOPE", 1e9)
    alpha, n = 0.05, 1000
    plan = Plan(Sampling(sigma=1.0, n=n, alpha=alpha), (0.5,))
    votes = votes_of(np.random.default_rng(0), norm.cdf(0.5) - 1e-9, 20_000, n)
    certified, drawn = follow(plan, votes)
    assert 0.01 < certified.mean() <= alpha
    assert (drawn[~certified[:, 0]] == n).all()


@pytest.mark.parametrize("radius", [0.25, 0.5, 0.75])
def test_samples_are_saved_and_hardly_any_certificate_is_lost(radius):
    """At sigma 0.25 and n = 10,000; radii of images are as in docs/anytime.md."""
    sampling = Sampling(sigma=0.25)
    random = np.random.default_rng(5)
    probability = norm.cdf(random.normal(0.335, 0.235, 4000) / sampling.sigma)
    votes = votes_of(random, probability[:, None], len(probability), sampling.n)
    certified, drawn = follow(Plan(sampling, (radius,)), votes)
    enough = beta.ppf(sampling.alpha, votes[:, -1], sampling.n - votes[:, -1] + 1)
    whole = (enough >= norm.cdf(radius / sampling.sigma)).mean()
    assert sampling.n / drawn.mean() > 7.6
    assert whole - 0.006 <= certified.mean() <= whole + 0.001


@pytest.mark.parametrize("radii", [[], [-0.1], [0.5, float("inf")], [float("nan")]])
def test_radii_that_are_none_are_named(radii):
    with pytest.raises(ValueError, match=r"radii are .*; accepted: one or more radii from 0 on"):
        certified(1.0, radii)
