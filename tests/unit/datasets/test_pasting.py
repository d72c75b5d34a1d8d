"""Pasted scenes: exact boxes and masks, whole objects, the same on every machine."""

import hashlib

import numpy as np
import pytest
import torch
from reactivate.datasets.pasting import BACKGROUND, DARKEST, MOST, NOISE, SIDES, paste_scene

SIDE = 160


def objects():
    """A disc, a bar and a ring with a dim border, as grey pictures on black."""
    y, x = np.mgrid[:28, :28] - 13.5
    disc, ring = x**2 + y**2 < 100, abs(x**2 + y**2 - 100) < 40
    bar = (abs(x) < 4) & (abs(y) < 12)
    return np.stack([disc * 255, bar * 200, ring * 90]).astype(np.uint8), np.array([5, 0, 7])


def scene(seed, side=SIDE):
    return paste_scene(*objects(), side, torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("seed", range(20))
def test_boxes_are_the_extents_of_what_is_seen(seed):
    made = scene(seed)
    assert 1 <= len(made.labels) <= MOST
    assert set(np.unique(made.instances)) == set(range(len(made.labels) + 1))
    for number, (x, y, width, height) in enumerate(made.boxes, start=1):
        shown = made.instances == number
        outside = shown.copy()
        outside[y : y + height, x : x + width] = False
        assert not outside.any()
        for edge in (shown[y], shown[y + height - 1], shown[:, x], shown[:, x + width - 1]):
            assert edge.any()
        assert max(width, height) in range(min(SIDES) - 2, max(SIDES) + 1)


@pytest.mark.parametrize("seed", range(20))
def test_objects_are_whole(seed):
    """All three are symmetric, which they would not be if another hid a part of them."""
    made = scene(seed)
    for number, (x, y, width, height) in enumerate(made.boxes, start=1):
        shown = made.instances[y : y + height, x : x + width] == number
        assert np.array_equal(shown, shown[:, ::-1])
        assert np.array_equal(shown, shown[::-1])


@pytest.mark.parametrize("seed", range(5))
def test_pixels_are_those_of_the_canvas_where_no_object_is(seed):
    made = scene(seed)
    ground = made.image[:, made.instances == 0].astype(int)
    assert ground.min() >= BACKGROUND[0] - NOISE
    assert ground.max() <= BACKGROUND[1] + NOISE
    assert np.ptp(ground, axis=1).max() <= 2 * NOISE
    assert (made.image[:, made.instances > 0].max(0) >= DARKEST // 2).all()


def test_classes_of_pixels_count_from_one_and_the_background_is_zero():
    made = scene(3)
    for number, label in enumerate(made.labels, start=1):
        assert set(made.classes[made.instances == number]) == {label + 1}
    assert set(made.classes[made.instances == 0]) == {0}


def test_a_scene_depends_on_its_stream_only():
    first, again, other = scene(1), scene(1), scene(2)
    assert np.array_equal(first.image, again.image)
    assert not np.array_equal(first.image, other.image)
    digest = hashlib.sha256(first.image.tobytes() + first.instances.tobytes()).hexdigest()
    assert digest.startswith("cde63e74b538a2d5")


def test_sizes_and_places_vary():
    made = [scene(seed) for seed in range(60)]
    longest = [max(box[2:]) for one in made for box in one.boxes]
    assert min(longest) < 24
    assert max(longest) > 100
    assert {len(one.labels) for one in made} >= {1, 2, 3}
    assert {label for one in made for label in one.labels.tolist()} == {0, 5, 7}


def test_a_picture_that_shows_nothing_is_refused():
    black = np.zeros((1, 28, 28), dtype=np.uint8)
    with pytest.raises(ValueError, match="nothing can be seen; choose other objects"):
        paste_scene(black, np.array([0]), SIDE, torch.Generator())
