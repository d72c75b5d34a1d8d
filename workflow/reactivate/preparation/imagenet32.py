"""Downsampled ImageNet from the user's folder: ten training batches and one to validate."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.preparation.arrays import check_labels, check_official
from reactivate.preparation.pickles import load_arrays
from reactivate.preparation.tensor_files import Piece

TRAIN = [f"train_data_batch_{number}" for number in range(1, 11)]
VALIDATION = "val_data"


def read_imagenet32(folder: Path, wanted: FolderSet) -> Iterator[Piece]:
    """All images of the folder in the order of the batches, one batch at a time in memory.

    Each batch is a pickle without suffix or an ``.npz``, as offered by the authors, with ``data``
    ``(N, 3 * 32 * 32)`` uint8 and ``labels`` from 1 to the number of classes.

    Reference:
        Chrabaszcz et al. 2017 (arXiv:1707.08819).

    Raises:
        ValueError: A batch is missing, damaged or of another shape.
    """
    if wanted.shape is None:
        raise ValueError(f"{wanted.title} has no shape; add it in config/datasets.yaml")
    paths = {name: _find(folder, name) for name in (*TRAIN, VALIDATION)}
    if missing := [name for name, path in paths.items() if path is None]:
        raise ValueError(
            f"{folder} ({wanted.variable}) has no {', '.join(missing)}; expected "
            f"{TRAIN[0]} to {TRAIN[-1].rpartition('_')[2]} and {VALIDATION}, as pickle or .npz"
        )
    batches = {name: path for name, path in paths.items() if path is not None}
    done = {"train": 0, "test": 0}
    expected = {"train": wanted.train, "test": wanted.test}
    for name, path in batches.items():
        part = "test" if name == VALIDATION else "train"
        images, labels = _batch(path, wanted)
        check_labels(labels, wanted.classes, f"{path}: {part}")
        start, done[part] = done[part], done[part] + len(images)
        if done[part] <= expected[part]:
            yield Piece(f"{part}_images", start, images)
            yield Piece(f"{part}_labels", start, labels)
    for part, count in done.items():
        if count != expected[part]:
            raise ValueError(
                f"the {part} batches in {folder} hold {count} images, expected {expected[part]}; "
                f"set {wanted.variable} to a folder with all of them"
            )


def _find(folder: Path, name: str) -> Path | None:
    """Path of a batch, as pickle or ``.npz``; None if there is neither."""
    return next((path for path in (folder / name, folder / f"{name}.npz") if path.is_file()), None)


def _batch(path: Path, wanted: FolderSet) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Images and labels of one batch, checked."""
    content = path.read_bytes()
    if path.name in wanted.official:
        check_official(path.name, content, wanted.official)
    loaded = (_npz if path.suffix == ".npz" else load_arrays)(str(path), content)
    del content  # as large as what was loaded
    shape = wanted.shape or ()
    data, labels = (np.asarray(loaded.get(key)) for key in ("data", "labels"))
    if data.dtype != np.uint8 or data.shape != (len(labels.ravel()), np.prod(shape)):
        raise ValueError(
            f"{path} has data of shape {data.shape} ({data.dtype}) for {labels.size} labels; "
            f"expected ({labels.size}, {np.prod(shape)}) of uint8. Supply the official file"
        )
    return data.reshape(-1, *shape), labels.ravel().astype(np.int64) - 1  # they count from 1


def _npz(name: str, content: bytes) -> dict[str, Any]:
    """The arrays in an ``.npz`` file, by name."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return dict(arrays)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError) as error:
        raise ValueError(f"cannot read {name}: {error}; supply the official file") from None
