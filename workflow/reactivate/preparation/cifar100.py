"""CIFAR-100 read from its Python version: pickles, opened only with the official checksum."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.imagesets import ImageSet
from reactivate.preparation.archives import read_members
from reactivate.preparation.arrays import ImageArrays, check_official
from reactivate.preparation.pickles import load_arrays


def read_cifar100(files: Mapping[str, Path], wanted: ImageSet) -> ImageArrays:
    """Images and fine labels of the members ``train`` and ``test`` of the archive."""
    (archive,) = files.values()
    members = {PurePosixPath(name).name: content for name, content in read_members(archive)}
    if missing := [name for name in wanted.official if name not in members]:
        raise ValueError(f"{archive.name} holds no {', '.join(missing)}; supply the official file")
    for name in wanted.official:
        check_official(name, members[name], wanted.official)
    train, test = (_part(name, members[name], wanted) for name in ("train", "test"))
    return ImageArrays(*train, *test)


def _part(
    name: str, content: bytes, wanted: ImageSet
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Images and fine labels of one member of the archive."""
    check_official(name, content, wanted.official)  # never open a pickle on another's word
    loaded = load_arrays(name, content)
    if missing := [key for key in ("data", "fine_labels") if key not in loaded]:
        keys = ", ".join(map(str, loaded))
        raise ValueError(
            f"{name} has no {', '.join(missing)}; it has {keys}. Supply the official file"
        )
    return (
        loaded["data"].reshape(-1, *wanted.shape),
        np.array(loaded["fine_labels"], dtype=np.int64),
    )
