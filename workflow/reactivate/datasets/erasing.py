"""Random erasing of a whole batch of images at once: rectangles of noise at random places."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from reactivate.foundation.device import sent
from reactivate.layers.portions import continued_for_images, draw, draw_integers

ATTEMPTS = 10  # to find a rectangle that fits
SMALLEST, LARGEST = 0.02, 1 / 3  # share of the image that all rectangles take together
STEEPEST = 0.3  # smallest quotient of height and width, or of width and height


@dataclass(frozen=True)
class RandomErasing:
    """Rectangles of normal noise, one number per pixel and channel, in normalised images.

    With ``count = 1`` it is torchvision's ``RandomErasing(value="random", scale=(0.02, 1 / 3),
    ratio=(0.3, 1 / 0.3))``.

    Reference:
        Zhong et al. 2020 (arXiv:1708.04896), as timm 0.4.12 has it (``pixel``): the number of
        rectangles is drawn from 1 to ``count``, and each takes its share of the area.

    Args:
        probability: Probability that an image has any.
        count: Largest number of rectangles.
    """

    probability: float
    count: int = 1

    def __call__(self, images: Tensor, generator: torch.Generator) -> Tensor:
        """Images ``(N, C, H, W)`` with their rectangles; floats with deviation 1."""
        height, width = images.shape[2:]
        erased = sent(self.places(len(images), height, width, generator), images.device)
        noise = draw("randn", images.shape, continued_for_images(generator, images.device))
        return torch.where(erased[:, None], noise.to(images), images)

    def places(self, images: int, height: int, width: int, generator: torch.Generator) -> Tensor:
        """Pixels that are erased, ``(images, height, width)``."""
        shape = (images, self.count, ATTEMPTS)
        counts = draw_integers(1, self.count + 1, (images, 1, 1), generator)
        share = _uniform(SMALLEST, LARGEST, shape, generator) * height * width / counts
        ratio = _uniform(math.log(STEEPEST), -math.log(STEEPEST), shape, generator).exp()
        tall, wide = (share * ratio).sqrt().round(), (share / ratio).sqrt().round()
        fits = (tall < height) & (wide < width)
        first = fits.int().argmax(2, keepdim=True)
        tall, wide = (sides.gather(2, first) for sides in (tall, wide))
        hit = draw("rand", (images, 1), generator) < self.probability
        made = hit & fits.any(2) & (torch.arange(self.count) < counts[:, :, 0])
        # a whole number from 0 to what is left; rounding cannot reach what is beyond
        top = (_uniform(0, 1, tall.shape, generator) * (height - tall + 1)).floor()
        left = (_uniform(0, 1, wide.shape, generator) * (width - wide + 1)).floor()
        rows, columns = torch.arange(height), torch.arange(width)
        inside_rows = (rows >= top) & (rows < top + tall)
        inside_columns = (columns >= left) & (columns < left + wide)
        inside = inside_rows[..., :, None] & inside_columns[..., None, :]
        return (inside & made[..., None, None]).any(1)


def _uniform(low: float, high: float, shape: tuple[int, ...], random: torch.Generator) -> Tensor:
    return low + (high - low) * draw("rand", shape, random, torch.float64)
