"""Pictures of scenes show the truth and what every network finds, also where that is nothing."""

import zlib

import numpy as np
import pandas as pd
import pytest
import torch
from reactivate.documents.iieu import shown_scenes, shown_scenes_picture
from reactivate.documents.iieu.shown_scenes import BOX, CLASSES, COLUMNS, LOOKED, PICTURE, TRUTH
from torch import nn


class Found(nn.Module):
    """A detector that finds one box in every picture, with a score of its own."""

    def __init__(self, score):
        super().__init__()
        self.score = score

    def forward(self, x):
        box = {"boxes": torch.tensor([[1.0, 2, 5, 4]]), "labels": torch.tensor([1])}
        return [{**box, "scores": torch.tensor([self.score])} for _ in x]


class Inputs:
    """Two test pictures, all red, with an object each."""

    def __init__(self):
        self.truth = {"categories": [{"id": 7, "name": "cat"}, {"id": 3, "name": "hat"}]}

    def count(self, part):
        return 2

    def measured(self, part, views, numbers):
        for number in numbers.tolist():
            picture = torch.zeros(3, 4, 6)
            picture[0] = 1.0
            target = {"boxes": torch.tensor([[0.0, 0, 2, 3]]), "labels": torch.tensor([0])}
            yield [picture], [{**target, "image_id": number}], 1


@pytest.fixture
def networks(monkeypatch):
    class Run:
        cell = settings = seed = device = workers = None

        def __init__(self, name):
            self.place = (name, "bn", "document")

    scores = {"relu": 0.9, "iieu_b": 0.1}
    monkeypatch.setattr(shown_scenes, "detection_inputs", lambda *_: Inputs())
    monkeypatch.setattr(shown_scenes, "trained", lambda run: Found(scores[run.place[0]]))
    return [Run(name) for name in scores]


def test_boxes_below_the_least_score_are_left_out_but_not_their_network(networks):
    found = shown_scenes.objects(networks, scenes=2, least=0.5)
    assert list(found.columns) == list(COLUMNS)
    boxes = found[found["holds"] == BOX]
    assert boxes["network"].tolist() == [TRUTH, "relu", TRUTH, "relu"]
    assert boxes["name"].tolist() == ["hat", "cat", "hat", "cat"]
    assert boxes[["x1", "y1", "x2", "y2"]].iloc[1].tolist() == [1.0, 2.0, 5.0, 4.0]
    assert (found["holds"] == LOOKED).sum() == 4
    lines = found[found["holds"] == PICTURE]
    assert len(lines) == 2 * 4
    (digits,) = set(lines["digits"])
    assert zlib.decompress(bytes.fromhex(digits)).hex() == "ff0000" * 6
    figure = shown_scenes_picture.objects(found)
    assert len(figure.axes) == 2 * 3
    assert [axis.get_title() for axis in figure.axes[:3]] == [TRUTH, "ReLU", "IIEU-B"]
    assert [len(axis.patches) for axis in figure.axes[:3]] == [1, 1, 0]
    assert [len(axis.patches) for axis in figure.axes[3:]] == [1, 1, 0]


def packed(digits):
    return zlib.compress(bytes.fromhex(digits)).hex()


def test_classes_are_drawn_over_the_picture():
    place = {"scene": 0, "network": TRUTH}
    rows = [
        {**place, "holds": PICTURE, "line": 0, "digits": packed("000000ffffff")},
        {**place, "holds": CLASSES, "line": 0, "digits": packed("0001"), "name": "road, grass"},
        {**place, "network": "relu", "holds": CLASSES, "line": 0, "digits": packed("0101")},
    ]
    figure = shown_scenes_picture.materials(pd.DataFrame(rows, columns=list(COLUMNS)))
    assert [axis.get_title() for axis in figure.axes] == [TRUTH, "ReLU"]
    over = [np.asarray(axis.images[1].get_array()) for axis in figure.axes]
    assert not np.array_equal(over[0][0, 0], over[0][0, 1])
    assert np.array_equal(over[1][0, 0], over[1][0, 1])
    assert np.array_equal(over[0][0, 1], over[1][0, 0])
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["road", "grass"]
