"""Certified accuracy and average radius, counted by hand."""

import pandas as pd
import pytest
from reactivate.smoothing.curves import average_radius, best_over_sigma, certified_accuracy

ROWS = pd.DataFrame(
    {
        "correct": [True, True, False, False, True],
        "radius": [0.5, 0.25, 0.9, 0.0, 0.0],
        "predict": [1, 2, 3, -1, 0],
    }
)


def test_certified_accuracy_counts_right_images_that_reach_the_radius():
    found = certified_accuracy(ROWS, [0, 0.25, 0.250001, 0.5, 0.51])
    assert found.tolist() == [0.6, 0.4, 0.2, 0.2, 0.0]
    assert found.index.tolist() == [0.0, 0.25, 0.250001, 0.5, 0.51]


def test_average_radius_counts_wrong_images_as_0():
    assert average_radius(ROWS) == pytest.approx(0.75 / 5)


def test_best_over_sigma_is_the_highest_at_every_radius():
    radii = [0.0, 0.25, 1.0]
    low = certified_accuracy(ROWS, radii)
    high = low.where(low.index > 0, 0.1) + 0.05
    best = best_over_sigma({0.25: low, 0.5: high})
    assert best["certified_accuracy"].tolist() == pytest.approx([0.6, 0.45, 0.05])
    assert best["sigma"].tolist() == [0.25, 0.5, 0.5]
