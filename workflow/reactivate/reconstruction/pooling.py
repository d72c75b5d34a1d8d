"""Pooling regions: the smallest inputs that a convolution and a max-pooling make a number of."""

import torch
from torch import Generator, Tensor, nn

from reactivate.reconstruction.shifts import Pair


def region_size(conv: nn.Conv2d, pool: nn.MaxPool2d) -> Pair:
    """Height and width of the input behind one pooled feature.

    Example:
        >>> region_size(nn.Conv2d(1, 1, 3), nn.MaxPool2d(3, stride=2))
        (5, 5)
    """
    pooled = both(pool.kernel_size)
    high, wide = (
        (pooled[axis] - 1) * conv.stride[axis] + conv.kernel_size[axis] for axis in (0, 1)
    )
    return high, wide


def region_starts(side: int, conv: nn.Conv2d, pool: nn.MaxPool2d, axis: int) -> list[int]:
    """First rows or columns of the regions that are inside the input, without padding.

    Args:
        side: Size of the input along the axis.
        conv: The convolution.
        pool: The max-pooling.
        axis: 0 for rows, 1 for columns.

    Example:
        >>> region_starts(9, nn.Conv2d(1, 1, 3, padding=1), nn.MaxPool2d(3, stride=2), axis=0)
        [1, 3]
    """
    assert not isinstance(conv.padding, str)
    size = region_size(conv, pool)[axis]
    stride, shift = both(pool.stride)[axis], both(pool.padding)[axis]
    starts = (
        (place * stride - shift) * conv.stride[axis] - conv.padding[axis] for place in range(side)
    )
    return [start for start in starts if 0 <= start <= side - size]


def draw_regions(x: Tensor, conv: nn.Conv2d, pool: nn.MaxPool2d, random: Generator) -> Tensor:
    """A random region of each image, inside of it, ``(N, C, H, W)`` to ``(N, C, h, w)``.

    Raises:
        ValueError: The images are smaller than a region.
    """
    high, wide = region_size(conv, pool)
    rows, columns = (region_starts(x.shape[2 + axis], conv, pool, axis) for axis in (0, 1))
    if not rows or not columns:
        raise ValueError(
            f"features of {tuple(x.shape[2:])} hold no pooling region of {high} x {wide}; "
            "accepted: larger ones. Choose a larger image or another layer"
        )
    drawn = torch.rand(len(x), 2, generator=random)  # image by image, however many follow
    corners = [
        (rows[int(row * len(rows))], columns[int(column * len(columns))])
        for row, column in drawn.tolist()
    ]
    return torch.stack(
        [
            image[:, top : top + high, left : left + wide]
            for image, (top, left) in zip(x, corners, strict=True)
        ]
    )


def both(value: int | tuple[int, ...]) -> Pair:
    """Values along rows and columns, the same if one is given for both.

    Example:
        >>> both(3), both((2, 1))
        ((3, 3), (2, 1))
    """
    high, wide = (value, value) if isinstance(value, int) else value
    return high, wide
