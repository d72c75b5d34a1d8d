"""Sets of images with one label and with all: their similarity, drawn and judged."""

import pandas as pd
import pytest
import torch
from reactivate.documents.shared.style import save_png
from reactivate.documents.thesis.chapter5 import figure5_3 as subsets
from reactivate.documents.thesis.chapter5 import figure5_3_claims as subset_statements
from reactivate.documents.thesis.chapter5 import figure5_3_picture as subset_pictures
from reactivate.evidence.networks import NetworkRun
from reactivate.experiment.cell import Cell
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
SINGLE = "trained_sigmoid_single"


def means(readings):
    """The mean effect of every case under every reading."""
    return {
        reading: {name: effect.mean for name, effect in cases.items()}
        for reading, cases in readings.found.items()
    }


@pytest.mark.parametrize(("start", "room"), [(0.85, 0.05), (0.95, -0.0375)])
def test_the_room_below_the_gap_is_told_for_both_separations(start, room):
    found = means(subset_statements.small_gap_of_sigmoid(curves(**{SINGLE: start})))
    names = ["separation -0.25 0.25", "separation -0.5 0.5"]
    assert found["mean similarity"] == pytest.approx(dict.fromkeys(names, room), abs=0.006)
    largest = 0.1 - min(1.0, (start - 0.8) / 0.1)
    expected = dict.fromkeys(names, largest)
    assert found["largest gap of shares"] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "line", "stated", "lines"),
    [
        ("untrained_until_90", "untrained_relu_combined", 0.9, 6),
        ("sigmoid_until_80", "trained_sigmoid_combined", 0.8, 4),
        ("relu_single_until_70", "trained_relu_single", 0.7, 1),
    ],
)
def test_the_beginning_of_a_decline_is_compared_with_the_stated_one(name, line, stated, lines):
    activation, part = line.split("_")[1:]
    found = means(getattr(subset_statements, name)(curves(**{line: stated - 0.2})))
    assert list(found) == ["99% of pairs", "95% of pairs", "90% of pairs"]
    for cases in found.values():
        assert len(cases) == lines
        for case, value in cases.items():
            changed = case.startswith(activation) and case.endswith(part)
            assert value == pytest.approx(-0.2 if changed else 0, abs=0.0101), case


def test_a_decline_begins_below_the_level_of_its_reading():
    numbers = curves()
    steps = pd.cut(numbers["threshold"], [-1, 0.5, 0.6, 0.7, 1], labels=[1.0, 0.97, 0.92, 0.0])
    found = means(
        subset_statements.relu_single_until_70(numbers.assign(share=steps.astype(float)))
    )
    values = [value for cases in found.values() for value in cases.values()]
    assert values == pytest.approx([-0.2, -0.1, 0.0])


@pytest.mark.parametrize(("after", "fall"), [(0.4, 0.5), (0.85, 0.05), (0.9, 0.0)])
def test_similarity_before_and_after_training_is_of_one_network(after, fall):
    numbers = curves(trained_relu_combined=after)
    several = pd.concat([numbers.assign(seed=seed) for seed in range(3)])
    found = subset_statements.training_lowers_combined(several)
    assert found.paired
    assert found.samples == [pytest.approx([fall] * 3, abs=0.01)]
    assert subset_statements.training_lowers_combined(numbers).n == 1


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
