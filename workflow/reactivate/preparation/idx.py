"""MNIST's idx files: four big-endian header bytes, the sizes, then the numbers."""

import gzip
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.imagesets import ImageSet
from reactivate.preparation.arrays import ImageArrays, check_official

UNSIGNED_BYTE = 0x08
FILES = {
    "train_images": "train-images-idx3-ubyte",
    "train_labels": "train-labels-idx1-ubyte",
    "test_images": "t10k-images-idx3-ubyte",
    "test_labels": "t10k-labels-idx1-ubyte",
}


def read_idx(files: Mapping[str, Path], wanted: ImageSet) -> ImageArrays:
    """The images and labels of the four files, each checked against its official md5 first."""
    parts = {}
    for part, name in FILES.items():
        if name not in files:
            raise ValueError(f"the source has no {name}; add it to files in config/datasets.yaml")
        content = check_official(name, _content(files[name]), wanted.official)
        parts[part] = parse_idx(name, content)
    return ImageArrays(
        parts["train_images"][:, None],  # one channel
        parts["train_labels"].astype(np.int64),
        parts["test_images"][:, None],
        parts["test_labels"].astype(np.int64),
    )


def parse_idx(name: str, content: bytes) -> NDArray[np.uint8]:
    """The array in an idx file of bytes.

    Example:
        >>> parse_idx("toy", bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 9]))
        array([7, 9], dtype=uint8)
    """
    zero, kind, dimensions = struct.unpack(">HBB", content[:4].ljust(4, b"\xff"))
    start = 4 + 4 * dimensions
    if zero or kind != UNSIGNED_BYTE or len(content) < start:
        raise ValueError(
            f"{name} starts with {content[:4].hex()}, not with the head of an idx file of bytes "
            "(000008 and the number of dimensions); supply the official file"
        )
    sizes = struct.unpack(f">{dimensions}I", content[4:start])
    if len(content) - start != np.prod(sizes, dtype=object):
        raise ValueError(
            f"{name} has {len(content) - start} bytes of data, its head says {sizes}; "
            "it was cut short or damaged: supply the official file"
        )
    return np.frombuffer(content, dtype=np.uint8, offset=start).reshape(sizes)


def _content(path: Path) -> bytes:
    """The bytes of a file, unpacked if it is compressed."""
    if path.suffix != ".gz":
        return path.read_bytes()
    try:
        with gzip.open(path) as file:
            return file.read()
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"cannot unpack {path.name}: {error}; supply the official file") from None
