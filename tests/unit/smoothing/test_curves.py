"""Certified accuracy and average radius, counted by hand."""

import pytest
from reactivate.smoothing.curves import average_radius, certified_accuracy

CORRECT = [True, True, False, False, True]
RADIUS = [0.5, 0.25, 0.9, 0.0, 0.0]


def test_certified_accuracy_counts_right_images_that_reach_the_radius():
    shares = certified_accuracy(CORRECT, RADIUS, [0, 0.25, 0.250001, 0.5, 0.51])
    assert shares.tolist() == [0.6, 0.4, 0.2, 0.2, 0.0]


def test_average_radius_counts_wrong_images_as_0():
    assert average_radius(CORRECT, RADIUS) == pytest.approx(0.75 / 5)
