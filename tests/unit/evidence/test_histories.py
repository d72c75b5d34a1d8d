"""Learning curves are histories with few epochs of every seed, always the same ones."""

import csv
import io
from itertools import pairwise
from pathlib import Path

import pytest
from reactivate.evidence.histories import POINTS, read_curve, thinned, write_curve


def history(lengths, seeds=True):
    head = "seed,epoch,loss,watched\n" if seeds else "epoch,train_loss,test_top1\n"
    lines = [
        f"{f'{seed},' if seeds else ''}{epoch},{1 / epoch},{seed + 1 / epoch}\n"
        for seed, length in enumerate(lengths)
        for epoch in range(1, length + 1)
    ]
    return head + "".join(lines)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("length", [1, 2, 29, 30, 31, 59, 60, 61, 1000, 12345])
def test_few_epochs_are_kept_evenly_the_first_and_the_last_among_them(length):
    epochs = [int(row["epoch"]) for row in rows(thinned(history([length])))]
    assert len(epochs) == min(length, POINTS)
    assert (epochs[0], epochs[-1]) == (1, length)
    gaps = [after - before for before, after in pairwise(epochs)]
    assert max(gaps, default=1) - min(gaps, default=1) <= 1
    assert min(gaps, default=1) >= 1


def test_every_seed_has_its_own_epochs_and_values_have_five_digits():
    kept = rows(thinned(history([3, 90])))
    assert [row["epoch"] for row in kept if row["seed"] == "0"] == ["1", "2", "3"]
    assert len(kept) == 3 + POINTS
    for row in kept:
        exact = 1 / int(row["epoch"])
        assert float(row["loss"]) == pytest.approx(exact, rel=1e-4)
        assert len(row["loss"].lstrip("0.")) <= 5


@pytest.mark.parametrize(("seeds", "points"), [(3, 30), (4, 22), (10, 9), (45, 2), (200, 2)])
def test_many_seeds_have_fewer_epochs_each(seeds, points):
    kept = rows(thinned(history([100] * seeds)))
    for seed in range(seeds):
        epochs = [row["epoch"] for row in kept if row["seed"] == str(seed)]
        assert len(epochs) == points
        assert (epochs[0], epochs[-1]) == ("1", "100")


def test_what_was_thinned_is_thinned_to_itself():
    once = thinned(history([500, 31]))
    assert thinned(once) == once


@pytest.mark.parametrize("text", ["", "epoch,loss\n", "epoch,loss\n123456789,nan\n7,inf\n"])
def test_whole_and_lost_numbers_stay_as_they_are(text):
    assert thinned(text).strip() == text.strip()


def test_a_curve_shows_the_test_before_the_loss(tmp_path):
    (tmp_path / "history.csv").write_text(history([2], seeds=False), encoding="utf-8")
    curve = read_curve(tmp_path)
    assert (curve.told, curve.lines) == ("test accuracy, %", {None: [(1, 1.0), (2, 0.5)]})


def test_a_published_curve_is_the_one_of_its_history(tmp_path):
    (tmp_path / "history.csv").write_text(history([100, 40]), encoding="utf-8")
    write_curve(tmp_path, tmp_path / "published")
    assert [path.name for path in (tmp_path / "published").iterdir()] == ["curve.csv"]
    assert read_curve(tmp_path / "published") == read_curve(tmp_path)
    assert {seed: len(line) for seed, line in read_curve(tmp_path).lines.items()} == {
        "0": POINTS,
        "1": POINTS,
    }
    write_curve(tmp_path / "published", tmp_path / "again")  # as one who has no history
    assert read_curve(tmp_path / "again") == read_curve(tmp_path)


def test_a_run_without_a_history_has_no_curve(tmp_path):
    write_curve(tmp_path, tmp_path / "published")
    assert not (tmp_path / "published").exists()
    assert read_curve(tmp_path) is None


@pytest.mark.parametrize("text", ["epoch\n1\n", "step,loss\n1,2\n", "", "epoch,loss\n"])
def test_a_history_that_measured_nothing_known_has_no_curve(tmp_path, text):
    Path(tmp_path, "history.csv").write_text(text, encoding="utf-8")
    assert read_curve(tmp_path) is None


def test_a_curve_of_words_is_refused(tmp_path):
    (tmp_path / "curve.csv").write_text("epoch,loss\n1,small\n", encoding="utf-8")
    with pytest.raises(ValueError, match="accepted: numbers"):
        read_curve(tmp_path)
