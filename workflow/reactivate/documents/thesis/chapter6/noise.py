"""Noise around single images, the same for every network: a stream per image."""

from collections.abc import Iterator

import torch
from torch import Tensor

from reactivate.foundation.seeding import generator

BATCH = 250  # noisy images at a time


def noise(kind: str, dataset: str, image: int, like: Tensor, samples: int) -> Iterator[Tensor]:
    """Noise for one image, in parts of at most ``BATCH``, each ``(n, *)``.

    Args:
        kind: ``sign`` for -1 and 1, ``uniform`` for numbers between them, ``normal`` for standard
            normal ones.
        dataset: Where the image is from; with its number it names the stream.
        image: Number of the image.
        like: The image, ``(*)``.
        samples: How much noise.

    Example:
        >>> [part.shape for part in noise("sign", "cifar10", 0, torch.zeros(3, 4), 300)]
        [torch.Size([250, 3, 4]), torch.Size([50, 3, 4])]
    """
    stream = generator(dataset, kind, "noise", image)
    for start in range(0, samples, BATCH):
        shape = (min(BATCH, samples - start), *like.shape)
        if kind == "normal":
            drawn = torch.randn(shape, generator=stream)
        elif kind == "uniform":
            drawn = 2 * torch.rand(shape, generator=stream) - 1
        else:
            drawn = 2 * torch.randint(2, shape, generator=stream) - 1
        yield drawn.to(like)
