"""Rectangles of noise are as frequent, as large and where torchvision's are."""

import math
from random import Random

import pytest
import torch
from reactivate.datasets.erasing import RandomErasing
from reactivate.datasets.transforms import v2
from scipy.stats import ks_2samp, kstest

HEIGHT, WIDTH = 20, 26


def stream(seed=0):
    return torch.Generator().manual_seed(seed)


def theirs(count):
    """Pixels that torchvision erases."""
    erase = v2.RandomErasing(p=1.0, scale=(0.02, 1 / 3), ratio=(0.3, 1 / 0.3), value="random")
    with torch.random.fork_rng():
        torch.manual_seed(3)
        images = [erase(torch.zeros(1, HEIGHT, WIDTH)) for _ in range(count)]
    return torch.stack(images)[:, 0] != 0


def measures(erased):
    """Area, upper edge and left edge of one rectangle per image."""
    rows, columns = erased.any(2).int(), erased.any(1).int()
    return erased.sum((1, 2)), rows.argmax(1), columns.argmax(1)


def test_one_rectangle_has_area_and_place_of_torchvisions():
    ours = RandomErasing(1.0).places(4000, HEIGHT, WIDTH, stream())
    for found, expected in zip(measures(ours), measures(theirs(4000)), strict=True):
        assert ks_2samp(found.numpy(), expected.numpy()).pvalue > 0.001


def test_erased_pixels_are_one_rectangle():
    erased = RandomErasing(1.0).places(500, HEIGHT, WIDTH, stream())
    area = erased.any(2).sum(1) * erased.any(1).sum(1)
    assert torch.equal(erased.sum((1, 2)), area)
    assert area.min() > 0


@pytest.mark.parametrize("probability", [0.0, 0.4, 1.0])
def test_the_given_share_of_images_is_erased(probability):
    erased = RandomErasing(probability, count=3).places(5000, HEIGHT, WIDTH, stream())
    assert abs(erased.any(2).any(1).double().mean() - probability) < 0.02


def brute_force(random, count):
    """Pixels of one image, rectangle by rectangle, with numbers of Python's generator."""
    erased = torch.zeros(HEIGHT, WIDTH, dtype=torch.bool)
    rectangles = random.randint(1, count)
    for _ in range(rectangles):
        for _ in range(10):
            area = random.uniform(0.02, 1 / 3) * HEIGHT * WIDTH / rectangles
            ratio = math.exp(random.uniform(math.log(0.3), math.log(1 / 0.3)))
            tall, wide = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if tall < HEIGHT and wide < WIDTH:
                top, left = random.randint(0, HEIGHT - tall), random.randint(0, WIDTH - wide)
                erased[top : top + tall, left : left + wide] = True
                break
    return erased


def pieces(erased):
    """Number of separate rows of erased pixels in each image, over all its lines."""
    starts = erased.int().diff(dim=2, prepend=torch.zeros(len(erased), HEIGHT, 1)) > 0
    return starts.sum((1, 2))


@pytest.mark.parametrize("count", [2, 3])
def test_several_rectangles_are_those_of_a_loop(count):
    random = Random(0)
    expected = torch.stack([brute_force(random, count) for _ in range(4000)])
    found = RandomErasing(1.0, count).places(4000, HEIGHT, WIDTH, stream())
    for measure in (lambda mask: mask.sum((1, 2)), pieces, lambda mask: mask.any(2).sum(1)):
        assert ks_2samp(measure(found).numpy(), measure(expected).numpy()).pvalue > 0.001
    torch.testing.assert_close(
        found.double().mean(0), expected.double().mean(0), rtol=0, atol=0.04
    )


def test_erased_pixels_are_normal_noise_and_others_stay():
    images = torch.full((300, 3, HEIGHT, WIDTH), 5.0)
    eraser = RandomErasing(1.0, count=3)
    found, places = eraser(images, stream()), eraser.places(300, HEIGHT, WIDTH, stream())
    inside = places[:, None].expand_as(found)
    assert (found[~inside] == 5).all()
    assert kstest(found[inside][::7].numpy(), "norm").pvalue > 0.001
    assert not torch.equal(found[:, 0][places], found[:, 1][places])  # a number per channel


def test_the_same_stream_gives_the_same_images_and_the_global_one_is_not_touched():
    images, before = torch.zeros(20, 3, HEIGHT, WIDTH), torch.get_rng_state()
    one, same, other = (RandomErasing(0.5, 3)(images, stream(seed)) for seed in (0, 0, 1))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert torch.equal(before, torch.get_rng_state())
