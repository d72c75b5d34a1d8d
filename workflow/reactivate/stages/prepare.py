"""Fetch a dataset, check it and write it as one safetensors file with its checksum and record."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.catalog import CATALOG, Dataset, Entry, catalog, dataset
from reactivate.experiment.catalog.imagesets import FolderSet, ImageSet, SceneSet
from reactivate.foundation.arguments import named_arguments
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_json, write_with_checksum
from reactivate.preparation.folders import user_folder
from reactivate.preparation.formats import read_folder, read_images, write_scenes
from reactivate.preparation.readers import read_table
from reactivate.preparation.sources import RAW, fetch, fetch_files
from reactivate.preparation.tensor_files import Piece, Whole, write_tensors

Record = dict[str, object]


def prepare(name: str, out: Path, raw: Path = RAW, config: Path = CATALOG) -> None:
    """Writes ``out``, its ``.sha256`` sibling and its ``.json`` record.

    A table has the tensors ``x`` and ``y``; images have ``train_images``, ``train_labels``,
    ``test_images`` and ``test_labels``. Scenes are a folder beside ``out``, which has checksums of
    its files.

    Args:
        name: A dataset of the catalog.
        out: The safetensors file.
        raw: The folder of files supplied by hand.
        config: The catalog.
    """
    wanted = dataset(name, config)
    if isinstance(wanted, Dataset):
        made = _table(name, wanted, raw, config)
    elif isinstance(wanted, ImageSet):
        made = _images(name, wanted, raw)
    elif isinstance(wanted, SceneSet):
        made = _scenes(wanted, out.with_suffix(""), raw, config)
    else:
        made = _folder(name, wanted)
    with write_with_checksum(out) as part:
        write_tensors(part, made.tensors, made.pieces)
        actual = sha256(part)
        if not isinstance(wanted, FolderSet):
            _check(name, wanted.prepared, actual, config)
        head: Record = {"dataset": name, "title": wanted.title, "licence": wanted.licence}
        tail: Record = {
            "bytes": part.stat().st_size,
            "sha256": actual,
            "source": made.source,
        }
        write_json(out.with_suffix(".json"), head | _sizes(wanted) | tail)


class Made(NamedTuple):
    """Tensors of a dataset, as they are written, and the source they are from."""

    tensors: Mapping[str, Whole]
    pieces: Iterable[Piece]
    source: Record


def _whole(arrays: Mapping[str, NDArray[Any]], source: Record) -> Made:
    """A dataset that is in memory."""
    tensors = {name: Whole.of(array) for name, array in arrays.items()}
    return Made(tensors, (Piece(name, 0, array) for name, array in arrays.items()), source)


def _table(name: str, wanted: Dataset, raw: Path, config: Path) -> Made:
    tables = [other for other in catalog(config).values() if isinstance(other, Dataset)]
    together = tuple(source for other in tables for source in other.sources)
    fetched = fetch(name, wanted, together, raw)
    x, y = read_table(fetched.path, fetched.source.read, wanted)
    return _whole({"x": x, "y": y}, _source(fetched.source))


def _images(name: str, wanted: ImageSet, raw: Path) -> Made:
    fetched = fetch_files(name, wanted, raw)
    return _whole(read_images(fetched, wanted).named(), _source(fetched.source))


def _scenes(wanted: SceneSet, folder: Path, raw: Path, config: Path) -> Made:
    objects = dataset(wanted.objects, config)
    if not isinstance(objects, ImageSet) or objects.shape[0] != 1:
        raise ValueError(
            f"objects are of {wanted.objects}; accepted: sets of kind images with one channel. "
            f"Correct objects in {config}"
        )
    fetched = fetch_files(wanted.objects, objects, raw)
    sums = write_scenes(folder, read_images(fetched, objects), wanted)
    return _whole(sums, {"objects": wanted.objects, **_source(fetched.source)})


def _folder(name: str, wanted: FolderSet) -> Made:
    tensors = {}
    for part, count in (("train", wanted.train), ("test", wanted.test)):
        tensors[f"{part}_images"] = Whole(np.dtype(np.uint8), (count, *(wanted.shape or ())))
        tensors[f"{part}_labels"] = Whole(np.dtype(np.int64), (count,))
    pieces = read_folder(user_folder(name, wanted), wanted)
    return Made(tensors, pieces, {"kind": "folder", "variable": wanted.variable})


def _check(name: str, expected: str, actual: str, config: Path) -> None:
    if actual != expected:
        raise ValueError(
            f"the prepared dataset {name!r} has sha256 {actual}, expected {expected}; "
            f"if how it is read was changed on purpose, write the new one to {name}.prepared in "
            f"{config}, else install the versions of requirements.lock"
        )


def _source(source: Any) -> Record:
    """The source as the record keeps it: the same wherever and whenever it was used."""
    dumped: Record = source.model_dump(exclude_none=True, exclude_defaults=True)
    return dumped


def _sizes(wanted: Entry) -> Record:
    """The sizes of a dataset, as the record keeps them."""
    if isinstance(wanted, Dataset):
        return {"rows": wanted.rows, "features": wanted.features, "target": wanted.target}
    counts: Record = {"train": wanted.train, "test": wanted.test}
    shape = (3, wanted.side, wanted.side) if isinstance(wanted, SceneSet) else wanted.shape
    return counts | {"shape": shape, "classes": wanted.classes}


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.prepare --dataset NAME --out FILE [--raw FOLDER]``."""
    name, out, raw = named_arguments(__doc__, "dataset", "out", raw=str(RAW))
    prepare(name, Path(out), Path(raw))


if __name__ == "__main__":
    main()
