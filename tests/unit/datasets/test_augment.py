"""A changed batch has the pixels and the frequencies of torchvision's transforms."""

import collections
import itertools

import pytest
import torch
from reactivate.datasets import augment
from reactivate.datasets.imagenet import v2
from scipy.stats import chisquare
from torch import nn

F = v2.functional
IMAGE = torch.arange(1, 2 * 5 * 6 + 1, dtype=torch.uint8).reshape(1, 2, 5, 6)
DRAWS = 20_000


def stream(seed=0):
    return torch.Generator().manual_seed(seed)


def counts(images):
    """How often each different image occurs."""
    return collections.Counter(image.numpy().tobytes() for image in images)


def key(image):
    return image.contiguous().numpy().tobytes()


def p_value(found, expected):
    """Of the frequencies, given the probability of each image; no other image may occur."""
    assert set(found) <= set(expected)
    total = found.total()
    return chisquare(
        [found[image] for image in expected], [total * share for share in expected.values()]
    ).pvalue


@pytest.mark.parametrize("left", range(5))
@pytest.mark.parametrize("top", range(5))
def test_crop_has_the_pixels_of_torchvision(top, left):
    expected = F.crop(F.pad(IMAGE, [2]), top, left, 5, 6)
    found = augment.crop(IMAGE, 2, torch.tensor([top]), torch.tensor([left]))
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_every_image_of_a_batch_has_its_own_crop():
    images = torch.cat([IMAGE, IMAGE.flip(2), IMAGE.flip(3)])
    top, left = torch.tensor([0, 3, 2]), torch.tensor([4, 1, 2])
    found = augment.crop(images, 2, top, left)
    for image, cut, row, column in zip(images, found, top, left, strict=True):
        alone = augment.crop(image[None], 2, row[None], column[None])
        torch.testing.assert_close(cut[None], alone, rtol=0, atol=0)


def test_random_crops_are_all_equally_frequent():
    places = itertools.product(range(3), range(3))
    crops = [F.crop(F.pad(IMAGE, [1]), top, left, 5, 6) for top, left in places]
    found = augment.random_crop(IMAGE.expand(DRAWS, -1, -1, -1), 1, stream())
    assert p_value(counts(found), {key(image[0]): 1 / 9 for image in crops}) > 0.001


def test_random_crop_is_as_frequent_as_torchvisions():
    crop = v2.RandomCrop((5, 6), padding=1)
    with torch.random.fork_rng():
        torch.default_generator.set_state(stream(1).get_state())
        theirs = counts(crop(IMAGE[0]) for _ in range(2000))
    ours = counts(augment.random_crop(IMAGE.expand(DRAWS, -1, -1, -1), 1, stream(2)))
    assert set(ours) == set(theirs)
    assert p_value(theirs, {image: count / DRAWS for image, count in ours.items()}) > 0.001


@pytest.mark.parametrize("probability", [0.5, 0.2])
def test_random_flip_mirrors_the_given_share(probability):
    found = augment.random_flip(IMAGE.expand(DRAWS, -1, -1, -1), probability, stream())
    mirrored = F.horizontal_flip(IMAGE)
    expected = {key(mirrored[0]): probability, key(IMAGE[0]): 1 - probability}
    assert p_value(counts(found), expected) > 0.001


@pytest.mark.parametrize("right", [-1, 0, 2])
@pytest.mark.parametrize("down", [-2, 0, 1])
def test_shift_has_the_pixels_of_torchvision(down, right):
    expected = F.affine(IMAGE, angle=0, translate=[right, down], scale=1, shear=[0, 0])
    found = augment.shift(IMAGE, 2, torch.tensor([down]), torch.tensor([right]))
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_random_shift_has_the_frequencies_of_random_affine():
    share = {-2: 1 / 8, -1: 1 / 4, 0: 1 / 4, 1: 1 / 4, 2: 1 / 8}  # rounded from [-2, 2]
    expected = {
        key(augment.shift(IMAGE, 2, torch.tensor([down]), torch.tensor([right]))[0]): p * q
        for (down, p), (right, q) in itertools.product(share.items(), share.items())
    }
    ours = counts(augment.random_shift(IMAGE.expand(DRAWS, -1, -1, -1), 2, stream()))
    affine = v2.RandomAffine(0, translate=(2 / 6, 2 / 5))
    with torch.random.fork_rng():
        torch.default_generator.set_state(stream(1).get_state())
        theirs = counts(affine(IMAGE[0]) for _ in range(2000))
    assert p_value(ours, expected) > 0.001
    assert p_value(theirs, expected) > 0.001


@pytest.mark.parametrize("size", [(8, 8), (7, 10), (32, 32)])
def test_rotation_has_the_pixels_of_torchvision(size):
    images = torch.randint(0, 256, (40, 3, *size), dtype=torch.uint8, generator=stream())
    degrees = (2 * torch.rand(40, dtype=torch.float64, generator=stream(1)) - 1) * 30
    expected = [F.rotate(x, a.item()) for x, a in zip(images, degrees, strict=True)]
    torch.testing.assert_close(augment.rotate(images, degrees), torch.stack(expected))


@pytest.mark.parametrize("degrees", [0, 90, -90, 180])
def test_quarter_turns_lose_nothing(degrees):
    square = IMAGE[:, :, :, :5]
    expected = torch.rot90(square, degrees // 90, dims=(2, 3))
    torch.testing.assert_close(augment.rotate(square, torch.tensor([degrees])), expected)


def test_random_rotation_draws_angles_uniformly_up_to_the_limit():
    found = augment._uniform(15, (DRAWS,), stream())
    bins = torch.histc(found.float(), bins=10, min=-15, max=15)
    assert bins.sum() == DRAWS
    assert chisquare(bins.numpy()).pvalue > 0.001
    image = IMAGE.expand(50, -1, -1, -1)
    expected = augment.rotate(image, augment._uniform(15, (50,), stream(3)))
    torch.testing.assert_close(augment.random_rotation(image, 15, stream(3)), expected)


EVERYTHING = augment.Augmentation(padding=1, flip=0.5, shift=1, degrees=10)


def test_nothing_is_changed_unless_asked():
    assert augment.Augmentation()(IMAGE, stream()) is IMAGE


def test_the_same_stream_gives_the_same_images():
    images = IMAGE.expand(64, -1, -1, -1)
    one, same, other = (EVERYTHING(images, stream(seed)) for seed in (0, 0, 1))
    torch.testing.assert_close(one, same, rtol=0, atol=0)
    assert not torch.equal(one, other)
    assert one.dtype == torch.uint8
    assert one.shape == images.shape


def test_the_global_stream_is_not_touched():
    before = torch.get_rng_state()
    EVERYTHING(IMAGE, stream())
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32, torch.float64])
def test_every_dtype_is_kept(dtype):
    assert EVERYTHING(IMAGE.to(dtype), stream()).dtype == dtype


def test_crop_equals_a_convolution_with_a_shifted_one():
    """A second road to the same pixels: move by convolving, on one channel."""
    image = IMAGE[:, :1].double()
    for top, left in itertools.product(range(3), range(3)):
        kernel = torch.zeros(1, 1, 3, 3, dtype=torch.float64)
        kernel[0, 0, top, left] = 1
        moved = nn.functional.conv2d(image, kernel, padding=1)
        cut = augment.crop(image, 1, torch.tensor([top]), torch.tensor([left]))
        torch.testing.assert_close(cut, moved, rtol=0, atol=0)
