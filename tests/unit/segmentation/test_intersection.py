"""Mean intersection over union against sets of pixels, and sums of matrices."""

from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.segmentation.balance import balanced_weights
from reactivate.segmentation.intersection import (
    IGNORED,
    confusion,
    intersections,
    mean_intersection,
)

CLASSES = 4
PIXEL = st.tuples(st.integers(0, CLASSES - 1), st.sampled_from([*range(CLASSES), IGNORED]))
PIXELS = st.lists(PIXEL, max_size=30)


def shares(pixels):
    """Intersection over union of each class, from the sets of its pixels."""
    counted = {i: pixel for i, pixel in enumerate(pixels) if pixel[1] != IGNORED}
    found = []
    for label in range(CLASSES):
        taken = {i for i, (predicted, _) in counted.items() if predicted == label}
        true = {i for i, (_, actual) in counted.items() if actual == label}
        found.append(Fraction(len(taken & true), len(taken | true)) if taken | true else 0)
    return found


def matrix(pixels):
    columns = torch.tensor(pixels, dtype=torch.long).reshape(-1, 2)
    return confusion(columns[:, 0], columns[:, 1], CLASSES)


@given(PIXELS)
def test_it_is_the_share_of_sets_of_pixels(pixels):
    expected = shares(pixels)
    assert intersections(matrix(pixels)).tolist() == pytest.approx([float(s) for s in expected])
    assert mean_intersection(matrix(pixels)) == pytest.approx(float(sum(expected) / CLASSES))


@given(PIXELS, PIXELS)
def test_matrices_of_parts_add_up(first, second):
    assert torch.equal(matrix(first) + matrix(second), matrix(first + second))


def test_rows_are_true_classes():
    assert matrix([(1, 2)])[2, 1] == 1


@pytest.mark.parametrize(
    ("predicted", "label", "kind"), [(4, 0, "prediction is 4"), (0, 4, "label is 4")]
)
def test_a_class_that_does_not_exist_is_refused(predicted, label, kind):
    with pytest.raises(ValueError, match=f"a {kind}; accepted: 0 to 3"):
        matrix([(predicted, label)])


def test_rare_classes_weigh_more():
    weights = balanced_weights(torch.tensor([98, 2, 0]))
    assert weights.tolist() == pytest.approx([1 / 0.6931472, 1 / 0.0392207, 1 / 0.0198026], 1e-5)
