"""Sets by label are drawn as the thesis describes them."""

import pytest
import torch
from reactivate.patterns.labels import (
    mixed_labels,
    one_label,
    pairs_of_different_labels,
)

LABELS = torch.tensor([0, 1, 2, 0, 1, 0, 0])


def stream(seed=0):
    return torch.Generator().manual_seed(seed)


def test_one_label_takes_the_first_points_that_have_it():
    assert one_label(LABELS, 0, 3).tolist() == [0, 3, 5]


def test_more_points_than_there_are_is_refused():
    with pytest.raises(ValueError, match=r"needs 3 points with label 1 and there are 2; accepted"):
        one_label(LABELS, 1, 3)
    with pytest.raises(ValueError, match="needs 8 points and there are 7"):
        mixed_labels(LABELS, 8, stream())


def test_mixed_labels_are_different_points_and_repeatable():
    chosen = mixed_labels(LABELS, 5, stream())
    assert len(set(chosen.tolist())) == 5
    assert torch.equal(chosen, mixed_labels(LABELS, 5, stream()))


def test_pairs_have_different_labels_and_every_such_pair_is_drawn():
    pairs = pairs_of_different_labels(LABELS, 2000, stream())
    assert pairs.shape == (2000, 2)
    assert (LABELS[pairs[:, 0]] != LABELS[pairs[:, 1]]).all()
    possible = {(i, j) for i in range(7) for j in range(7) if LABELS[i] != LABELS[j]}
    assert set(map(tuple, pairs.tolist())) == possible


def test_pairs_with_different_labels_need_two_labels():
    with pytest.raises(ValueError, match=r"the 3 points have 1 label; .* at least 2"):
        pairs_of_different_labels(torch.zeros(3), 5, stream())
