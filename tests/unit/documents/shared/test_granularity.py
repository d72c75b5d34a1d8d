"""Percentages of whole images: those that can be printed are the roundings of all counts."""

import pytest
from reactivate.documents.shared.granularity import fitting, is_possible, share_possible
from reactivate.experiment.printed import Printed


@pytest.mark.parametrize(("images", "runs"), [(64, 3), (400, 1), (7, 5)])
def test_percentages_that_are_possible_are_the_roundings_of_all_counts(images, runs):
    total = images * runs
    possible = {f"{100 * count / total:.1f}" for count in range(total + 1)}
    every = [f"{tenth / 10:.1f}" for tenth in range(1001)]
    found = {text for text in every if is_possible(Printed.parse(text), images, runs)}
    halves = {n for n in range(total + 1) if (2000 * n) % (2 * total) == total}
    assert possible <= found  # a count half-way between two roundings fits both
    assert len(found - possible) <= len(halves)
    if runs == 1:
        assert fitting(map(float, every), images, 0.05) == len(found)


def test_the_share_that_is_possible_is_that_of_all_percentages():
    possible = {f"{100 * count / 192:.1f}" for count in range(193)}
    found = share_possible(Printed.parse("1.0"), 64, 3)
    assert found == pytest.approx(len(possible) / 1001)


def test_with_as_many_images_as_printed_steps_nothing_can_be_refused():
    assert share_possible(Printed.parse("92.60"), 10_000) == 1.0
    hundredths = (Printed.parse(f"{n / 100:.2f}") for n in range(0, 10_001, 7))
    assert all(is_possible(printed, 10_000) for printed in hundredths)
