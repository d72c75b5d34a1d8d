"""Fetch weights that others trained, check them and write them as one safetensors file."""

import argparse
import hashlib
from pathlib import Path
from typing import cast

from safetensors.numpy import save

from reactivate.experiment.catalog.catalog import Dataset
from reactivate.experiment.catalog.weights import WEIGHTS, weight_set
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import write_json, write_with_checksum
from reactivate.preparation.kernels import read_kernels
from reactivate.preparation.sources import RAW, fetch


def convert(name: str, out: Path, raw: Path = RAW, config: Path = WEIGHTS) -> None:
    """Writes ``out``, its ``.sha256`` sibling and its ``.json`` record.

    The tensors are kernels by layer, ``(filters, channels, height, width)``, float32.

    Args:
        name: Weights of the configuration.
        out: The safetensors file.
        raw: The folder of files supplied by hand.
        config: Where the weights are described.
    """
    wanted = weight_set(name, config)
    # of an entry, sources are all that is looked at; the file is verified before it is returned
    fetched = fetch(name, cast(Dataset, wanted), raw=raw)
    content = save(dict(read_kernels(fetched.path, wanted)))
    actual = hashlib.sha256(content).hexdigest()
    if actual != wanted.prepared:
        raise ValueError(
            f"the converted weights {name!r} have sha256 {actual}, expected {wanted.prepared}; "
            f"if how they are read was changed on purpose, write the new one to {name}.prepared "
            f"in {config}, else install the versions of requirements.lock"
        )
    record = {
        "weights": name,
        "title": wanted.title,
        "licence": wanted.licence,
        "kernels": {layer: list(kernel.shape) for layer, kernel in wanted.kernels.items()},
        "bytes": len(content),
        "sha256": actual,
        "source": fetched.source.model_dump(exclude_none=True, exclude_defaults=True),
    }
    write_json(out.with_suffix(".json"), record)
    with write_with_checksum(out) as part:
        part.write_bytes(content)


@reports_errors
def main() -> None:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True, help="a name of config/weights.yaml")
    parser.add_argument("--out", required=True, type=Path, help="the safetensors file to write")
    parser.add_argument("--raw", type=Path, default=RAW, help="folder of files supplied by hand")
    arguments = parser.parse_args()
    convert(arguments.weights, arguments.out, arguments.raw)


if __name__ == "__main__":
    main()
