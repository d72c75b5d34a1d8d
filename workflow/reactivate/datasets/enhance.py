"""Changes of the colours of a whole batch of images at once, each image by its own amount.

All images are ``(N, C, H, W)`` uint8 with one or three channels, all amounts ``(N)``. For the same
amount the pixels are those of the torchvision function that each one names.
"""

import torch
from torch import Tensor
from torch.nn import functional

LIGHTNESS = (0.2989, 0.587, 0.114)  # of red, green and blue


def brightness(images: Tensor, factors: Tensor) -> Tensor:
    """Images blended with black, as ``adjust_brightness``."""
    return _blend(images.float(), torch.zeros((), device=images.device), factors)


def contrast(images: Tensor, factors: Tensor) -> Tensor:
    """Images blended with their mean lightness, as ``adjust_contrast``."""
    return _blend(images.float(), _lightness(images).mean((1, 2, 3), keepdim=True), factors)


def saturation(images: Tensor, factors: Tensor) -> Tensor:
    """Images blended with their lightness, as ``adjust_saturation``; grey ones stay.

    Example:
        >>> red = torch.tensor([200, 0, 0], dtype=torch.uint8).view(1, 3, 1, 1)
        >>> saturation(red, torch.tensor([0.0])).flatten()
        tensor([59, 59, 59], dtype=torch.uint8)
    """
    if images.shape[1] == 1:
        return images
    return _blend(images.float(), _lightness(images), factors)


def sharpness(images: Tensor, factors: Tensor) -> Tensor:
    """Images blended with blurred ones, as ``adjust_sharpness``; their borders stay."""
    channels, height, width = images.shape[1:]
    if min(height, width) <= 2:
        return images
    kernel = torch.ones(3, 3, device=images.device)
    kernel[1, 1] = 5
    plain = images.float()
    weight = (kernel / 13).expand(channels, 1, 3, 3)
    blurred = plain.clone()
    blurred[..., 1:-1, 1:-1] = functional.conv2d(plain, weight, groups=channels).round()
    back = (1 - factors).to(plain)[:, None, None, None]
    return (plain + back * (blurred - plain)).clamp(0, 255).to(images.dtype)


def posterize(images: Tensor, bits: Tensor) -> Tensor:
    """Images that keep the upper bits of every number, as ``posterize``."""
    mask = 256 - 2 ** (8 - bits.long())
    return images & mask.to(images.device, images.dtype)[:, None, None, None]


def solarize(images: Tensor, thresholds: Tensor) -> Tensor:
    """Images with all numbers from a threshold on inverted, as ``solarize``."""
    at = thresholds.to(images.device, torch.int16)[:, None, None, None]
    return torch.where(images.short() >= at, 255 - images, images)


def solarize_add(images: Tensor, amounts: Tensor) -> Tensor:
    """Images with an amount added to all numbers below 128.

    Example:
        >>> grey = torch.tensor([127, 128], dtype=torch.uint8).view(1, 1, 1, 2)
        >>> solarize_add(grey, torch.tensor([77])).flatten()
        tensor([204, 128], dtype=torch.uint8)
    """
    added = images.short() + amounts.to(images.device, torch.int16)[:, None, None, None]
    return torch.where(images < 128, added.clamp(max=255).to(images.dtype), images)


def _lightness(images: Tensor) -> Tensor:
    """Lightness of every pixel in whole numbers, ``(N, 1, H, W)``."""
    if images.shape[1] == 1:
        return images.float()
    red, green, blue = images.float().unbind(dim=1)
    grey = red * LIGHTNESS[0]
    whole = grey.add(green, alpha=LIGHTNESS[1]).add(blue, alpha=LIGHTNESS[2]).floor()
    return whole.unsqueeze(1)


def _blend(images: Tensor, others: Tensor, factors: Tensor) -> Tensor:
    """``factor * image + (1 - factor) * other``, cut off to what is left of the point."""
    share, rest = (part.to(images)[:, None, None, None] for part in (factors, 1 - factors))
    mixed = images * share + others.to(images) * rest
    return mixed.clamp(0, 255).to(torch.uint8)
