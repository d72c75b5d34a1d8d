"""Fetch a dataset, check it and write it as one safetensors file with its checksum and record."""

import argparse
import hashlib
from pathlib import Path

from safetensors.numpy import save

from reactivate.datasets.catalog import CATALOG, Dataset, catalog, dataset
from reactivate.datasets.readers import read_table
from reactivate.datasets.sources import RAW, Fetched, fetch
from reactivate.errors import reports_errors
from reactivate.files import write_json, write_with_checksum


def prepare(name: str, out: Path, raw: Path = RAW, config: Path = CATALOG) -> None:
    """Writes ``out`` (tensors ``x`` and ``y``), its ``.sha256`` sibling and its ``.json`` record.

    Args:
        name: A dataset of the catalog.
        out: The safetensors file.
        raw: The folder of files supplied by hand.
        config: The catalog.
    """
    wanted = dataset(name, config)
    together = tuple(source for other in catalog(config).values() for source in other.sources)
    fetched = fetch(name, wanted, together, raw)
    x, y = read_table(fetched.path, fetched.source.read, wanted)
    content = save({"x": x, "y": y})
    _check(name, wanted, content, config)
    write_json(out.with_suffix(".json"), _record(name, wanted, fetched, content))
    with write_with_checksum(out) as part:
        part.write_bytes(content)


def _check(name: str, wanted: Dataset, content: bytes, config: Path) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != wanted.prepared:
        raise ValueError(
            f"the prepared dataset {name!r} has sha256 {found}, expected {wanted.prepared}; "
            f"if how it is read was changed on purpose, write the new one to {name}.prepared in "
            f"{config}, else install the versions of requirements.lock"
        )


def _record(name: str, wanted: Dataset, fetched: Fetched, content: bytes) -> dict[str, object]:
    """What an auditor needs, the same wherever and whenever it was prepared from that source."""
    return {
        "dataset": name,
        "title": wanted.title,
        "licence": wanted.licence,
        "rows": wanted.rows,
        "features": wanted.features,
        "target": wanted.target,
        "bytes": len(content),
        "sha256": wanted.prepared,
        "source": fetched.source.model_dump(exclude_none=True, exclude_defaults=True),
    }


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
