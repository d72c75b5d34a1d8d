"""Pieces of an analysis that was killed are not computed again, and read back the same."""

import json
import math
from pathlib import Path

import pandas as pd
import pytest
from reactivate.evidence.networks import NetworkRun
from reactivate.evidence.pieces import Pieces, forget_pieces
from reactivate.experiment.cell import Cell

VALUES = [{"x": 0.1 + 0.2, "y": 1e-300}, {"x": 1 / 3, "y": math.inf}, {"x": math.pi, "y": -0.0}]


def analyse(pieces, stop=None):
    """The values in pieces, and the numbers of those that were computed."""
    computed = []

    def compute(number):
        if number == stop:
            raise KeyboardInterrupt
        computed.append(number)
        return VALUES[number]

    found = [pieces.get(str(number), lambda n=number: compute(n)) for number in range(3)]
    return pd.DataFrame(found).to_csv(), computed


@pytest.mark.parametrize("stop", [0, 1, 2])
def test_an_analysis_that_was_killed_goes_on_and_ends_with_the_same_bytes(tmp_path, stop):
    path = tmp_path / "folder" / "pieces.jsonl"
    whole, _ = analyse(Pieces())
    with pytest.raises(KeyboardInterrupt):
        analyse(Pieces(path, "identity"), stop)
    again, computed = analyse(Pieces(path, "identity"))
    assert again == whole
    assert computed == list(range(stop, 3))


def test_pieces_of_another_analysis_are_not_used(tmp_path):
    path = tmp_path / "pieces.jsonl"
    analyse(Pieces(path, "settings 1"))
    assert analyse(Pieces(path, "settings 2"))[1] == [0, 1, 2]
    assert analyse(Pieces(path, "settings 2"))[1] == []


def test_a_line_that_was_not_finished_is_computed_again(tmp_path):
    path = tmp_path / "pieces.jsonl"
    whole, _ = analyse(Pieces(path, "identity"))
    path.write_bytes(path.read_bytes()[:-5])
    assert analyse(Pieces(path, "identity")) == (whole, [2])
    assert [json.loads(line) for line in path.read_text().splitlines()[1:]] == [
        {str(number): value} for number, value in enumerate(VALUES)
    ]


def test_networks_do_not_share_pieces(tmp_path):
    pieces = Pieces(tmp_path / "pieces.jsonl", "identity")
    cell = Cell("cifar10", "vgg16_robust", "relu", "bn", "defend_noise_250")
    runs = [
        NetworkRun("smoke", "thesis", ("vgg16", column, "document"), cell, tmp_path, pieces=pieces)
        for column in ("std", "noise")
    ]
    found = [run.piece("0", lambda n=n: VALUES[n]) for n, run in enumerate(runs)]
    assert found == VALUES[:2]


@pytest.mark.parametrize("place", [None, "elsewhere"])
def test_pieces_are_where_checkpoints_are_kept_until_the_job_is_done(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    if place:
        monkeypatch.setenv("REACTIVATE_CHECKPOINTS", place)
    out = Path("results/smoke/thesis/certify/cell")
    analyse(Pieces.of(out, "identity"))
    folder = Path(place, out) if place else out / "checkpoints"
    assert (folder / "pieces.jsonl").exists()
    forget_pieces(out)
    assert not folder.exists()
