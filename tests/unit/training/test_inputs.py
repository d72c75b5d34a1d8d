"""Batches are the same for everyone who asks again, and hold what the recipe says."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.datasets.augment import COLOUR_AXES, COLOUR_VARIANCES, colour_moves
from reactivate.datasets.images import ImageData
from reactivate.datasets.rand_augment import RandAugment
from reactivate.models.vision import torchvision
from reactivate.training.inputs import (
    ALONE,
    MemoryInputs,
    Share,
    smaller,
    subset,
    without_fold,
)
from torch.nn import functional

CPU = torch.device("cpu")


def images(train=20, test=10, side=6, channels=3):
    """Random pixels; the label of an image is its number."""
    stream = torch.Generator().manual_seed(0)
    parts = [
        torch.randint(256, (n, channels, side, side), generator=stream, dtype=torch.uint8)
        for n in (train, test)
    ]
    return ImageData(parts[0], torch.arange(train), parts[1], torch.arange(test))


def labels(batches):
    return torch.cat([y for _, y, _ in batches])


@given(
    count=st.integers(2, 60),
    folds=st.integers(2, 7),
)
def test_folds_are_disjoint_and_cover_all(count, folds):
    data = images(train=count, side=1)
    left_out = [
        set(range(count)) - set(without_fold(data, "toy", fold, folds).train_labels.tolist())
        for fold in range(folds)
    ]
    assert sorted(n for fold in left_out for n in fold) == list(range(count))
    assert max(map(len, left_out)) - min(map(len, left_out)) <= 1


def test_a_fold_keeps_images_with_their_labels_and_the_test_part():
    data = images()
    kept = without_fold(data, "toy", 3, 5)
    assert torch.equal(kept.train_images, data.train_images[kept.train_labels])
    assert torch.equal(kept.test_images, data.test_images)


@pytest.mark.parametrize("fold", [-1, 4])
def test_a_seed_without_a_fold_is_named(fold):
    with pytest.raises(ValueError, match=f"seed {fold} leaves no fold out; accepted: 0 to 3"):
        without_fold(images(), "toy", fold, 4)


def test_folds_depend_on_the_dataset_only():
    data = images()
    one, same, other = (without_fold(data, name, 0, 4) for name in ("toy", "toy", "doll"))
    assert torch.equal(one.train_labels, same.train_labels)
    assert not torch.equal(one.train_labels, other.train_labels)


@given(fraction=st.floats(0.01, 1.0))
def test_a_subset_has_its_share_of_both_parts(fraction):
    data = images()
    chosen = subset(data, "toy", fraction)
    assert len(chosen.train_labels) == max(1, round(20 * fraction))
    assert len(chosen.test_labels) == max(1, round(10 * fraction))
    assert len(set(chosen.train_labels.tolist())) == len(chosen.train_labels)
    assert torch.equal(chosen.train_images, data.train_images[chosen.train_labels])
    assert torch.equal(chosen.test_images, data.test_images[chosen.test_labels])


@given(fraction=st.floats(0.01, 1.0), tested=st.floats(0.01, 1.0))
def test_test_images_may_have_a_share_of_their_own(fraction, tested):
    both, train, test = (
        subset(images(), "toy", *f) for f in ((fraction, tested), (fraction,), (tested,))
    )
    assert torch.equal(both.train_labels, train.train_labels)
    assert torch.equal(both.test_labels, test.test_labels)
    assert torch.equal(both.test_images, test.test_images)


def test_a_larger_subset_holds_the_smaller_one():
    one, more = (set(subset(images(), "toy", f).train_labels.tolist()) for f in (0.3, 0.6))
    assert one < more


@pytest.mark.parametrize("side", [1, 2, 4, 8])
def test_smaller_images_are_means_of_pixels(side):
    data = images(train=7, side=8).train_images
    exact = functional.avg_pool2d(data.double(), 8 // side)
    found = smaller(data, side)
    assert found.dtype == torch.uint8
    assert torch.equal(found.double(), exact.round())


def test_smaller_images_need_a_side_that_divides():
    with pytest.raises(ValueError, match="side 8 cannot be averaged down to side 3"):
        smaller(images(side=8).train_images, 3)


@pytest.fixture
def inputs(recipe):
    """``inputs(data, seed, **changes)``: of the recipe."""

    def make(data=None, seed=0, **changes):
        return MemoryInputs(data or images(), recipe(**changes), ("toy", seed), CPU)

    return make


CHANGES = {
    **{"padding": 2, "flip": 0.5, "shift": 1, "degrees": 20.0, "lighting": 0.1},
    "rand_augment": {"layers": 2, "magnitude": 7.0, "deviation": 0.5, "probability": 0.5},
    "erasing": {"probability": 0.5, "count": 2},
}
PICTURES = {"size": 4, "resize": 6, "train": "random_crop"}


@pytest.mark.parametrize("pictures", [None, PICTURES])
def test_an_epoch_is_the_same_every_time_and_unlike_others(inputs, pictures):
    changed = inputs(augmentation=CHANGES, pictures=pictures)
    one, same, other = (list(changed.epoch(n, ALONE)) for n in (1, 1, 2))
    for a, b in zip(one, same, strict=True):
        assert torch.equal(a.x, b.x)
        assert torch.equal(a.y, b.y)
    assert sorted(labels(one)) == sorted(labels(other)) == list(range(20))
    assert not torch.equal(labels(one), labels(other))


def test_seeds_have_orders_of_their_own(inputs):
    one, other = (labels(inputs(seed=seed).epoch(1, ALONE)) for seed in (0, 1))
    assert not torch.equal(one, other)


@pytest.mark.parametrize("processes", [2, 3])
def test_shares_of_all_processes_are_the_whole_batch(inputs, processes):
    changed = inputs(augmentation=CHANGES, batch_size=7)
    shares = [changed.epoch(1, Share(rank, processes)) for rank in range(processes)]
    for whole, *parts in zip(changed.epoch(1, ALONE), *shares, strict=True):
        assert torch.equal(torch.cat([part.x for part in parts]), whole.x)
        assert torch.equal(torch.cat([part.y for part in parts]), whole.y)
        assert {part.total for part in parts} == {len(whole.y)}


def test_the_last_batch_is_smaller(inputs):
    batched = inputs(batch_size=8)
    assert [total for _, _, total in batched.epoch(1, ALONE)] == [8, 8, 4]
    assert batched.steps == 3


def test_an_epoch_may_have_whole_batches_only(inputs):
    batched = inputs(batch_size=8, whole_batches=True)
    assert [total for _, _, total in batched.epoch(1, ALONE)] == [8, 8]
    assert batched.steps == 2
    assert inputs(batch_size=30, whole_batches=True).steps == 1  # there is no other


OPERATIONS = {"layers": 1, "magnitude": 7.0, "deviation": 0.5, "probability": 1.0}


def test_operations_come_before_normalisation_with_the_mean_colour_outside(inputs, monkeypatch):
    asked = []
    monkeypatch.setattr(
        RandAugment, "__call__", lambda self, x, random: asked.append(self) or 255 - x
    )
    data = images()
    changed = inputs(data, augmentation={"rand_augment": OPERATIONS})
    for x, y, _ in changed.epoch(1, ALONE):
        torch.testing.assert_close(x, changed.normalise(255 - data.train_images[y]))
    assert asked[0].fill == tuple(round(255 * mean) for mean in changed.normalise.mean)
    assert asked[0] == RandAugment(asked[0].fill, 1, 7.0, 0.5, 1.0)


def test_rectangles_come_after_normalisation_and_in_training_only(inputs):
    data = images(train=200, side=12)
    plain = inputs(data, batch_size=200)
    erasing = {"probability": 1.0, "count": 3}
    changed = inputs(data, batch_size=200, augmentation={"erasing": erasing})
    ((x, y, _),) = changed.epoch(1, ALONE)
    ((same, labels_again, _),) = plain.epoch(1, ALONE)
    assert torch.equal(y, labels_again)
    touched = x != same
    assert 0.05 < touched.double().mean() < 0.3
    assert abs(x[touched].mean()) < 0.1
    assert abs(x[touched].std() - 1) < 0.1
    for one, other in zip(changed.measured("test", 1), plain.measured("test", 1), strict=True):
        assert torch.equal(one.x, other.x)


def test_without_changes_images_are_only_normalised(inputs):
    data = images()
    for x, y, _ in inputs(data).epoch(1, ALONE):
        pixels = data.train_images.double() / 255
        mean, std = pixels.mean((0, 2, 3)), pixels.std((0, 2, 3), correction=0)
        expected = (pixels[y] - mean[:, None, None]) / std[:, None, None]
        torch.testing.assert_close(x.double(), expected, rtol=0, atol=1e-5)


def places(cut, image):
    """Where a cut lies in an image; empty if nowhere."""
    side, whole = cut.shape[-1], image.shape[-1]
    return [
        (top, left)
        for top in range(whole - side + 1)
        for left in range(whole - side + 1)
        if torch.equal(image[:, top : top + side, left : left + side], cut)
    ]


def test_random_crops_lie_inside_the_image_anywhere(inputs):
    data = images(train=200)
    cropped = inputs(data, pictures=PICTURES, batch_size=64)
    whole = cropped.normalise(data.train_images)
    found = set()
    for x, y, _ in cropped.epoch(1, ALONE):
        assert x.shape[2:] == (4, 4)
        for cut, number in zip(x, y, strict=True):
            (place,) = places(cut, whole[number])
            found.add(place)
    assert found == {(top, left) for top in range(3) for left in range(3)}


@pytest.mark.parametrize("side", range(4, 9))
def test_ten_views_are_those_of_torchvision(inputs, side):
    data = images(side=8)
    cut = inputs(data, pictures={"size": side, "resize": 8, "train": "random_crop"})
    ten = torchvision.transforms.TenCrop(side)
    ((x, y, _),) = cut.measured("test", views=10)
    assert y.tolist() == list(range(10))
    for views, image in zip(x.reshape(10, 10, 3, side, side), data.test_images, strict=True):
        expected = cut.normalise(torch.stack(ten(image)))
        assert _bag(views) == _bag(expected)


def _bag(views):
    return sorted(view.flatten().tolist() for view in views)


@pytest.mark.parametrize("side", range(4, 9))
def test_the_one_view_is_the_middle_as_in_torchvision(inputs, side):
    data = images(side=8)
    cut = inputs(data, pictures={"size": side, "resize": 8, "train": "random_crop"})
    ((x, _, _),) = cut.measured("test", views=1)
    expected = torchvision.transforms.CenterCrop(side)(data.test_images)
    assert torch.equal(x, cut.normalise(expected))


def test_measured_parts_come_whole_and_in_order(inputs):
    data = images(train=1100, side=2)
    batches = list(inputs(data, augmentation=CHANGES).measured("train", views=1))
    assert [total for _, _, total in batches] == [500, 500, 100]
    assert labels(batches).tolist() == list(range(1100))


def test_a_recipe_may_average_images_down(inputs):
    small = inputs(images(side=6), side=3)
    assert {x.shape[1:] for x, _, _ in small.epoch(1, ALONE)} == {(3, 3, 3)}


def test_lighting_moves_every_pixel_of_an_image_alike(inputs):
    plain, lit = (
        torch.cat([x for x, _, _ in inputs(augmentation=changes).epoch(1, ALONE)])
        for changes in ({}, {"lighting": 0.1})
    )
    moves = lit - plain
    assert (moves.std((2, 3)) < 1e-6).all()
    assert (moves.mean((2, 3)).abs() > 1e-5).all()


def test_colour_moves_have_the_covariance_of_the_axes():
    draws = 200_000
    moves = colour_moves(draws, 0.1, torch.Generator().manual_seed(0)).double()
    axes, deviations = COLOUR_AXES.double(), 0.1 * COLOUR_VARIANCES.double()
    expected = axes @ torch.diag(deviations**2) @ axes.T
    scale = expected.diag().sqrt()
    # five standard errors of a mean, of a covariance of unit variables
    assert (moves.mean(0).abs() < 5 * scale / draws**0.5).all()
    found = moves.T @ moves / draws
    assert ((found - expected).abs() / scale.outer(scale) < 5 * (2 / draws) ** 0.5).all()


def test_colour_axes_are_orthonormal():
    product = COLOUR_AXES.double() @ COLOUR_AXES.double().T
    torch.testing.assert_close(product, torch.eye(3, dtype=torch.float64), rtol=0, atol=1e-3)
