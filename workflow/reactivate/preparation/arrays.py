"""The four arrays of a set of images, and the check that they are what the catalog says."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.imagesets import Sized


@dataclass(frozen=True)
class ImageArrays:
    """Images ``(N, C, H, W)`` uint8 and labels ``(N,)`` int64, for training and for testing."""

    train_images: NDArray[np.uint8]
    train_labels: NDArray[np.int64]
    test_images: NDArray[np.uint8]
    test_labels: NDArray[np.int64]

    def named(self) -> dict[str, NDArray[Any]]:
        """The arrays by name, contiguous, as they are saved."""
        return {name: np.ascontiguousarray(array) for name, array in vars(self).items()}


def check_arrays(arrays: ImageArrays, wanted: Sized, shape: tuple[int, ...], where: str) -> None:
    """Raises unless sizes, types and labels are those of the catalog.

    Args:
        arrays: The arrays that were read.
        wanted: The catalog entry.
        shape: Channels, height, width.
        where: Name of what was read, for the message.

    Raises:
        ValueError: An array is of another kind; the message says which, and what was expected.
    """
    for part, count in (("train", wanted.train), ("test", wanted.test)):
        images, labels = (arrays.named()[f"{part}_{what}"] for what in ("images", "labels"))
        for array, expected in ((images, (count, *shape)), (labels, (count,))):
            if array.shape != expected:
                raise ValueError(
                    f"{where}: the {part} part has shape {array.shape}, expected {expected}; "
                    f"supply the whole set, or correct {part}, shape in config/datasets.yaml"
                )
        if images.dtype != np.uint8 or labels.dtype != np.int64:
            raise ValueError(
                f"{where}: {part} images are {images.dtype} and labels {labels.dtype}; "
                "expected uint8 and int64. Supply the set in its official format"
            )
        check_labels(labels, wanted.classes, f"{where}: {part}")


def check_labels(labels: NDArray[np.int64], classes: int, what: str) -> None:
    """Raises unless labels count from 0 and are less than the number of classes."""
    if labels.min() < 0 or labels.max() >= classes:
        raise ValueError(
            f"{what} labels go from {labels.min()} to {labels.max()}; expected "
            f"0 to {classes - 1}. Correct classes in config/datasets.yaml"
        )


def check_official(name: str, content: bytes, official: Mapping[str, str]) -> bytes:
    """The content of a file, if it has the md5 that is published for its name.

    Raises:
        ValueError: The md5 is another, or none is published; nothing of it was interpreted.
    """
    if name not in official:
        known = ", ".join(official) or "none"
        raise ValueError(f"{name} has no official md5 (known: {known}); it is not read")
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    if md5 != official[name]:
        raise ValueError(
            f"{name} ({len(content)} bytes) has md5 {md5}, expected {official[name]}; "
            "it is not read. Supply the official file, or correct official in config/datasets.yaml"
        )
    return content
