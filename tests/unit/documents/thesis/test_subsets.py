"""Sets of images with one label and with all: their similarity, drawn and judged."""

import pandas as pd
import pytest
import torch
from reactivate.documents.thesis.chapter5 import figure5_3 as subsets
from reactivate.documents.thesis.chapter5 import figure5_3_claims as subset_statements
from reactivate.documents.thesis.chapter5 import figure5_3_picture as subset_pictures
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.networks import NetworkRun
from reactivate.experiment.cell import Cell
from reactivate.stages.plot import save_png
from torch import nn


def network(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(3, 7), nn.Sigmoid(), nn.Linear(7, 4), nn.Sigmoid())


@torch.no_grad()
def test_a_curve_equals_the_loop_over_pairs():
    net = network(0)
    x = torch.randn(9, 3, generator=torch.Generator().manual_seed(2)) * 2
    patterns = []
    for point in x:
        z = torch.cat([net[0](point), net[:3](point)])
        patterns.append([(value > -0.25) + (value > 0.25) for value in z.tolist()])
    similar = [
        sum(p == q for p, q in zip(patterns[a], patterns[b], strict=True)) / 11
        for a in range(9)
        for b in range(a)
    ]
    found = subsets.curve(net, x, (-0.25, 0.25))
    for row in found.to_dict("records"):
        larger = sum(value > row["threshold"] for value in similar)
        assert row["share"] == pytest.approx(larger / 36, abs=1e-6)


@pytest.fixture
def looked_at(monkeypatch, tmp_path):
    x = torch.randn(30, 3, generator=torch.Generator().manual_seed(2))
    labels = torch.arange(30) % 5
    monkeypatch.setattr(subsets, "images", lambda run, part: (x, labels))
    monkeypatch.setattr(subsets, "trained", lambda run: network(0))
    monkeypatch.setattr(subsets, "untrained", lambda run: network(1))
    return [
        NetworkRun("smoke", "thesis", ("a", name, "b"), Cell("d", "m", name, "bn", "r"), tmp_path)
        for name in ("sigmoid", "relu")
    ]


def test_sets_are_as_large_as_asked_or_as_there_are_images(looked_at):
    found = subsets.subsets(looked_at, count=10, label=1)
    assert found.groupby("set")["images"].unique().explode().to_dict() == {
        "combined": 10,
        "single": 6,
    }
    assert len(found) == 101 * 3 * 2 * 2
    assert not found.isna().any(axis=None)
    assert subsets.subsets(looked_at, count=10, label=1).equals(found)
    single = found[(found["set"] == "single") & (found["state"] == "trained")]
    x, labels = subsets.images(looked_at[0], "test")
    chosen = single[single["separation"] == "-0.5 0.5"]
    expected = subsets.curve(network(0), x[labels == 1], (-0.5, 0.5))
    assert chosen["share"].tolist() == expected["share"].tolist()


def curves(**declines):
    """Curves that fall from 1 to 0 within 0.1; ``state_activation_set`` says where they begin."""
    parts = []
    for activation, separation in (
        ("sigmoid", "-0.25 0.25"),
        ("sigmoid", "-0.5 0.5"),
        ("relu", "0.0"),
    ):
        for state in ("trained", "untrained"):
            for name in ("single", "combined"):
                start = declines.get(f"{state}_{activation}_{name}", PRINTED[state, activation])
                t = pd.Series(subsets.THRESHOLDS)
                line = {
                    "activation": activation,
                    "separation": separation,
                    "state": state,
                    "set": name,
                    "threshold": t,
                    "share": ((start + 0.1 - t) / 0.1).clip(0, 1),
                }
                parts.append(pd.DataFrame(line))
    return pd.concat(parts, ignore_index=True)


PRINTED = {
    ("trained", "sigmoid"): 0.8,
    ("trained", "relu"): 0.4,
    ("untrained", "sigmoid"): 0.9,
    ("untrained", "relu"): 0.9,
}
CASES = [
    ("small_gap_of_sigmoid", {"trained_sigmoid_single": 0.85, "trained_relu_single": 0.7}, True),
    ("small_gap_of_sigmoid", {"trained_sigmoid_single": 0.95, "trained_relu_single": 0.7}, False),
    ("small_gap_of_sigmoid", {"trained_sigmoid_single": 0.85}, False),
    ("untrained_until_90", {}, True),
    ("untrained_until_90", {"untrained_relu_combined": 0.7}, False),
    ("sigmoid_until_80", {}, True),
    ("sigmoid_until_80", {"trained_sigmoid_combined": 0.3}, False),
    ("relu_single_until_70", {"trained_relu_single": 0.7}, True),
    ("relu_single_until_70", {"trained_relu_single": 0.55}, False),
    ("training_lowers_combined", {}, True),
    ("training_lowers_combined", {"trained_relu_combined": 0.85}, False),
]


@pytest.mark.parametrize(("name", "declines", "holds"), CASES)
def test_judges_of_sets_tell_what_holds(name, declines, holds):
    judgement = getattr(subset_statements, name)(curves(**declines))
    assert judgement.verdict == (Verdict.ORDER_HOLDS if holds else Verdict.ORDER_FAILS)
    assert any(character.isdigit() for character in judgement.reason)


def test_mean_similarity_is_the_area_below_the_curve():
    similarities = torch.tensor([0.2, 0.4, 0.9])
    shares = [float((similarities > t).double().mean()) for t in subsets.THRESHOLDS]
    line = pd.DataFrame({"threshold": subsets.THRESHOLDS, "share": shares})
    assert subset_statements.mean_similarity(line) == pytest.approx(0.5, abs=0.01)


def test_a_panel_is_drawn_for_every_separation(tmp_path):
    figure = subset_pictures.subsets(curves())
    assert [len(axis.get_lines()) for axis in figure.axes] == [4, 4, 4]
    save_png(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size < 200_000
