"""Figures 6.7 to 6.13 from made-up measurements."""

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter6 import figure6_7_picture as refactored_pictures
from reactivate.documents.thesis.chapter6 import figures6_8_to_6_13
from reactivate.documents.thesis.chapter6 import figures6_8_to_6_13_picture as certified_pictures
from reactivate.documents.thesis.chapter6.figure6_7_claims import (
    large_factors_impair,
    small_factors_help,
)
from reactivate.documents.thesis.chapter6.figure6_8_claims import (
    comparable_near_zero,
    repression_gains,
    training_gains,
)
from reactivate.documents.thesis.chapter6.figures6_8_to_6_13 import curves
from reactivate.evidence.networks import NetworkRun
from reactivate.experiment.cell import Cell
from reactivate.experiment.choices import marked, unread
from reactivate.experiment.loading import load_paper
from reactivate.judging.asked import is_among

CELL = Cell("cifar10", "vgg16_robust", "relu", "bn", "smooth_0125")
METHODS = {
    "smooth_0125": 0.0,
    "scrfp2_001_000_0125": 4.0,
    "scrfp2_002_000_0125": 3.0,
    "scrfp2_000_010_0125": 5.0,
    "scrfp2_001_010_0125": 9.0,
    "scrfp2_002_010_0125": 8.0,
}


def certified(monkeypatch, folder, radii, **settings):
    folder.mkdir(parents=True)
    asked = {"stage": "certify", "sigma": 0.1, "n0": 1, "n": 9, "alpha": 0.1, "every": 1}
    record = SimpleNamespace(settings={**asked, "radii": [0.0, 0.2, 0.5], **settings})
    monkeypatch.setattr(figures6_8_to_6_13, "read_record", lambda path: record)
    rows = pd.DataFrame({"correct": [radius > 0 for radius in radii], "radius": radii})
    rows.to_csv(folder / "images.csv", index=False)
    return folder


def test_a_curve_is_taken_at_the_radii_that_were_decided(monkeypatch, tmp_path):
    folder = certified(monkeypatch, tmp_path / "a", [0.0, 0.2, 0.2, 0.5], stopping="anytime")
    run = NetworkRun("laptop", "thesis", ("smooth", "x", "document"), CELL, folder)
    found = curves([run], largest=0.4, points=5)
    assert list(found["radius"]) == [0.0, 0.2]
    assert list(found["accuracy"]) == [75.0, 75.0]


def test_a_curve_falls_by_every_image_that_is_not_certified_any_more(monkeypatch, tmp_path):
    folder = certified(monkeypatch, tmp_path / "a", [0.0, 0.1, 0.2, 0.4], stopping="fixed")
    run = NetworkRun("laptop", "thesis", ("smooth", "x", "document"), CELL, folder)
    found = curves([run], largest=0.4, points=5)
    assert list(found["accuracy"]) == [75.0, 75.0, 50.0, 25.0, 25.0]
    assert set(found["images"]) == {4}


def made_up(gains):
    radii = [0.0, 0.2, 0.3, 0.4]
    return pd.DataFrame(
        [
            {
                "method": method,
                "protocol": protocol,
                "radius": radius,
                "accuracy": 50 - 50 * radius + (gain if radius > 0.25 else 0),
                "images": 300,
            }
            for protocol in ("document", "sound")
            for method, gain in gains.items()
            for radius in radii
        ]
    )


def alone(found):
    """The one number of each case under each reading."""
    return {
        name: {case: effect.mean for case, effect in own.items()}
        if isinstance(own, dict)
        else own.mean
        for name, own in found.found.items()
    }


def test_gains_in_training_are_over_the_benchmark_at_larger_radii():
    found = alone(training_gains(made_up(METHODS)))
    assert found["eta 1 of 0.02 / above radius 0.25"] == pytest.approx(3.0)
    assert found["eta 1 of 0.01 / above radius 0.25"] == pytest.approx(4.0)
    with_02 = made_up(METHODS)
    with_02.loc[with_02["radius"] == 0.2, "radius"] = 0.21
    found = alone(training_gains(with_02))
    assert found["eta 1 of 0.01 / above radius 0.2"] == pytest.approx(8 / 3)


def test_gains_in_prediction_are_over_the_same_networks():
    effect = repression_gains(made_up(METHODS)).found["above radius 0.25"]
    assert effect.mean == pytest.approx(5.0)  # of 5, 9 - 4 and 8 - 3
    assert effect.paired
    assert effect.grain == pytest.approx(100 / 300)
    assert not training_gains(made_up(METHODS)).found["eta 1 of 0.02 / above radius 0.25"].paired


def test_radii_that_nobody_reaches_do_not_count():
    found = made_up(METHODS)
    beyond = found[found["radius"] == 0.4].assign(radius=0.5, accuracy=0.0)
    more = pd.concat([found, beyond], ignore_index=True)
    assert alone(repression_gains(more)) == alone(repression_gains(found))


def test_radii_out_of_reach_cannot_be_compared():
    found = made_up(METHODS)
    found.loc[found["radius"] > 0.1, "accuracy"] = 0.0
    gain = training_gains(found).found["eta 1 of 0.02 / above radius 0.25"]
    far = comparable_near_zero(found).found["within 0.3 points"]["scrfp2_002_000_0125 at 0.25"]
    assert {str(gain.verdict), str(far.verdict)} == {"not_comparable(unreachable)"}


@pytest.mark.parametrize("margin", [0.15, 0.3, 0.6])
def test_methods_are_comparable_at_0_within_a_margin_and_ahead_at_025(margin):
    found = made_up(METHODS)
    last = found["radius"] == 0.2
    found.loc[last, "accuracy"] += found.loc[last, "method"].map(METHODS)
    moved = (found["radius"] == 0) & (found["method"] == "scrfp2_001_010_0125")
    found.loc[moved, "accuracy"] -= 9
    cases = alone(comparable_near_zero(found))[f"within {margin:g} points"]
    assert len(cases) == 10
    assert cases["scrfp2_001_010_0125 at 0"] == pytest.approx(margin - 9)
    assert cases["scrfp2_002_000_0125 at 0"] == pytest.approx(margin)
    assert cases["scrfp2_002_000_0125 at 0.25"] == pytest.approx(3.0)


def test_a_network_that_did_not_learn_leaves_the_comparison():
    found = made_up(METHODS)
    found.loc[found["method"] == "scrfp2_002_000_0125", "accuracy"] = 9.0
    gains = training_gains(found).found
    assert gains["eta 1 of 0.02 / above radius 0.25"].n == 0
    assert gains["eta 1 of 0.01 / above radius 0.25"].n == 1
    assert repression_gains(found).found["above radius 0.25"].n == 0
    cases = comparable_near_zero(found).found["within 0.3 points"]
    assert [name for name, case in cases.items() if case.n == 0] == [
        "scrfp2_002_000_0125 at 0",
        "scrfp2_002_000_0125 at 0.25",
    ]


@pytest.mark.parametrize(
    ("claim", "judge"),
    [("figure6_8_training", training_gains), ("figure6_8_repression", repression_gains)],
)
def test_radii_that_were_added_later_are_among_those_computed(claim, judge):
    choices = load_paper("thesis").claims[claim].choices
    found = judge(made_up(METHODS)).found
    later = [name for name in found if is_among(name, marked(choices, "afterwards"))]
    assert unread(choices, found) == []
    assert len(later) == len(found) / 2
    assert next(iter(found)) not in later


def accuracies(of_large):
    return pd.DataFrame(
        [
            {
                "paths": paths,
                "eta": eta,
                "attack": attack,
                "clean": value,
                "adversarial": value / 2,
                "adversarial_top5": value,
            }
            for paths in ("float", "fixed")
            for attack in ("fgsm", "pgd")
            for eta, value in {0.0: 40.0, 0.05: 45.0, 0.1: 44.0, 0.3: of_large}.items()
        ]
    )


@pytest.mark.parametrize(("of_large", "fall"), [(30.0, 10.0), (50.0, -10.0)])
def test_factors_are_compared_with_none(of_large, fall):
    small = small_factors_help(accuracies(of_large))
    assert {name: effect.mean for name, effect in small.items()} == {
        "clean at eta 0.05": 5.0,
        "fgsm at eta 0.05": 2.5,
        "pgd at eta 0.05": 2.5,
    }
    large = large_factors_impair(accuracies(of_large))
    assert {name: effect.mean for name, effect in large.items()} == {
        "clean at eta 0.3": fall,
        "fgsm at eta 0.3": fall / 2,
        "pgd at eta 0.3": fall / 2,
    }


def test_pictures_have_a_panel_for_each_part(tmp_path):
    figure = certified_pictures.curves(made_up(METHODS))
    assert len(figure.axes) == 2
    lines = [line for line in figure.axes[0].lines if line.get_marker() != "x"]  # printed ones
    assert len(lines) == len(figure.axes[1].lines) == len(METHODS)
    figure.savefig(tmp_path / "curves.png", dpi=80)
    other = refactored_pictures.refactored(accuracies(30.0))
    assert len(other.axes) == 6
    other.savefig(tmp_path / "refactored.png", dpi=80)
    assert all(Path(tmp_path / f"{n}.png").stat().st_size for n in ("curves", "refactored"))
