"""Rows are right, repeatable, and independent of batches; mistakes are named."""

import hashlib
from dataclasses import asdict

import pytest
import torch
from reactivate.documents.thesis.small_networks import random_dense
from reactivate.foundation.seeding import generator
from reactivate.smoothing.anytime import certify_anytime
from reactivate.smoothing.bases import Plain, Repressed
from reactivate.smoothing.bounds import certified_radius, lower_bound
from reactivate.smoothing.certify import certify_image
from reactivate.smoothing.noise import BLOCK, normal_batches
from reactivate.smoothing.predict import predict_image, top_class
from reactivate.smoothing.sampling import (
    ABSTAIN,
    BATCH,
    Sampling,
    count_votes,
    fitting_batch,
    read_counts,
    votes,
)
from torch import nn

NETWORK = random_dense((3, 8, 8, 4), generator("test", "rows"), bias=0.5)
SAMPLING = Sampling(sigma=0.3, n0=30, n=550)
VARIANTS = ["plain", "document", "authors_code", "sound"]


def base_of(variant, network=NETWORK):
    return Plain(network) if variant == "plain" else Repressed(network, 0.2, variant)


def image(idx):
    return torch.rand(3, generator=generator("test", "image", idx)).double()


def row(base, idx, **changes):
    settings = {"label": 0, "sampling": SAMPLING, "key": ["test"], **changes}
    found = asdict(certify_image(base, image(idx), idx=idx, **settings))
    assert found.pop("seconds") >= 0
    return found


def class_of(idx, base=None):
    return row(base or Plain(NETWORK), idx)["predict"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_row_is_the_same_in_any_order_and_batch(variant):
    base = base_of(variant)
    whole = [row(base, idx, batch=1000) for idx in range(3)]
    assert [row(base, idx, batch=64) for idx in (2, 1, 0)] == whole[::-1]
    assert len({found["counts"] for found in whole}) == 3


def test_a_row_follows_from_its_counts():
    found = row(Plain(NETWORK), 0)
    counts = read_counts(found["counts"])
    assert sum(counts.values()) == SAMPLING.n
    chosen = max(counts, key=counts.get)
    bound = lower_bound(counts[chosen], SAMPLING.n, SAMPLING.alpha)
    assert bound > 0.5
    assert found["predict"] == chosen
    assert found["radius"] == certified_radius(SAMPLING.sigma, bound)


@pytest.mark.parametrize(("own", "predict"), [(0, ABSTAIN), (200, ABSTAIN), (400, 2)])
def test_the_class_that_few_samples_chose_is_certified_or_none(voting, own, predict):
    """All of n0 choose class 2; of n most or all choose class 1, and never is 1 certified."""
    base = voting((2, SAMPLING.n0), (2, own), (1, SAMPLING.n - own))
    found = certify_image(base, image(0), 2, 0, SAMPLING)
    assert read_counts(found.counts).get(2, 0) == own
    bound = lower_bound(own, SAMPLING.n, SAMPLING.alpha)
    assert found.predict == predict
    assert found.radius == (certified_radius(SAMPLING.sigma, bound) if predict == 2 else 0.0)


def test_the_key_and_the_number_of_the_image_decide_the_noise():
    x = image(0)
    rows = [
        certify_image(Plain(NETWORK), x, 0, idx, SAMPLING, key).counts
        for key, idx in [(["a"], 0), (["a"], 1), (["b"], 0), (["a"], 0)]
    ]
    assert rows[0] == rows[3]
    assert len(set(rows)) == 3


def test_an_undecided_image_is_abstained_from():
    network = nn.Linear(3, 2).double().requires_grad_(False)
    network.weight[:] = torch.tensor([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    network.bias[:] = torch.tensor([-0.5, 0.5])
    found = certify_image(Plain(network), torch.full((3,), 0.5).double(), 0, 0, SAMPLING)
    assert (found.predict, found.radius, found.correct) == (ABSTAIN, 0.0, False)


def test_a_wrong_image_may_skip_the_long_stage_and_counts_for_nothing_either_way():
    right = class_of(0)
    wrong = (right + 1) % 4
    kept = row(Plain(NETWORK), 0, label=wrong)
    skipped = row(Plain(NETWORK), 0, label=wrong, skip_wrong=True)
    assert skipped["counts"] == ""
    assert (skipped["radius"], skipped["correct"], skipped["predict"]) == (0.0, False, right)
    assert not kept["correct"]
    assert row(Plain(NETWORK), 0, label=right, skip_wrong=True) == row(
        Plain(NETWORK), 0, label=right
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_network_is_left_as_it_was(variant):
    network = nn.Sequential(
        nn.Linear(3, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Linear(5, 2)
    ).double()
    before = {name: value.clone() for name, value in network.state_dict().items()}
    certify_image(base_of(variant, network), image(0), 0, 0, SAMPLING)
    assert network.training
    torch.testing.assert_close(dict(network.state_dict()), before, rtol=0, atol=0)
    hooks = [(m._forward_hooks, m._forward_pre_hooks) for m in network.modules()]
    assert not any(hook for pair in hooks for hook in pair)


def test_noise_is_not_clamped():
    seen = []

    class Watch(nn.Module):
        def forward(self, x):
            seen.append(x)
            return x

    list(votes(Plain(Watch()), torch.zeros(2), 2.0, 1000, ["test"], 300))
    noisy = torch.cat(seen)
    assert len(noisy) == 1000
    assert noisy.min() < -4
    assert noisy.std().item() == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize("batch", [1, 7, BLOCK, 3 * BLOCK + 1])
def test_noise_does_not_depend_on_the_batch_or_on_how_much_is_drawn(batch):
    like = torch.zeros(2, 3)
    (expected,) = normal_batches(like, 4 * BLOCK, ["test"], 4 * BLOCK)
    parts = list(normal_batches(like, 2 * BLOCK + 50, ["test"], batch))
    assert all(len(part) == batch for part in parts[:-1])
    torch.testing.assert_close(torch.cat(parts), expected[: 2 * BLOCK + 50], rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_noise_on_a_cpu_is_that_of_every_published_certificate(dtype):
    """Block by block from streams whose seeds are the first six bytes of sha256 of their names."""
    blocks = []
    for number in range(3):
        digest = hashlib.sha256(f"cifar10/certify/7/{number}".encode()).digest()
        stream = torch.Generator().manual_seed(int.from_bytes(digest[:6], "big"))
        blocks.append(torch.randn(100, 2, 3, generator=stream, dtype=dtype))
    like = torch.zeros(2, 3, dtype=dtype)
    drawn = list(normal_batches(like, 300, ["cifar10", "certify", 7], 120))
    assert [len(part) for part in drawn] == [120, 120, 60]
    assert torch.equal(torch.cat(drawn), torch.cat(blocks))


class Roomy(nn.Module):
    """A network that has room for some samples at a time, and counts its attempts."""

    def __init__(self, room):
        super().__init__()
        self.room, self.seen = room, []

    def forward(self, x):
        self.seen.append(len(x))
        if len(x) > self.room:
            raise torch.OutOfMemoryError
        return x


@pytest.mark.parametrize(("room", "expected"), [(5000, 1000), (999, 500), (260, 250), (110, 100)])
def test_a_batch_is_as_large_as_memory_allows(room, expected):
    network = Roomy(room)
    assert fitting_batch(Plain(network), torch.zeros(2), 1000) == expected
    assert network.seen[-1] == expected
    assert network.training


def test_an_image_too_large_for_the_smallest_batch_is_an_error():
    with pytest.raises(torch.OutOfMemoryError):
        fitting_batch(Plain(Roomy(BATCH - 1)), torch.zeros(2))


def test_fresh_noise_is_other_noise():
    pairs = []

    class Keep:
        network = nn.Identity()

        def around(self, x):
            def classify(noisy, draw):
                pairs.append((noisy, draw()))
                return noisy

            return classify

    count_votes(Keep(), torch.zeros(2), 3.0, 500, ["test"], 200)
    noisy, fresh = (torch.cat(side) for side in zip(*pairs, strict=True))
    assert noisy.shape == fresh.shape == (500, 2)
    assert fresh.std().item() == pytest.approx(3.0, rel=0.1)
    assert abs(torch.corrcoef(torch.stack([noisy.flatten(), fresh.flatten()]))[0, 1]) < 0.1


def test_predictions_agree_with_certificates_or_abstain():
    found = [
        predict_image(Plain(NETWORK), image(idx), idx, SAMPLING, ["test"]) for idx in range(4)
    ]
    for prediction in found:
        certified = row(Plain(NETWORK), prediction.idx)["predict"]
        assert ABSTAIN in (certified, prediction.predict) or certified == prediction.predict
        assert sum(read_counts(prediction.counts).values()) == SAMPLING.n


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([10, 0], ABSTAIN), ([11, 0], 0), ([0, 11, 0], 1), ([60, 40], ABSTAIN), ([50, 50], ABSTAIN)],
)
def test_a_class_is_predicted_where_a_fair_coin_is_less_likely_than_alpha(counts, expected):
    assert 2 * 0.5**11 < 0.001 < 2 * 0.5**10
    assert top_class(counts, alpha=0.001) == expected


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sigma": 0.0}, r"sigma is 0\.0; accepted: above 0.*Change sigma"),
        ({"sigma": -1.0}, r"sigma is -1\.0; accepted: above 0.*Change sigma"),
        ({"sigma": float("nan")}, r"sigma is nan; accepted: above 0.*Change sigma"),
        ({"sigma": float("inf")}, r"sigma is inf; accepted: above 0.*Change sigma"),
        ({"sigma": 1.0, "n0": 0}, r"n0 is 0 with n 10000; accepted: 1 to n.*Change n0 or n"),
        ({"sigma": 1.0, "n0": 9, "n": 8}, r"n0 is 9 with n 8; accepted: 1 to n.*Change n0 or n"),
        ({"sigma": 1.0, "alpha": 0.0}, r"alpha is 0\.0; accepted: above 0 and below 1.*Change"),
        ({"sigma": 1.0, "alpha": 1.0}, r"alpha is 1\.0; accepted: above 0 and below 1.*Change"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        Sampling(**settings)


@pytest.mark.parametrize("ask", [certify_image, certify_anytime, predict_image])
@pytest.mark.parametrize("values", [[0.0, 0.5, 1.01], [-0.01, 0.5, 0.5], [0.1, float("nan"), 1.0]])
def test_an_image_that_was_standardised_is_refused(ask, values):
    label = {} if ask is predict_image else {"label": 0}
    with pytest.raises(ValueError, match=r"image 7 has values from .*; accepted: 0 to 1.*inside"):
        ask(Plain(NETWORK), torch.tensor(values).double(), idx=7, sampling=SAMPLING, **label)


@pytest.mark.parametrize(("successes", "draws"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_named(successes, draws):
    with pytest.raises(ValueError, match=r"cannot be; accepted: 0 to .*Change the call"):
        lower_bound(successes, draws, 0.001)


def test_one_sample_may_choose_the_class():
    assert Sampling(sigma=1.0, n0=1, n=1).n0 == 1


@pytest.mark.parametrize("sigma", [0.0, -1.0, float("inf")])
def test_a_radius_needs_noise(sigma):
    with pytest.raises(ValueError, match=r"sigma is .*; accepted: above 0"):
        certified_radius(sigma, 0.9)


@pytest.mark.parametrize("p", [0.49, 1.0])
def test_a_bound_that_certifies_nothing_is_named(p):
    with pytest.raises(ValueError, match=r"certifies no radius; accepted: at least 0\.5.*Abstain"):
        certified_radius(1.0, p)


def test_an_empty_batch_is_named():
    with pytest.raises(ValueError, match=r"batch is 0; accepted: 1 or more.*Change the call"):
        list(normal_batches(torch.zeros(1), 5, ["test"], 0))
