"""Downsampled ImageNet from the user's folder: ten training batches and one to validate."""

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.preparation.arrays import ImageArrays, check_arrays, check_official
from reactivate.preparation.pickles import load_arrays

TRAIN = [f"train_data_batch_{number}" for number in range(1, 11)]
VALIDATION = "val_data"


def read_imagenet32(folder: Path, wanted: FolderSet) -> ImageArrays:
    """All images of the folder, in the order of the batches.

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
    images = np.empty((wanted.train, *wanted.shape), dtype=np.uint8)  # 4 GB, held once
    labels = np.empty(wanted.train, dtype=np.int64)
    start = 0
    for name in TRAIN:
        batch, batch_labels = _batch(batches[name], wanted)
        stop = start + len(batch)
        if stop <= wanted.train:
            images[start:stop], labels[start:stop] = batch, batch_labels
        start = stop
    if start != wanted.train:
        raise ValueError(
            f"the training batches in {folder} hold {start} images, expected {wanted.train}; "
            f"set {wanted.variable} to a folder with all of them"
        )
    arrays = ImageArrays(images, labels, *_batch(batches[VALIDATION], wanted))
    check_arrays(arrays, wanted, wanted.shape, str(folder))
    return arrays


def _find(folder: Path, name: str) -> Path | None:
    """Path of a batch, as pickle or ``.npz``; None if there is neither."""
    return next((path for path in (folder / name, folder / f"{name}.npz") if path.is_file()), None)


def _batch(path: Path, wanted: FolderSet) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Images and labels of one batch, checked."""
    content = path.read_bytes()
    if path.name in wanted.official:
        check_official(path.name, content, wanted.official)
    loaded = (_npz if path.suffix == ".npz" else load_arrays)(str(path), content)
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
