"""Patterns packed into bits, and the bits that pairs of points share or differ in."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

WORDS = 800  # of 64 bits in a block: fewer than 1024, so that 16 bits hold their number of ones
ROWS = 64  # of a block: with what is computed from it, it stays in cache

Words = NDArray[np.uint64]


def pack(flags: NDArray[np.bool | np.integer[Any]]) -> Words:
    """Flags ``(N, L)``, of which those that are not 0 become ones, as words ``(N, W)``."""
    octets = np.packbits(flags, axis=1)
    missing = -octets.shape[1] % 8
    return np.pad(octets, ((0, 0), (0, missing))).view(np.uint64)


def count_common(a: Words, b: Words | None = None) -> NDArray[np.int64]:
    """Number of ones that every row of ``a`` has in common with every row of ``b``, ``(N, M)``.

    Args:
        a: Packed bits ``(N, W)``.
        b: Packed bits ``(M, W)``; None for ``a`` itself, whose lower half is copied.
    """
    return _count(np.bitwise_and, a, b)


def count_different(a: Words, b: Words | None = None) -> NDArray[np.int64]:
    """Number of bits in which every row of ``a`` differs from every row of ``b``, ``(N, M)``.

    Args:
        a: Packed bits ``(N, W)``.
        b: Packed bits ``(M, W)``; None for ``a`` itself, whose lower half is copied.
    """
    return _count(np.bitwise_xor, a, b)


def _count(operation: np.ufunc, a: Words, b: Words | None) -> NDArray[np.int64]:
    """Ones of an operation on every pair; one row meets many at a time, all in cache."""
    others = a if b is None else b
    total = np.zeros((len(a), len(others)), dtype=np.int64)
    for words in _slices(a.shape[1], WORDS):
        left = np.ascontiguousarray(a[:, words])
        right = left if b is None else np.ascontiguousarray(b[:, words])
        for rows in _slices(len(right), ROWS):
            block = right[rows]
            met, ones = np.empty_like(block), np.empty(block.shape, dtype=np.uint8)
            counts = np.zeros((len(left), len(block)), dtype=np.uint16)
            for number, row in enumerate(left[: rows.stop] if b is None else left):
                new = slice(max(0, number - rows.start) if b is None else 0, None)
                np.bitwise_count(operation(block[new], row, out=met[new]), out=ones[new])
                np.add.reduce(ones[new], axis=1, dtype=np.uint16, out=counts[number, new])
            total[:, rows] += counts
    return total if b is not None else total + np.triu(total, 1).T


def _slices(length: int, size: int) -> Iterator[slice]:
    return (slice(start, min(start + size, length)) for start in range(0, length, size))
