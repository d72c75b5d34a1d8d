"""Smoothing against exact tails, closed forms, algorithms written out, and attacks."""

from fractions import Fraction
from functools import partial
from math import comb

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.documents.thesis.chapter6 import section6_4_claims as thesis
from reactivate.documents.thesis.chapter6.vote_shares import in_ball, vote_shares
from reactivate.documents.thesis.small_networks import dense, linear_maps, random_dense
from reactivate.foundation.seeding import generator
from reactivate.models.cifar_resnet import CifarResNet
from reactivate.models.mlp import MLP
from reactivate.models.residual import Block
from reactivate.models.vgg import VGG16
from reactivate.patterns.breakpoints import breakpoints_of, encode
from reactivate.patterns.preactivations import evaluating
from reactivate.smoothing.anytime import BLOCK, Plan
from reactivate.smoothing.bases import Plain, Repressed
from reactivate.smoothing.bounds import certified_radius, largest_radius, lower_bound
from reactivate.smoothing.certify import certify_image
from reactivate.smoothing.sampling import Sampling, count_votes
from scipy.stats import norm
from torch import nn

ETA2 = 0.3


def no_noise():
    raise AssertionError("a base that is not random asked for noise")


# --- bounds -------------------------------------------------------------------------------------


def tail(successes, draws, p):
    """P[Binomial(draws, p) >= successes], summed exactly."""
    p = Fraction(p)
    return sum(comb(draws, k) * p**k * (1 - p) ** (draws - k) for k in range(successes, draws + 1))


@pytest.mark.parametrize(("successes", "draws"), [(1, 5), (9, 10), (10, 10), (60, 100), (99, 100)])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_lower_bound_is_where_the_exact_tail_equals_alpha(successes, draws, alpha):
    bound = lower_bound(successes, draws, alpha)
    assert float(tail(successes, draws, bound)) == pytest.approx(alpha, rel=1e-9)


@pytest.mark.parametrize("successes", [5_001, 7_995, 9_990, 10_000])
def test_lower_bound_of_ten_thousand_draws_to_thirty_digits(successes):
    draws = 10_000
    with mpmath.workdps(30):
        p = mpmath.mpf(lower_bound(successes, draws, 0.001))
        term = total = p**draws
        for k in range(draws, successes, -1):
            term *= mpmath.mpf(k) / (draws - k + 1) * (1 - p) / p
            total += term
    assert float(total) == pytest.approx(0.001, rel=1e-9)


def test_no_success_bounds_nothing():
    assert lower_bound(0, 10, 0.001) == 0.0


@given(st.floats(0.5, 1 - 1e-9), st.floats(1e-3, 10))
def test_a_radius_is_rounded_down_and_by_less_than_its_last_digit(p, sigma):
    with mpmath.workdps(40):
        exact = sigma * mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(p) - 1)
        found = mpmath.mpf(certified_radius(sigma, p))
        assert exact - mpmath.mpf("1.000001e-6") < found <= exact * (1 + mpmath.mpf("1e-14"))


@given(
    st.integers(1, 100_000), st.floats(0, 1), st.floats(1e-4, 0.2), st.sampled_from([0.125, 1.0])
)
def test_no_certificate_is_larger_than_that_of_unanimous_votes(n, share, alpha, sigma):
    bound = lower_bound(round(share * n), n, alpha)
    largest = largest_radius(sigma, n, alpha)
    assert bound < 0.5 or certified_radius(sigma, bound) <= largest
    assert largest <= max(0.0, sigma * norm.ppf(alpha ** (1 / n)) + 1e-12)


# --- votes against closed forms -----------------------------------------------------------------


def test_votes_for_a_linear_classifier_follow_the_closed_form():
    network = nn.Linear(3, 2).double().requires_grad_(False)
    network.weight[:] = torch.tensor([[1.0, -2.0, 0.5], [0.0, 0.0, 0.0]])
    network.bias[:] = torch.tensor([1.0, 0.0])
    x, sampling = torch.tensor([0.2, 0.4, 0.9]).double(), Sampling(sigma=0.5, n=20_000)
    direction = network.weight[0] - network.weight[1]
    margin = (network(x)[0] - network(x)[1]).item() / direction.norm().item()
    p = norm.cdf(abs(margin) / sampling.sigma)
    winner = int(margin < 0)
    counts = count_votes(Plain(network), x, sampling.sigma, sampling.n, ["test"])
    deviation = (p * (1 - p) / sampling.n) ** 0.5
    assert counts[winner] / sampling.n == pytest.approx(p, abs=4 * deviation)
    row = certify_image(Plain(network), x, winner, 0, sampling, ["test"])
    assert row.correct
    assert 0.9 * abs(margin) < row.radius < abs(margin)  # the true distance to the other class


@pytest.mark.parametrize("base", [Plain, partial(Repressed, eta2=ETA2)], ids=["plain", "document"])
def test_exact_shares_on_a_line_agree_with_votes(base):
    network = random_dense((1, 5, 3), generator("test", "line"), bias=1.0)
    x = torch.tensor([0.3]).double()
    counts = count_votes(base(network), x, 1.0, 20_000, ["test"])
    exact = vote_shares(base(network), x.item())
    assert sum(exact) == pytest.approx(1)
    assert [count / 20_000 for count in counts] == pytest.approx(exact, abs=0.015)


# --- SCRFP-2 against its algorithm, written out -------------------------------------------------


def both(part, clean, noisy):
    return part(clean), part(noisy)


def masked(unit, clean, noisy, eta2, own_masks):
    """Lines 5 to 8 of Algorithm 3 for one activation; masks may come from an earlier pass."""
    points = breakpoints_of(unit)
    mask = encode(clean, points) != encode(noisy, points)
    if own_masks is not None:
        own_masks.append(mask)
    return unit(clean), unit(noisy - noisy * mask * eta2)


def scores_of_streams(network, clean, noisy, step):
    """Both streams through a network of the library, layer by layer."""
    for part in network:
        if isinstance(part, Block):
            identity = both(part.shortcut, clean, noisy) if part.shortcut else (clean, noisy)
            for unit in part.branch:
                clean, noisy = scores_of_streams([unit], clean, noisy, step)
            clean, noisy = clean + identity[0], noisy + identity[1]
            clean, noisy = step(part.join.activation, clean, noisy)
        elif getattr(part, "activation", None) is not None:
            clean, noisy = both(part.layer, clean, noisy)
            if part.before is not None:
                clean, noisy = both(part.before, clean, noisy)
            clean, noisy = step(part.activation, clean, noisy)
        else:
            clean, noisy = both(part, clean, noisy)
    return clean, noisy


def algorithm3(network, x, noisy, eta2):
    step = partial(masked, eta2=eta2, own_masks=None)
    return scores_of_streams(network, x.expand_as(noisy), noisy, step)[1]


def two_passes(network, x, noisy, eta2):
    masks = []
    scores_of_streams(
        network, x.expand_as(noisy), noisy, partial(masked, eta2=0.0, own_masks=masks)
    )
    left = iter(masks)

    def scaled(unit, clean, noisy):
        return unit(clean), unit(noisy - noisy * next(left) * eta2)

    return scores_of_streams(network, x.expand_as(noisy), noisy, scaled)[1]


def settled(network):
    """With statistics that are not 0 and 1, and weights that pass on differences of inputs."""
    stream = generator("test", "statistics")
    for part in network.modules():
        if isinstance(part, nn.Conv2d | nn.Linear):
            part.weight.data *= 6**0.5  # from torch's variance to 2 / fan-in
        if isinstance(part, nn.BatchNorm1d | nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.1, generator=stream)
            part.running_var.uniform_(0.5, 2, generator=stream)
            part.bias.data.normal_(0, 0.1, generator=stream)
    return network.double().eval()


def build(name):
    torch.manual_seed(0)
    made = {
        "vgg16": (partial(VGG16, width=0.05), (3, 32, 32)),
        "vgg16_leaky": (partial(VGG16, width=0.05, activation="leaky_relu"), (3, 32, 32)),
        "mlp": (partial(MLP, hidden=(9, 8, 7), features=4, classes=3), (4,)),
        "resnet": (partial(CifarResNet, depth=1, width=0.3, classes=5), (3, 8, 8)),
        "ties": (partial(MLP, hidden=(9, 8), features=4, classes=3), (4,)),
    }
    network, shape = made[name]
    network = settled(network())
    x = torch.rand(shape, generator=generator("test", "x")).double()
    noise = 0.2 * torch.randn(6, *shape, generator=generator("test", "e")).double()
    if name == "ties":  # every pre-activation of x and of the last copy lies on the breakpoint
        for part in network.modules():
            if isinstance(part, nn.Linear):
                part.bias.data.zero_()
        x.zero_()
        noise[-1] = 0
    return network, x, x + noise


NETWORKS = ["vgg16", "vgg16_leaky", "mlp", "resnet", "ties"]
ORACLES = {"document": algorithm3, "authors_code": two_passes}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("variant", ORACLES)
def test_repressed_prediction_is_the_algorithm_written_out(name, variant):
    network, x, noisy = build(name)
    with evaluating(network):
        found = Repressed(network, ETA2, variant).around(x)(noisy, no_noise)
        torch.testing.assert_close(found, ORACLES[variant](network, x, noisy, ETA2))
        assert not torch.allclose(found, network(noisy))


@pytest.mark.parametrize("name", NETWORKS)
def test_the_sound_variant_is_algorithm_3_with_the_noisier_copy_as_the_other_stream(name):
    network, x, noisy = build(name)
    noise = 0.2 * torch.randn(noisy.shape, generator=generator("test", "fresh")).double()
    base = Repressed(network, ETA2, "sound", fresh=0.5)
    with evaluating(network):
        found = base.around(x)(noisy, lambda: noise)
        elsewhere = base.around(torch.zeros_like(x))(noisy, lambda: noise)
        expected = torch.cat(
            [
                algorithm3(network, z + 0.5 * e, z.unsqueeze(0), ETA2)
                for z, e in zip(noisy, noise, strict=True)
            ]
        )
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(found, elsewhere, rtol=0, atol=0)  # a function of the copy alone


# --- certificates that stop early ---------------------------------------------------------------


@pytest.mark.parametrize("p", [0.5, 0.6, 0.9])
def test_looks_are_wrong_with_probability_alpha_at_most(p):
    """All paths of votes are followed, block by block, with their probabilities."""
    alpha, n = 0.05, 300
    plan = Plan(Sampling(sigma=1.0, n0=10, n=n, alpha=alpha), (float(norm.ppf(p + 1e-12)),))
    new = [comb(BLOCK, k) * p**k * (1 - p) ** (BLOCK - k) for k in range(BLOCK + 1)]
    alive, wrong, ended = np.ones(1), 0.0, 0.0
    for draws in range(BLOCK, n + 1, BLOCK):
        alive = np.convolve(alive, new)
        votes = np.arange(len(alive))
        certified = plan.certified(draws, votes)[:, 0]
        hopeless = plan.hopeless(draws, votes)[:, 0] & ~certified
        wrong += alive[certified].sum()
        ended += alive[hopeless].sum()
        alive = np.where(certified | hopeless, 0.0, alive)
    assert 0 < wrong <= alpha
    assert wrong + ended + alive.sum() == pytest.approx(1)


# --- soundness ----------------------------------------------------------------------------------


def label_shares(base, points, fresh):
    """Probability of every class at points, over fresh noise if the base is random."""
    classify = base.around(points[0])
    found = [
        nn.functional.one_hot(scores.argmax(dim=1), scores.shape[1]).double()
        for draw in fresh
        for scores in [classify(points, lambda draw=draw: draw.expand_as(points))]
    ]
    return torch.stack(found).mean(dim=0)


def smoothed(x, points, labels, sigma):
    """Shares of the smoothed classifier, integrated over a grid; a smooth function of x."""
    weights = torch.softmax(-torch.cdist(x, points).square() / (2 * sigma**2), dim=1)
    return weights @ labels


def attacked(x, radius, winner, points, labels, sigma, starts=8, steps=10):
    """Projected gradient ascent on the lead of other classes within the radius."""
    stream = generator("test", "attack")
    moved = torch.randn(starts, len(x), generator=stream).double()
    moved = nn.functional.normalize(moved) * radius * 0.5
    for _ in range(steps):
        moved.requires_grad_(True)
        shares = smoothed(x + moved, points, labels, sigma)
        others = shares.index_fill(1, torch.tensor([winner]), -1.0).amax(dim=1)
        (gradient,) = torch.autograd.grad((others - shares[:, winner]).sum(), moved)
        moved = moved.detach() + radius / 4 * nn.functional.normalize(gradient)
        moved = moved * (radius / moved.norm(dim=1, keepdim=True)).clamp(max=1)
    return bool((smoothed(x + moved, points, labels, sigma).argmax(dim=1) != winner).any())


@pytest.mark.parametrize("variant", ["plain", "sound"])
def test_no_attack_within_a_certified_radius_succeeds(variant):
    sigma = 0.25
    network = random_dense((2, 12, 3), generator("test", 4), bias=0.3)
    base = Plain(network) if variant == "plain" else Repressed(network, 0.6, "sound")
    axis = torch.arange(-0.7, 1.7, 0.04, dtype=torch.float64)
    points = torch.cartesian_prod(axis, axis)
    fresh = (
        sigma * torch.randn(1 if variant == "plain" else 40, 2, generator=generator(0)).double()
    )
    labels = label_shares(base, points, fresh.unsqueeze(1))
    fooled_within = fooled_beyond = certified = 0
    for idx, x in enumerate(torch.cartesian_prod(*[torch.linspace(0.05, 0.95, 4).double()] * 2)):
        row = certify_image(base, x, 0, idx, Sampling(sigma, n=1000), ["test"])
        if row.predict < 0:
            continue
        certified += 1
        attack = partial(
            attacked, x, winner=row.predict, points=points, labels=labels, sigma=sigma
        )
        fooled_within += attack(row.radius)
        fooled_beyond += attack(1.5 * row.radius + 0.05)
    assert certified >= 10
    assert fooled_within == 0
    assert fooled_beyond >= 3  # the attack is no weakling


@pytest.mark.parametrize("variant", ["document", "authors_code"])
def test_an_attack_within_the_printed_radius_succeeds(variant):
    base = Repressed(thesis.ANCHORED, thesis.ETA2, variant)
    x = torch.tensor([thesis.CERTIFIED]).double()
    row = certify_image(base, x, 1, 0, Sampling(thesis.SIGMA), ["test"])
    assert row.correct
    assert row.radius > 0.75
    steps = [0.0001005, *torch.linspace(-row.radius, row.radius, 201).tolist()]
    shares = [vote_shares(base, thesis.CERTIFIED + step) for step in steps]
    assert shares[0][0] > 0.69
    assert sum(share[0] > 0.5 for share in shares) > 5


def test_the_sound_variant_withstands_where_the_printed_one_fails():
    base = Repressed(thesis.ANCHORED, thesis.ETA2, "sound")
    x = torch.tensor([thesis.CERTIFIED]).double()
    row = certify_image(base, x, 1, 0, Sampling(thesis.SIGMA), ["test"])
    points = torch.linspace(-7, 8, 3001, dtype=torch.float64).unsqueeze(1)
    quantiles = torch.special.ndtri((torch.arange(200, dtype=torch.float64) + 0.5) / 200)
    labels = label_shares(base, points, quantiles.reshape(-1, 1, 1))
    inside = (
        x
        + torch.cat([torch.tensor([0.0001005]), torch.linspace(-1, 1, 201) * row.radius])[:, None]
    )
    assert row.radius > 0
    assert set(smoothed(inside, points, labels, 1.0).argmax(dim=1).tolist()) == {row.predict}


# --- counter-examples, once more: by hand -------------------------------------------------------


def test_the_counter_example_to_theorem_10_in_fractions():
    tenth = Fraction(1, 10)

    def relu(z):
        return max(z, Fraction(0))

    def score(z, kept):  # of class A; B has 0
        t = z - Fraction(1, 2)
        return (
            -20 * kept * relu(-t)
            + 21 * relu(tenth - t)
            + Fraction(5, 2) * relu(t + 10)
            - Fraction(271, 10)
        )

    def winners(kept):
        grid = [Fraction(k, 100) + Fraction(1, 1000) for k in range(-900, 900)]
        return {z: "A" if score(z, kept) > 0 else "B" for z in grid}

    ahead = Fraction(134, 100)
    assert score(ahead, 1) == 0
    assert all((w == "A") == (z > ahead) for z, w in winners(1).items())
    low = Fraction(1, 2)
    assert all((w == "A") == (z > ahead or z < low) for z, w in winners(1 - tenth).items())
    with mpmath.workdps(30):
        there = mpmath.mpf("0.5000005")
        p = 1 - mpmath.ncdf(mpmath.mpf("1.34") - there) + mpmath.ncdf(mpmath.mpf("0.5") - there)
    base = Repressed(thesis.ANCHORED, thesis.ETA2)
    assert vote_shares(base, thesis.NEARBY)[0] == pytest.approx(float(p), abs=1e-12)
    exact = 1.34 - thesis.CERTIFIED  # the plain smoothed classifier is that of a half-line
    assert certified_radius(1.0, vote_shares(Plain(thesis.ANCHORED), thesis.CERTIFIED)[1]) == (
        pytest.approx(exact, abs=1e-6)
    )


def test_the_lowered_probability_by_hand():
    # A has 1.95 at z = 0.5 and -7 / 6 if its second neuron counts 0.9; B is ahead of z - 0.95
    # with 4 (z - 1.5) from 5.05 / 3 on, and with 0.9 of it from 4.45 / 2.6 on
    x = thesis.LOWERED_AT
    lost = norm.cdf(0.5 - x) - norm.cdf(-7 / 6 - x)
    plain, repressed = norm.cdf(5.05 / 3 - x), norm.cdf(4.45 / 2.6 - x) - lost
    assert thesis.repression(thesis.LOWERED, x) == pytest.approx((plain, repressed))


def test_three_linear_classes_by_hand():
    x = thesis.BETWEEN
    ball = vote_shares(Plain(thesis.THREE), x, in_ball)
    assert ball == pytest.approx([0.26, 0.495, 0.245])
    shares = vote_shares(Plain(thesis.THREE), x)
    assert shares == pytest.approx(
        [norm.cdf(0.01) - norm.cdf(-0.51), 1 - norm.cdf(0.01), norm.cdf(-0.51)]
    )
    first, _ = linear_maps(thesis.THREE)
    assert torch.equal(first(torch.tensor([[9.0], [11.0]]).double()) > 0, torch.eye(2)[[0, 0]] > 0)


def test_two_classes_without_float_paths_keep_their_winner():
    stream = generator("test", "two classes")
    for _ in range(20):
        slope, offset = torch.randn(2, generator=stream).tolist()
        network = dense(
            ([[1.0], [-1.0]], [0.0, 0.0]), ([[slope, -slope], [0.0, 0.0]], [offset, 0.0])
        )
        x = 0.3
        winner = 0 if slope * x + offset > 0 else 1
        assert vote_shares(Plain(network), x, in_ball)[winner] > 0.5
