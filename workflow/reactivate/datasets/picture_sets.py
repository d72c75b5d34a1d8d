"""Sets of pictures that are too large for memory: the bytes of each are read when it is used."""

import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


class PictureSet(Protocol):
    """Pictures with a number and a label each."""

    @property
    def labels(self) -> Tensor:
        """Labels ``(N,)`` in the order of the pictures."""

    def read(self, number: int) -> tuple[str, bytes]:
        """Name and encoded bytes of a picture."""


@dataclass(frozen=True)
class FolderPictures:
    """Pictures in files of their own.

    Args:
        folder: The folder that all names start from.
        names: Paths below it, as an array of bytes: worker processes share its memory, which they
            would not with a list of texts.
        labels: Label of each picture.
    """

    folder: Path
    names: NDArray[np.bytes_]
    labels: Tensor

    def read(self, number: int) -> tuple[str, bytes]:
        """Name and content of the file of a picture."""
        path = self.folder / os.fsdecode(bytes(self.names[number]))
        return str(path), path.read_bytes()


@dataclass(frozen=True)
class ShardPictures:
    """Pictures in a few large files, each at a place of its own.

    Args:
        folder: The folder of the files.
        shards: Names of the files.
        places: File, first byte, length and CRC-32 of each picture, ``(N, 4)``.
        labels: Label of each picture.
    """

    folder: Path
    shards: Sequence[str]
    places: Tensor
    labels: Tensor
    _opened: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    def read(self, number: int) -> tuple[str, bytes]:
        """Name and bytes of a picture, which must be those that were packed.

        Raises:
            ValueError: The file was changed or damaged.
        """
        shard, start, length, checksum = self.places[number].tolist()
        path = self.folder / self.shards[shard]
        if path.name not in self._opened:
            self._opened[path.name] = os.open(path, os.O_RDONLY)
        # processes may share the descriptor: nobody moves its position
        content = os.pread(self._opened[path.name], length, start)
        if zlib.crc32(content) != checksum:
            raise ValueError(
                f"{path}: {len(content)} bytes from {start} are not the picture that was packed; "
                "the file was changed or damaged: delete it and pack the set again"
            )
        return f"{path} at {start}", content

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_opened": {}}  # descriptors belong to one process

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
