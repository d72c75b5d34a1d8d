"""The pictures of ImageNet's folder, listed once: a million files are not looked for again."""

import hashlib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from reactivate.datasets.picture_sets import FolderPictures
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.foundation.files import write_atomically
from reactivate.preparation.folders import PARTS, imagenet_files

LISTING = "listing.npz"


def listed_pictures(folder: Path, wanted: FolderSet, kept: Path) -> dict[str, FolderPictures]:
    """The pictures of ``train`` and ``val``, from the listing if it is still that of the folder.

    A file that is added or removed changes the time of its class's folder, and with it the stamp
    of the listing: then, or without a listing, the folder is scanned and checked.

    Args:
        folder: The folder that holds ``train`` and ``val``.
        wanted: What the catalog says of the set.
        kept: The folder in which the listing is kept.

    Raises:
        ValueError: The folder has another form; see :func:`imagenet_files`.
    """
    path = kept / LISTING
    stamp = _stamp(folder, wanted)
    arrays = _read(path)
    if arrays is None or str(arrays["stamp"]) != stamp:
        arrays = {"stamp": np.array(stamp), **_scan(folder, wanted)}
        with write_atomically(path, "the folder data") as part, part.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
    return {
        part: FolderPictures(
            folder, arrays[f"{part}_names"], torch.from_numpy(arrays[f"{part}_labels"])
        )
        for part in PARTS
    }


def _scan(folder: Path, wanted: FolderSet) -> dict[str, NDArray[Any]]:
    """Paths and labels of all pictures of a folder, class after class."""
    arrays: dict[str, NDArray[Any]] = {}
    for part, classes in imagenet_files(folder, wanted).items():
        names = [f"{part}/{name}/{file}" for name, files in classes.items() for file in files]
        arrays[f"{part}_names"] = np.array([name.encode() for name in names], dtype=np.bytes_)
        counts = [len(files) for files in classes.values()]
        arrays[f"{part}_labels"] = np.repeat(np.arange(len(counts)), counts)
    return arrays


def _stamp(folder: Path, wanted: FolderSet) -> str:
    """Digest of what a listing depends on: the place, the catalog, and times of all folders."""
    told = [str(folder.resolve()), wanted.fingerprint()]
    for part in PARTS:
        inside = sorted(path for path in (folder / part).glob("*") if path.is_dir())
        told += [f"{path.name} {path.stat().st_mtime_ns}" for path in inside]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def _read(path: Path) -> dict[str, NDArray[Any]] | None:
    """The arrays of a listing; None if there is none that can be read."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        return None
