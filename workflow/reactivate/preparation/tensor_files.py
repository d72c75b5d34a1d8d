"""A safetensors file written piece by piece, so that no tensor of it has to be in memory whole."""

import json
from collections.abc import Iterable, Mapping
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# names of the format, in the order of tensors in a file: the most aligned first
TYPES = {np.dtype(np.int64): "I64", np.dtype(np.float64): "F64", np.dtype(np.uint8): "U8"}
ALIGNED = 8  # bytes, at which the first tensor begins


class Whole(NamedTuple):
    """Type and shape of a tensor, before it is there."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @classmethod
    def of(cls, array: NDArray[Any]) -> "Whole":
        """Type and shape of an array."""
        return cls(array.dtype, array.shape)

    @property
    def bytes(self) -> int:
        """Size in the file."""
        return prod(self.shape) * self.dtype.itemsize


class Piece(NamedTuple):
    """Rows of a tensor from ``start`` on."""

    name: str
    start: int
    rows: NDArray[Any]


def write_tensors(path: Path, tensors: Mapping[str, Whole], pieces: Iterable[Piece]) -> None:
    """Writes the file that ``safetensors.numpy.save`` would make of the whole tensors.

    Args:
        path: The file.
        tensors: What the file will hold.
        pieces: Parts of the tensors in any order; together they must be all of them.

    Raises:
        ValueError: A piece does not fit into its tensor, or rows are missing at the end.
    """
    order = sorted(tensors, key=lambda name: (list(TYPES).index(tensors[name].dtype), name))
    places, end = {}, 0
    for name in order:
        places[name] = (end, end := end + tensors[name].bytes)
    header = json.dumps(
        {
            name: {
                "dtype": TYPES[tensors[name].dtype],
                "shape": tensors[name].shape,
                "data_offsets": places[name],
            }
            for name in order
        },
        separators=(",", ":"),
    ).encode()
    header += b" " * (-len(header) % ALIGNED)
    written = dict.fromkeys(tensors, 0)
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for name, start, rows in pieces:
            whole = tensors[name]
            stop = start + len(rows)
            if Whole.of(rows) != (whole.dtype, (len(rows), *whole.shape[1:])) or (
                stop > whole.shape[0]
            ):
                raise ValueError(
                    f"{name} is {whole}, into which {Whole.of(rows)} does not fit at row {start}"
                )
            size = whole.bytes // max(1, whole.shape[0])
            file.seek(8 + len(header) + places[name][0] + start * size)
            file.write(np.ascontiguousarray(rows).data)
            written[name] += len(rows)
    if missing := [name for name, count in written.items() if count != tensors[name].shape[0]]:
        raise ValueError(f"rows of {', '.join(missing)} were not written once each")
