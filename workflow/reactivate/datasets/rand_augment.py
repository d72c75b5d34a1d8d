"""RandAugment of a whole batch of images at once: each image gets its own random operations."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from reactivate.datasets import enhance
from reactivate.datasets.transforms import v2
from reactivate.datasets.warps import moved, sheared, turned, warp
from reactivate.foundation.device import sent
from reactivate.layers.portions import draw, draw_integers

LARGEST = 10.0  # magnitude
# of images, levels from 0 to 1, signs (1 or -1) and the colour of what comes in from outside
Operation = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def _enhancing(change: Callable[[Tensor, Tensor], Tensor]) -> Operation:
    """The operation that changes colours by a factor of up to 0.9 more or less than 1."""
    return lambda images, level, sign, fill: change(images, 1 + 0.9 * level * sign)


def _rotate(images: Tensor, level: Tensor, sign: Tensor, fill: Tensor) -> Tensor:
    return warp(images, turned(30 * level * sign), fill)


def _shear_x(images: Tensor, level: Tensor, sign: Tensor, fill: Tensor) -> Tensor:
    amount, size = 0.3 * level * sign, (images.shape[2], images.shape[3])
    return warp(images, sheared(amount, torch.zeros_like(amount), size), fill)


def _shear_y(images: Tensor, level: Tensor, sign: Tensor, fill: Tensor) -> Tensor:
    amount, size = 0.3 * level * sign, (images.shape[2], images.shape[3])
    return warp(images, sheared(torch.zeros_like(amount), amount, size), fill)


def _translate_x(images: Tensor, level: Tensor, sign: Tensor, fill: Tensor) -> Tensor:
    amount = 0.45 * level * sign * images.shape[3]
    return warp(images, moved(amount, torch.zeros_like(amount)), fill)


def _translate_y(images: Tensor, level: Tensor, sign: Tensor, fill: Tensor) -> Tensor:
    amount = 0.45 * level * sign * images.shape[2]
    return warp(images, moved(torch.zeros_like(amount), amount), fill)


OPERATIONS: dict[str, Operation] = {
    "auto_contrast": lambda images, level, sign, fill: v2.functional.autocontrast(images),
    "equalize": lambda images, level, sign, fill: v2.functional.equalize(images),
    "invert": lambda images, level, sign, fill: 255 - images,
    "rotate": _rotate,
    "posterize": lambda images, level, sign, fill: enhance.posterize(
        images, 4 - (4 * level).floor()
    ),
    "solarize": lambda images, level, sign, fill: enhance.solarize(
        images, 256 - (256 * level).floor()
    ),
    "solarize_add": lambda images, level, sign, fill: enhance.solarize_add(
        images, (110 * level).floor()
    ),
    "colour": _enhancing(enhance.saturation),
    "contrast": _enhancing(enhance.contrast),
    "brightness": _enhancing(enhance.brightness),
    "sharpness": _enhancing(enhance.sharpness),
    "shear_x": _shear_x,
    "shear_y": _shear_y,
    "translate_x": _translate_x,
    "translate_y": _translate_y,
}


@dataclass(frozen=True)
class RandAugment:
    """A number of random operations on every image, one after the other.

    Each is drawn from all of :data:`OPERATIONS`, happens with a probability, and as strongly as a
    normal magnitude says; what can go two ways goes either.

    Reference:
        Cubuk et al. 2020 (arXiv:1909.13719), as timm 0.4.12 has it under the name
        ``rand-m7-mstd0.5-inc1`` (all operations stronger with the magnitude).

    Departs from the reference:
        Geometric operations interpolate bilinearly; timm chooses between bilinear and bicubic.

    Args:
        fill: Colour of what comes in from outside, a number from 0 to 255 per channel.
        layers: Number of operations.
        magnitude: Mean magnitude, from 0 to 10.
        deviation: Deviation of the magnitude, which is cut off at 0 and 10.
        probability: Probability that an operation that was drawn happens.
    """

    fill: tuple[float, ...]
    layers: int = 2
    magnitude: float = 7.0
    deviation: float = 0.5
    probability: float = 0.5

    def __call__(self, images: Tensor, generator: torch.Generator) -> Tensor:
        """Changed copies of images ``(N, C, H, W)``, uint8."""
        count = len(images)
        for _ in range(self.layers):
            chosen = draw_integers(0, len(OPERATIONS), (count,), generator)
            happens = draw("rand", (count,), generator) < self.probability
            normal = draw("randn", (count,), generator, torch.float64)
            signs = 1 - 2 * draw_integers(0, 2, (count,), generator)
            levels = (self.magnitude + self.deviation * normal).clamp(0, LARGEST) / LARGEST
            images = self.apply(images, torch.where(happens, chosen, -1), levels, signs)
        return images

    def apply(self, images: Tensor, chosen: Tensor, levels: Tensor, signs: Tensor) -> Tensor:
        """The images after one operation each.

        Args:
            images: ``(N, C, H, W)``, uint8.
            chosen: Number of the operation of each image in :data:`OPERATIONS`, ``(N)``; -1 for
                none.
            levels: Strengths from 0 to 1, ``(N)``.
            signs: 1 or -1, ``(N)``.
        """
        changed, fill = images.clone(), sent(torch.tensor(self.fill), images.device)
        for number, operation in enumerate(OPERATIONS.values()):
            rows = (chosen == number).nonzero().flatten()
            if len(rows):
                at = sent(rows, images.device)
                level, sign = (sent(each[rows], images.device) for each in (levels, signs))
                changed[at] = operation(images[at], level, sign, fill)
        return changed
