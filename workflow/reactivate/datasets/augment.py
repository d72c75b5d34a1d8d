"""Changes of a whole batch of images at once, each image by its own random amount.

Every change comes in two forms: by given amounts (``crop``), and by random ones from an explicit
generator (``random_crop``). Amounts have the distribution of the torchvision transform that each
function names, and for the same amount the pixels are the same; no image is treated alone.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from reactivate.foundation.device import sent
from reactivate.layers.portions import draw

COLOUR_VARIANCES = torch.tensor([0.2175, 0.0188, 0.0045])
COLOUR_AXES = torch.tensor(
    [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
)


@dataclass(frozen=True)
class Augmentation:
    """Random changes of training images; none unless they are asked for.

    Args:
        padding: Crop the old size out of the image with so many zeros on each side.
        flip: Probability of mirroring left and right.
        shift: Largest move in pixels, along each axis.
        degrees: Largest rotation, in either direction.
    """

    padding: int = 0
    flip: float = 0.0
    shift: int = 0
    degrees: float = 0.0

    def __call__(self, images: Tensor, generator: torch.Generator) -> Tensor:
        """Applies crop, flip, shift and rotation, in this order, to ``(N, C, H, W)``."""
        if self.padding:
            images = random_crop(images, self.padding, generator)
        if self.flip:
            images = random_flip(images, self.flip, generator)
        if self.shift:
            images = random_shift(images, self.shift, generator)
        if self.degrees:
            images = random_rotation(images, self.degrees, generator)
        return images


def random_crop(images: Tensor, padding: int, generator: torch.Generator) -> Tensor:
    """Images cropped like ``RandomCrop(size, padding)``, with ``size`` that of the images."""
    top, left = sent(_integers(2 * padding + 1, len(images), generator), images.device)
    return crop(images, padding, top, left)


def crop(
    images: Tensor, padding: int, top: Tensor, left: Tensor, side: int | None = None
) -> Tensor:
    """A part cut out of the images with ``padding`` zeros on each side.

    Args:
        images: ``(N, C, H, W)``, any dtype.
        padding: Pixels added on each side.
        top: Upper edge of each cut, ``(N,)``, counted from that of the zeros.
        left: Left edge of each cut, ``(N,)``.
        side: Height and width of the cut; those of the images if None.

    Example:
        >>> image = torch.tensor([[[[1, 2], [3, 4]]]])
        >>> crop(image, 1, torch.tensor([0]), torch.tensor([1]))
        tensor([[[[0, 0], [1, 2]]]])
    """
    n, channels, *size = images.shape
    height, width = size if side is None else (side, side)
    padded = functional.pad(images, [padding] * 4)
    rows = top[:, None] + torch.arange(height, device=images.device)
    columns = left[:, None] + torch.arange(width, device=images.device)
    places = rows[:, :, None] * padded.shape[3] + columns[:, None, :]
    index = places.reshape(n, 1, -1).expand(-1, channels, -1)
    return padded.flatten(2).gather(2, index).reshape(n, channels, height, width)


def random_flip(images: Tensor, probability: float, generator: torch.Generator) -> Tensor:
    """Images mirrored like ``RandomHorizontalFlip(probability)``."""
    draws = torch.rand(len(images), generator=generator, device=generator.device)
    return flip(images, sent(draws < probability, images.device))


def flip(images: Tensor, mirrored: Tensor) -> Tensor:
    """The images, those of the mask ``mirrored`` ``(N,)`` with left and right exchanged."""
    return torch.where(mirrored[:, None, None, None], images.flip(3), images)


def random_shift(images: Tensor, pixels: int, generator: torch.Generator) -> Tensor:
    """Images moved like ``RandomAffine(0, translate=(pixels / W, pixels / H))``.

    The amounts are rounded from the continuous range, so the largest are half as frequent as the
    others; where all shall be equally frequent, use :func:`random_crop`.
    """
    draws = _uniform(pixels, (2, len(images)), generator).round().long()
    down, right = sent(draws, images.device)
    return shift(images, pixels, down, right)


def shift(images: Tensor, pixels: int, down: Tensor, right: Tensor) -> Tensor:
    """The images moved by up to ``pixels`` along each axis; zeros come in at the other side."""
    return crop(images, pixels, pixels - down, pixels - right)


def random_rotation(images: Tensor, degrees: float, generator: torch.Generator) -> Tensor:
    """Images turned like ``RandomRotation(degrees)``: nearest pixel, zeros outside."""
    drawn = _uniform(degrees, (len(images),), generator)
    return rotate(images, sent(drawn, images.device))


def rotate(images: Tensor, degrees: Tensor) -> Tensor:
    """The images turned counter-clockwise around their centre; nearest pixel, zeros outside.

    Args:
        images: ``(N, C, H, W)``.
        degrees: Angle of each image, ``(N,)``.
    """
    height, width = images.shape[2:]
    angles = degrees.double() * (math.pi / 180)
    # Where each pixel of the result comes from, in pixels from the centre.
    y = torch.arange(height, device=images.device, dtype=torch.float64) - (height - 1) / 2
    x = torch.arange(width, device=images.device, dtype=torch.float64) - (width - 1) / 2
    cos, sin = angles.cos()[:, None, None], angles.sin()[:, None, None]
    from_x = x[None, None, :] * cos - y[None, :, None] * sin
    from_y = x[None, None, :] * sin + y[None, :, None] * cos
    grid = torch.stack([from_x / (width / 2), from_y / (height / 2)], dim=3)
    turned = functional.grid_sample(
        images.float(), grid.float(), mode="nearest", padding_mode="zeros", align_corners=False
    )
    return turned.to(images.dtype)


def colour_moves(count: int, deviation: float, generator: torch.Generator) -> Tensor:
    """Moves of the colour of ``count`` images along the principal axes of ImageNet's colours.

    Reference:
        Krizhevsky et al. 2012, section 4.1; axes and variances as in facebook/fb.resnet.torch.

    Args:
        count: Number of images.
        deviation: Deviation of the normal amounts, as a share of the variances; 0.1 in the
            reference.
        generator: Random stream of the amounts.

    Returns:
        ``(count, 3)``, to be added to every pixel, where pixels go from 0 to 1.
    """
    amounts = draw("randn", (count, 3), generator) * deviation
    return (amounts * COLOUR_VARIANCES.to(amounts.device)) @ COLOUR_AXES.to(amounts.device).T


def _integers(below: int, count: int, generator: torch.Generator) -> Tensor:
    """Two random integers for each image, ``(2, count)``."""
    return torch.randint(below, (2, count), generator=generator, device=generator.device)


def _uniform(limit: float, size: tuple[int, ...], generator: torch.Generator) -> Tensor:
    """Random numbers from ``-limit`` to ``limit``, float64."""
    draws = torch.rand(size, generator=generator, device=generator.device, dtype=torch.float64)
    return (2 * draws - 1) * limit
