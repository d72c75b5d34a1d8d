"""Operations on batches have torchvision's pixels, and are drawn as often as they should be."""

import math

import pytest
import torch
from reactivate.datasets import enhance, rand_augment, warps
from reactivate.datasets.rand_augment import OPERATIONS, RandAugment
from reactivate.datasets.transforms import v2
from scipy.stats import chisquare, kstest, norm

F = v2.functional
FILL = (124, 116, 104)
NAMES = list(OPERATIONS)
BILINEAR = v2.InterpolationMode.BILINEAR


def stream(seed=0):
    return torch.Generator().manual_seed(seed)


def photographs(count=6, channels=3, size=(19, 26)):
    """Images with smooth colours, which are not the same in all channels."""
    coarse = torch.rand(count, channels, 5, 5, generator=stream())
    fine = torch.nn.functional.interpolate(coarse, size, mode="bicubic")
    return (255 * fine).clamp(0, 255).to(torch.uint8)


IMAGES = photographs()
LEVELS = torch.tensor([0.0, 0.3, 0.63, 0.7, 0.76, 1.0], dtype=torch.float64)
SIGNS = torch.tensor([1, -1, 1, -1, 1, -1])


def affine(image, degrees=0.0, translate=(0.0, 0.0), shear=(0.0, 0.0)):
    """Torchvision's, of one image; shears start in the upper left corner."""
    return F.affine(
        image,
        angle=degrees,
        translate=list(translate),
        scale=1.0,
        shear=list(shear),
        interpolation=BILINEAR,
        fill=list(FILL),
        center=[0, 0] if any(shear) else None,
    )


# what an operation of a level and a sign is, in torchvision's functions, one image at a time; with
# the ranges of timm's "increasing" operations
SHARE = {
    "auto_contrast": lambda x, level, sign: F.autocontrast(x),
    "equalize": lambda x, level, sign: F.equalize(x),
    "invert": lambda x, level, sign: F.invert(x),
    "rotate": lambda x, level, sign: F.rotate(x, sign * 30 * level, BILINEAR, fill=list(FILL)),
    "posterize": lambda x, level, sign: F.posterize(x, 4 - int(4 * level)),
    "solarize": lambda x, level, sign: F.solarize(x, 256 - int(256 * level)) if level else x,
    "solarize_add": lambda x, level, sign: torch.where(
        x < 128, (x.int() + int(110 * level)).clamp(max=255), x.int()
    ).to(torch.uint8),
    "colour": lambda x, level, sign: F.adjust_saturation(x, 1 + sign * 0.9 * level),
    "contrast": lambda x, level, sign: F.adjust_contrast(x, 1 + sign * 0.9 * level),
    "brightness": lambda x, level, sign: F.adjust_brightness(x, 1 + sign * 0.9 * level),
    "sharpness": lambda x, level, sign: F.adjust_sharpness(x, 1 + sign * 0.9 * level),
    "shear_x": lambda x, level, sign: affine(
        x, shear=(-math.degrees(math.atan(sign * -0.3 * level)), 0.0)
    ),
    "shear_y": lambda x, level, sign: affine(
        x, shear=(0.0, -math.degrees(math.atan(sign * -0.3 * level)))
    ),
    "translate_x": lambda x, level, sign: affine(
        x, translate=(-sign * 0.45 * level * x.shape[2], 0.0)
    ),
    "translate_y": lambda x, level, sign: affine(
        x, translate=(0.0, -sign * 0.45 * level * x.shape[1])
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_operation_has_the_pixels_of_torchvision(name):
    chosen = torch.full((len(IMAGES),), NAMES.index(name))
    found = RandAugment(FILL).apply(IMAGES, chosen, LEVELS, SIGNS)
    each = zip(IMAGES, LEVELS.tolist(), SIGNS.tolist(), strict=True)
    expected = torch.stack([SHARE[name](*amounts) for amounts in each])
    difference = (found.int() - expected.int()).abs()
    # float32 at the last digit of what is cut off or rounded
    assert difference.max() <= 1
    assert (difference > 0).double().mean() < 0.005


@pytest.mark.parametrize("name", NAMES)
def test_operation_takes_grey_images(name):
    grey = photographs(channels=1)
    chosen = torch.full((len(grey),), NAMES.index(name))
    found = RandAugment((128,)).apply(grey, chosen, LEVELS, SIGNS)
    assert found.shape == grey.shape
    assert found.dtype == torch.uint8


def test_colours_of_grey_images_stay():
    grey = photographs(channels=1)
    assert torch.equal(enhance.saturation(grey, torch.full((6,), 0.3)), grey)


@pytest.mark.parametrize("change", [enhance.contrast, enhance.brightness, enhance.sharpness])
def test_factor_one_changes_nothing(change):
    assert torch.equal(change(IMAGES, torch.ones(6)), IMAGES)


def test_warp_moves_by_whole_pixels_without_a_change_and_fills():
    right, down = torch.full((6,), 3.0), torch.full((6,), -2.0)
    found = warps.warp(IMAGES, warps.moved(right, down), torch.tensor(FILL))
    assert torch.equal(found[:, :, 2:, :-3], IMAGES[:, :, :-2, 3:])
    assert (found[:, :, :2] == torch.tensor(FILL)[:, None, None]).all()
    assert (found[:, :, :, -3:] == torch.tensor(FILL)[:, None, None]).all()


def test_every_image_has_its_own_operation_and_others_stay():
    chosen = torch.tensor([NAMES.index("invert"), -1, NAMES.index("equalize"), -1, -1, -1])
    found = RandAugment(FILL).apply(IMAGES, chosen, LEVELS, SIGNS)
    assert torch.equal(found[0], 255 - IMAGES[0])
    assert torch.equal(found[2], F.equalize(IMAGES[2]))
    assert torch.equal(found[[1, 3, 4, 5]], IMAGES[[1, 3, 4, 5]])


def drawn(monkeypatch, count, **settings):
    """What is drawn for so many images: operations, levels and signs, by layer."""
    asked = []

    def remember(self, images, chosen, levels, signs):
        asked.append((chosen, levels, signs))
        return images

    monkeypatch.setattr(RandAugment, "apply", remember)
    RandAugment(FILL, **settings)(torch.zeros(count, 3, 1, 1, dtype=torch.uint8), stream(1))
    return asked


def test_two_layers_draw_all_operations_alike_and_half_of_them_happen(monkeypatch):
    layers = drawn(monkeypatch, 30_000)
    assert len(layers) == 2
    for chosen, _, _ in layers:
        happened = chosen[chosen >= 0]
        assert abs(len(happened) / 30_000 - 0.5) < 0.01
        assert chisquare(torch.bincount(happened, minlength=15).numpy()).pvalue > 0.001
    assert not torch.equal(layers[0][0], layers[1][0])


def test_magnitudes_are_normal_and_cut_off_and_signs_are_fair(monkeypatch):
    ((_, levels, signs),) = drawn(monkeypatch, 5_000, layers=1)
    assert kstest(10 * levels.numpy(), norm(7, 0.5).cdf).pvalue > 0.001
    assert set(signs.tolist()) == {1, -1}
    assert abs(signs.double().mean()) < 0.05
    ((_, wide, _),) = drawn(monkeypatch, 5_000, layers=1, deviation=20.0)
    assert (wide.min(), wide.max()) == (0, 1)


@pytest.mark.parametrize(("probability", "kept"), [(0.0, True), (1.0, False)])
def test_probability_decides_whether_an_operation_happens(probability, kept):
    found = RandAugment(FILL, layers=1, probability=probability)(IMAGES, stream())
    assert torch.equal(found, IMAGES) == kept


def test_images_stay_and_the_same_stream_gives_the_same_ones():
    before = IMAGES.clone()
    augment = RandAugment(FILL, probability=1.0)
    one, same, other = (augment(IMAGES, stream(seed)) for seed in (0, 0, 1))
    assert torch.equal(IMAGES, before)
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_operations_are_timms():
    """Names of ``_RAND_INCREASING_TRANSFORMS`` in timm 0.4.12, without the ending."""
    theirs = "AutoContrast Equalize Invert Rotate Posterize Solarize SolarizeAdd Color Contrast "
    theirs += "Brightness Sharpness ShearX ShearY TranslateXRel TranslateYRel"
    ours = [name.replace("_", "").replace("colour", "color") for name in rand_augment.OPERATIONS]
    assert ours == [name.lower().removesuffix("rel") for name in theirs.split()]
