"""Fetch a dataset, check it and write it as one safetensors file with its checksum and record."""

import argparse
import hashlib
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from safetensors.numpy import save

from reactivate.experiment.catalog.catalog import CATALOG, Dataset, Entry, catalog, dataset
from reactivate.experiment.catalog.imagesets import FolderSet, ImageSet
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import write_json, write_with_checksum
from reactivate.preparation.folders import user_folder
from reactivate.preparation.formats import read_folder, read_images
from reactivate.preparation.readers import read_table
from reactivate.preparation.sources import RAW, fetch, fetch_files

Tensors = dict[str, NDArray[Any]]
Record = dict[str, object]


def prepare(name: str, out: Path, raw: Path = RAW, config: Path = CATALOG) -> None:
    """Writes ``out``, its ``.sha256`` sibling and its ``.json`` record.

    A table has the tensors ``x`` and ``y``; images have ``train_images``, ``train_labels``,
    ``test_images`` and ``test_labels``.

    Args:
        name: A dataset of the catalog.
        out: The safetensors file.
        raw: The folder of files supplied by hand.
        config: The catalog.
    """
    wanted = dataset(name, config)
    if isinstance(wanted, Dataset):
        tensors, source = _table(name, wanted, raw, config)
    elif isinstance(wanted, ImageSet):
        tensors, source = _images(name, wanted, raw)
    else:
        tensors, source = _folder(name, wanted)
    content = save(tensors)
    actual = hashlib.sha256(content).hexdigest()
    if not isinstance(wanted, FolderSet):
        _check(name, wanted.prepared, actual, config)
    head: Record = {"dataset": name, "title": wanted.title, "licence": wanted.licence}
    tail: Record = {"bytes": len(content), "sha256": actual, "source": source}
    write_json(out.with_suffix(".json"), head | _sizes(wanted) | tail)
    with write_with_checksum(out) as part:
        part.write_bytes(content)


def _table(name: str, wanted: Dataset, raw: Path, config: Path) -> tuple[Tensors, Record]:
    tables = [other for other in catalog(config).values() if isinstance(other, Dataset)]
    together = tuple(source for other in tables for source in other.sources)
    fetched = fetch(name, wanted, together, raw)
    x, y = read_table(fetched.path, fetched.source.read, wanted)
    return {"x": x, "y": y}, _source(fetched.source)


def _images(name: str, wanted: ImageSet, raw: Path) -> tuple[Tensors, Record]:
    fetched = fetch_files(name, wanted, raw)
    return read_images(fetched, wanted).named(), _source(fetched.source)


def _folder(name: str, wanted: FolderSet) -> tuple[Tensors, Record]:
    folder = user_folder(name, wanted)
    return read_folder(folder, wanted).named(), {"kind": "folder", "variable": wanted.variable}


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
    return counts | {"shape": wanted.shape, "classes": wanted.classes}


@reports_errors
def main() -> None:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", required=True, help="a name of config/datasets.yaml")
    parser.add_argument("--out", required=True, type=Path, help="the safetensors file to write")
    parser.add_argument("--raw", type=Path, default=RAW, help="folder of files supplied by hand")
    arguments = parser.parse_args()
    prepare(arguments.dataset, arguments.out, arguments.raw)


if __name__ == "__main__":
    main()
