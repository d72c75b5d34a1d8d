"""The kernels of the CReLU paper's Tables S1, S2 and S11, as printed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

CLASSES = 100  # of "10/100" in the last layer


@dataclass(frozen=True)
class Kernel:
    """One convolution, ``size x size x reads x filters``; CReLU doubles what the next reads."""

    size: int
    reads: int
    filters: int
    doubled: bool = False

    @property
    def weights(self) -> int:
        return self.size**2 * self.reads * self.filters


def kernels(
    *sizes: tuple[int, int, int], doubled: bool = False, last_doubled: bool = False
) -> list[Kernel]:
    """A chain of convolutions that use CReLU (``doubled``) up to the last one, or do not."""
    *inner, last = sizes
    return [*(Kernel(*size, doubled) for size in inner), Kernel(*last, last_doubled)]


def count_printed(kernels: Sequence[Kernel]) -> int:
    """Weights and biases of a list of kernels.

    Example:
        >>> count_printed([Kernel(3, 3, 96)])
        2688
    """
    return sum(kernel.weights + kernel.filters for kernel in kernels)


def misfits(kernels: Sequence[Kernel]) -> list[int]:
    """Numbers of the layers that do not read what the layer before them gives.

    Example:
        >>> misfits([Kernel(3, 3, 48, doubled=True), Kernel(1, 48, 10)])
        [2]
    """
    pairs = pairwise(kernels)
    return [
        number
        for number, (before, after) in enumerate(pairs, start=2)
        if after.reads != before.filters * (2 if before.doubled else 1)
    ]


BASELINE = kernels(  # Table S1, left
    (3, 3, 96),
    (3, 96, 96),
    (3, 96, 192),
    (3, 192, 192),
    (3, 192, 192),
    (3, 192, 192),
    (1, 192, 192),
    (1, 192, CLASSES),
)
DOUBLE = kernels(  # Table S1, right
    (3, 3, 192),
    (3, 192, 192),
    (3, 192, 384),
    (3, 384, 384),
    (3, 384, 384),
    (3, 384, 384),
    (1, 384, 384),
    (1, 384, CLASSES),
)
CRELU = kernels(  # Table S2, left
    (3, 3, 96),
    (3, 192, 96),
    (3, 192, 192),
    (3, 384, 192),
    (3, 384, 192),
    (3, 384, 192),
    (1, 384, 192),
    (1, 384, CLASSES),
    doubled=True,
)
HALF = kernels(  # Table S2, right
    (3, 3, 48),
    (3, 96, 48),
    (3, 96, 48),
    (3, 96, 96),
    (3, 192, 96),
    (3, 192, 96),
    (1, 192, 96),
    (1, 192, CLASSES),
    doubled=True,
)
ALL = kernels(  # Table S11
    (11, 3, 48),
    (1, 96, 48),
    (3, 96, 48),
    (5, 96, 128),
    (1, 256, 128),
    (3, 256, 128),
    (3, 256, 192),
    (1, 384, 192),
    (3, 384, 192),
    (3, 384, 512),
    (1, 512, 512),
    (1, 512, 1000),
    doubled=True,
    last_doubled=True,
)
