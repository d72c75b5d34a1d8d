"""Figures 6.7 to 6.13 from made-up measurements."""

from pathlib import Path

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter6 import figure6_7_picture as refactored_pictures
from reactivate.documents.thesis.chapter6 import figures6_8_to_6_13_picture as certified_pictures
from reactivate.documents.thesis.chapter6.figure6_7_claims import (
    large_factors_impair,
    small_factors_help,
)
from reactivate.documents.thesis.chapter6.figure6_8_claims import (
    comparable_at_zero,
    repression_gains,
    training_gains,
)
from reactivate.documents.thesis.chapter6.figures6_8_to_6_13 import curves
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.networks import NetworkRun
from reactivate.experiment.cell import Cell

CELL = Cell("cifar10", "vgg16_robust", "relu", "bn", "smooth_0125")
METHODS = {
    "smooth_0125": 0.0,
    "scrfp2_001_000_0125": 4.0,
    "scrfp2_002_000_0125": 3.0,
    "scrfp2_000_010_0125": 5.0,
    "scrfp2_001_010_0125": 9.0,
    "scrfp2_002_010_0125": 8.0,
}


def certified(folder, radii):
    folder.mkdir(parents=True)
    rows = pd.DataFrame({"correct": [radius > 0 for radius in radii], "radius": radii})
    rows.to_csv(folder / "images.csv", index=False)
    return folder


def test_a_curve_falls_by_every_image_that_is_not_certified_any_more(tmp_path):
    folder = certified(tmp_path / "a", [0.0, 0.1, 0.2, 0.4])
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


def test_the_printed_gains_hold_where_they_are_and_fail_where_they_are_not():
    there, none = made_up(METHODS), made_up(dict.fromkeys(METHODS, 0.0))
    for judge in (training_gains, repression_gains):
        assert judge(there).verdict == Verdict.ORDER_HOLDS
        assert judge(none).verdict == Verdict.ORDER_FAILS
    assert comparable_at_zero(there).verdict == Verdict.ORDER_HOLDS
    there.loc[(there["radius"] == 0) & (there["method"] == "scrfp2_001_010_0125"), "accuracy"] = 9
    assert comparable_at_zero(there).verdict == Verdict.ORDER_FAILS


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


@pytest.mark.parametrize(("of_large", "verdict"), [(30.0, "HOLDS"), (50.0, "FAILS")])
def test_large_factors_impair_where_they_do(of_large, verdict):
    assert small_factors_help(accuracies(of_large)).verdict == Verdict.ORDER_HOLDS
    expected = Verdict[f"ORDER_{verdict}"]
    assert large_factors_impair(accuracies(of_large)).verdict == expected


def test_pictures_have_a_panel_for_each_part(tmp_path):
    figure = certified_pictures.curves(made_up(METHODS))
    assert len(figure.axes) == 2
    assert len(figure.axes[0].lines) == len(METHODS)
    figure.savefig(tmp_path / "curves.png", dpi=80)
    other = refactored_pictures.refactored(accuracies(30.0))
    assert len(other.axes) == 6
    other.savefig(tmp_path / "refactored.png", dpi=80)
    assert all(Path(tmp_path / f"{n}.png").stat().st_size for n in ("curves", "refactored"))
