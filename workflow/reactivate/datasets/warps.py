"""Affine changes of a whole batch of images at once, each image by its own amount.

A matrix tells where each pixel of the result comes from: ``(x, y)`` of the result, counted from
the centre of the image, is ``matrix @ (x, y, 1)`` in the source.
"""

import torch
from torch import Tensor
from torch.nn import functional

from reactivate.foundation.device import sent


def warp(images: Tensor, matrices: Tensor, fill: Tensor) -> Tensor:
    """Images under affine maps, interpolated bilinearly, as torchvision's ``affine`` makes them.

    Args:
        images: ``(N, C, H, W)``, uint8.
        matrices: Map of each image, ``(N, 2, 3)``, see this module.
        fill: Colour of what comes in from outside, ``(C)``, from 0 to 255.

    Example:
        >>> image = torch.tensor([[[[1, 2], [3, 4]]]], dtype=torch.uint8)
        >>> warp(image, moved(torch.tensor([1.0]), torch.tensor([0.0])), torch.tensor([9.0]))
        tensor([[[[2, 9], [4, 9]]]], dtype=torch.uint8)
    """
    height, width = images.shape[2:]
    x = torch.linspace((1 - width) / 2, (width - 1) / 2, width, device=images.device)
    y = torch.linspace((1 - height) / 2, (height - 1) / 2, height, device=images.device)
    places = torch.stack([x.expand(height, -1), y[:, None].expand(-1, width)], dim=2)
    homogeneous = functional.pad(places.flatten(0, 1), (0, 1), value=1.0)
    half = sent(torch.tensor([width / 2, height / 2]), images.device)
    grid = homogeneous @ (sent(matrices.float(), images.device).mT / half)
    pixels = functional.pad(images.float(), (0, 0, 0, 0, 0, 1), value=1.0)  # and what is inside
    taken = functional.grid_sample(
        pixels, grid.view(len(images), height, width, 2), padding_mode="zeros", align_corners=False
    )
    colours, inside = taken[:, :-1], taken[:, -1:]
    outside = fill.to(colours)[:, None, None]
    return ((colours - outside) * inside + outside).round().to(images.dtype)


def turned(degrees: Tensor) -> Tensor:
    """Matrices that turn images counter-clockwise around their centre, ``(N, 2, 3)``."""
    cos, sin = degrees.deg2rad().cos(), degrees.deg2rad().sin()
    return _matrices(cos, -sin, sin, cos, torch.zeros_like(cos), torch.zeros_like(cos))


def sheared(right: Tensor, down: Tensor, size: tuple[int, int]) -> Tensor:
    """Matrices that shear images from their upper left corner, ``(N, 2, 3)``.

    Args:
        right: Pixels in x, per pixel in y, by which a pixel comes from further right, ``(N)``.
        down: Pixels in y per pixel in x, ``(N)``.
        size: Height and width of the images.
    """
    height, width = size
    one = torch.ones_like(right)
    return _matrices(one, right, down, one, right * height / 2, down * width / 2)


def moved(right: Tensor, down: Tensor) -> Tensor:
    """Matrices by which pixels come from further right and down, in pixels, ``(N, 2, 3)``."""
    one, zero = torch.ones_like(right), torch.zeros_like(right)
    return _matrices(one, zero, zero, one, right, down)


def _matrices(a: Tensor, b: Tensor, d: Tensor, e: Tensor, c: Tensor, f: Tensor) -> Tensor:
    return torch.stack([a, b, c, d, e, f], dim=1).view(-1, 2, 3)
