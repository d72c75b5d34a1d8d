"""Figures 4.2, 4.5, 5.1 and 5.7 show what they say, and keep the numbers they draw."""

import math

import numpy as np
import pytest
import torch
from reactivate.documents.thesis.chapter4.figure4_2 import figure4_2
from reactivate.documents.thesis.chapter4.figure4_5 import figure4_5, float_in_ball
from reactivate.documents.thesis.chapter5.figure5_1 import figure5_1
from reactivate.documents.thesis.chapter5.figure5_7 import figure5_7
from reactivate.documents.thesis.examples import EIGHT_NEURONS
from reactivate.documents.thesis.small_networks import hidden


def test_patterns_of_figure4_2_change_at_the_breakpoints():
    numbers, figure = figure4_2()
    sigmoid = numbers[numbers["activation"] == "sigmoid"].set_index("x")["pattern"]
    assert [sigmoid[x] for x in (-6.0, -3.0, 0.0, 3.0, 6.0)] == [0, -1, 1, -1, 2]
    relu = numbers[numbers["activation"] == "relu"].set_index("x")["pattern"]
    assert [relu[x] for x in (-1.0, 0.0, 1.0)] == [0, -1, 1]
    texts = [[t.get_text() for t in axis.texts] for axis in figure.axes]
    assert texts == [["pattern 0", "pattern 1", "pattern 2"], ["pattern 0", "pattern 1"]]


def test_only_neuron_1_4_is_float_in_the_ball():
    assert float_in_ball() == [False, False, False, True]
    numbers, _ = figure4_5()
    neurons = numbers[numbers["part"] == "neuron"].set_index("name")["status"]
    assert neurons[neurons == "float"].index.tolist() == ["(1,4)"]
    assert len(neurons) == 2 + 4 + 4


def test_the_ball_meets_two_regions_that_differ_in_neuron_1_4():
    numbers, _ = figure4_5()
    regions = numbers[numbers["part"] == "region"].groupby("name")["status"].first()
    assert len(regions) == 11
    assert regions[regions == "meets the ball"].index.tolist() == ["0100", "0101"]


def test_float_paths_are_those_through_neuron_1_4():
    numbers, _ = figure4_5()
    lines = numbers[numbers["part"] == "connection"].groupby("name")["status"].first()
    assert len(lines) == 2 * 4 + 4 * 4
    assert [("(1,4)" in name) for name in lines.index] == list(lines == "float")


def test_figure5_1_has_one_transition_and_says_so():
    numbers, figure = figure5_1()
    assert numbers[numbers["part"] == "transition"]["name"].tolist() == ["(1,4)"]
    assert numbers[numbers["part"] == "input"]["status"].tolist() == ["0100 0100", "0101 0100"]
    assert figure.axes[0].get_title() == "pattern similarity 0.875, transition density 1"


def test_bent_sides_of_figure5_1_are_where_their_neuron_is_zero():
    numbers, _ = figure5_1()
    sides = numbers[numbers["part"] == "side"]
    assert set(sides["name"]) == {f"(2,{j})" for j in range(1, 5)}
    values = hidden(EIGHT_NEURONS, torch.tensor(sides[["x", "y"]].to_numpy()))
    own = [int(name[3]) + 3 for name in sides["name"]]
    assert values[torch.arange(len(own)), own].abs().max() < 1e-9


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_lines_of_figure5_7_have_their_top_at_one_of_k(k):
    numbers, figure = figure5_7()
    own = numbers[numbers["patterns"] == k]
    assert own["most"].max() <= math.log(k) + 1e-9
    top = own.loc[own["most"].idxmax()]
    assert top["probability"] == pytest.approx(1 / k, abs=0.005)
    assert f"k = {k}: {math.log(k):.3f} at 1/{k}" in [
        text.get_text() for text in figure.axes[0].get_legend().get_texts()
    ]


def test_ranges_of_figure5_7_hold_every_distribution():
    numbers, _ = figure5_7()
    stream = np.random.default_rng(0)
    for k in (3, 4, 5):
        p = stream.dirichlet(np.ones(k), 200)
        entropy = -(p * np.log(p)).sum(axis=1)
        own = numbers[numbers["patterns"] == k]
        most = np.interp(p[:, 0], own["probability"], own["most"])
        least = np.interp(
            p[:, 0], *numbers[numbers["patterns"] == 2][["probability", "most"]].T.to_numpy()
        )
        assert (entropy <= most + 1e-3).all()
        assert (entropy >= least - 1e-3).all()
