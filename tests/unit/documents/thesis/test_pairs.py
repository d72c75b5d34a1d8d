"""Pairs of images: what is measured of them, what is drawn and what is said."""

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
import torch
from reactivate.documents.shared.style import save_png
from reactivate.documents.thesis.chapter5 import figure5_2 as pairs
from reactivate.documents.thesis.chapter5 import figure5_2_claims as pair_statements
from reactivate.documents.thesis.chapter5 import figure5_2_picture as pair_pictures
from reactivate.evidence.networks import NetworkRun
from reactivate.experiment.cell import Cell
from torch import nn

FOUR = ["sigmoid", "tanh", "relu", "gelu"]


def network(activation):
    torch.manual_seed(3)
    layers = [nn.Linear(3, 6), activation(), nn.Linear(6, 5), activation(), nn.Linear(5, 2)]
    return nn.Sequential(*layers).double()


def codes(net, x, breakpoints):
    """Patterns of points, neuron after neuron."""
    found = []
    for layer in (0, 2):
        z = net[: layer + 1](x)
        found.append(torch.stack([(z > point).int() for point in breakpoints]).sum(dim=0))
    return torch.cat(found, dim=1)


def changes(net, x, y, points, breakpoints):
    """Steps in which the pattern changes, and changes of neurons, from point to point."""
    line = torch.stack([x + k / (points - 1) * (y - x) for k in range(points)])
    moved = [int((a != b).sum()) for a, b in pairwise(codes(net, line, breakpoints))]
    return sum(count > 0 for count in moved), sum(moved)


@pytest.fixture
def x():
    return torch.randn(5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1)) * 3


@pytest.mark.parametrize(
    ("activation", "breakpoints"), [(nn.ReLU, (0.0,)), (nn.Tanh, (-0.5, 0.5))]
)
@torch.no_grad()
def test_pairs_equal_the_written_out_loop(activation, breakpoints, x):
    net, labels = network(activation), torch.tensor([0, 1, 0, 1, 2])
    found = pairs.of_network(net, x, labels, interior=7)
    rows = found.to_dict("records")
    assert [(row["first"], row["second"]) for row in rows] == list(combinations(range(5), 2))
    for row, (a, b) in zip(rows, combinations(range(5), 2), strict=True):
        assert row["same_label"] == (labels[a] == labels[b]).item()
        assert row["distance"] == pytest.approx((net(x[a]) - net(x[b])).norm().item(), abs=1e-6)
        one, other = codes(net, x[[a]], breakpoints), codes(net, x[[b]], breakpoints)
        assert row["similarity"] == pytest.approx((one == other).double().mean().item(), abs=1e-6)
        sampled = changes(net, x[a], x[b], 9, breakpoints)
        assert (row["transitions_printed"], row["flips_sampled"]) == sampled


@pytest.mark.slow
@torch.no_grad()
def test_exact_counts_equal_a_fine_scan_and_exist_for_pieces_only(x):
    net, labels = network(nn.ReLU), torch.zeros(5)
    for row in pairs.of_network(net, x, labels, interior=1).to_dict("records"):
        scan = changes(net, x[row["first"]], x[row["second"]], 20_001, (0.0,))
        assert (row["transitions_exact"], row["flips_exact"]) == scan
    smooth = pairs.of_network(network(nn.GELU), x, labels, interior=1)
    assert smooth[["transitions_exact", "flips_exact"]].isna().all(axis=None)


def test_every_network_has_its_pairs(monkeypatch, x, tmp_path):
    asked = []
    monkeypatch.setattr(pairs, "trained", lambda run: network(nn.ReLU))
    monkeypatch.setattr(
        pairs, "images", lambda run, *what: asked.append(what) or (x, torch.arange(5))
    )
    runs = [
        NetworkRun(
            "smoke", "thesis", ("a", name, "b"), Cell("d", "m", name, "bn", "r"), tmp_path, k
        )
        for name in ("relu", "gelu")
        for k in (0, 1)
    ]
    found = pairs.pairs(runs, count=5, interior=3)
    assert asked == [("test", 5)] * 4
    assert found["activation"].tolist() == ["relu"] * 20 + ["gelu"] * 20
    assert found["seed"].tolist() == ([0] * 10 + [1] * 10) * 2


def drawn(names=FOUR, **changed):
    """Made-up pairs: far pairs with two labels, near ones with one label if ``apart`` says so."""
    parts = []
    for name in names:
        t = np.linspace(0, 1, 40)
        columns = {
            "activation": name,
            "first": 0,
            "second": range(40),
            "same_label": t < 0.5,
            "distance": 10 * t,
            "similarity": 0.9 - 0.5 * t,
            "transitions_printed": (100 + 390 * t).round().astype(int),
            "flips_sampled": (100 + 900 * t).astype(int),
            "transitions_exact": (100 + 1000 * t).astype(int) if name == "relu" else np.nan,
            "flips_exact": (100 + 1000 * t).astype(int) if name == "relu" else np.nan,
        }
        change = changed.get(name, {})
        parts.append(pd.DataFrame({**columns, **{k: f(t) for k, f in change.items()}}))
    return pd.concat(parts, ignore_index=True)


MIXED = {"same_label": lambda t: np.arange(len(t)) % 2 == 0}
HIGH = {"similarity": lambda t: 0.98 - 0.02 * t}
FLIPPED = {"distance": lambda t: 10 - 10 * t}


@pytest.mark.parametrize(
    ("name", "changed", "rho"),
    [
        ("transitions_grow_with_distance", FLIPPED, -1),
        ("transitions_grow_with_distance", {"distance": lambda t: 0 * t}, 0),
        ("similarity_falls_with_transitions", {"similarity": lambda t: t}, -1),
        ("similarity_falls_with_distance", FLIPPED, -1),
    ],
)
def test_relations_of_pairs_are_rank_correlations(name, changed, rho):
    found = getattr(pair_statements, name)(drawn(gelu=changed))
    assert {key: effect.stated for key, effect in found.items()} == {
        **dict.fromkeys(FOUR, pytest.approx((1,))),
        "gelu": pytest.approx((rho,)),
    }


def test_every_seed_is_a_replicate():
    pairs = pd.concat([drawn().assign(seed=0), drawn(relu=FLIPPED).assign(seed=1)])
    found = pair_statements.similarity_falls_with_distance(pairs)
    assert found["relu"].stated == pytest.approx((1, -1))
    assert found["relu"].grain == pytest.approx(12 / (40**3 - 40))


@pytest.mark.parametrize(
    ("changed", "sign"),
    [
        ({"sigmoid": MIXED, "tanh": MIXED}, 1),
        ({"sigmoid": MIXED}, 0),
        ({"relu": MIXED}, -1),
        ({"relu": {"same_label": lambda t: t < 2}}, -1),
    ],
)
def test_labels_are_apart_where_the_worse_is_better_than_the_better(changed, sign):
    (found,) = pair_statements.labels_apart(drawn(**changed)).stated
    assert np.sign(found) == sign


def test_saturated_networks_are_compared_with_both_others():
    readings = pair_statements.saturated_more_similar(drawn(sigmoid=HIGH)).found
    found = {name: effect.mean for name, effect in readings["breakpoints -0.5, 0.5"].items()}
    assert len(found) == 8
    assert found["sigmoid is higher than relu"] == pytest.approx(0.97 - 0.65)
    assert found["sigmoid has a smaller range than gelu"] == pytest.approx(0.48)
    assert found["tanh is higher than gelu"] == pytest.approx(0)
    assert str(readings["breakpoints -0.5, 0, 0.5"].verdict) == "not_run(compute)"


@pytest.mark.parametrize(("most", "share"), [(1000, "0.49"), (400, "0.98")])
def test_the_share_of_transitions_that_points_see_is_told(most, share):
    exact = {"transitions_exact": lambda t: (101 + most * t).astype(int)}
    assert f"median share {share}" in pair_statements.estimate_is_enough(drawn(relu=exact))


def test_separation_counts_pairs_that_a_plane_orders_rightly():
    part = drawn(["relu"], relu=MIXED)
    score = part["distance"].to_numpy()  # all three axes are affine in it
    same = part["same_label"].to_numpy()
    right = [(a > b) + (a == b) / 2 for a in score[same] for b in score[~same]]
    share = np.mean(right)
    assert pair_statements.separation(part) == pytest.approx(max(share, 1 - share))
    assert pair_statements.separation(drawn(["relu"])) == 1


@pytest.mark.parametrize("names", [FOUR, ["relu", "gelu"], ["tanh"]])
def test_a_space_is_drawn_for_every_activation(names, tmp_path):
    figure = pair_pictures.pairs(drawn(names))
    assert len(figure.axes) == len(names) + 2 * ("relu" in names)
    save_png(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size < 200_000
