"""Raises the numbers of seeds of cells, in the file that everyone's targets are made from."""

from collections.abc import Mapping
from pathlib import Path

import yaml

from reactivate.experiment import experiment
from reactivate.experiment.cell import Cell
from reactivate.experiment.loading import PAPERS, load_seeds
from reactivate.experiment.seeds import SEEDS
from reactivate.foundation.configuration import read_yaml
from reactivate.foundation.files import write_atomically

HEAD = (
    "# Cells with more seeds at a scale than their recipe; `reactivate decide` raises them.\n"
    "# config/README.md explains the form.\n"
)


def raise_seeds(scale: str, paper: str, wanted: Mapping[Cell, int]) -> None:
    """Gives cells so many seeds at a scale, where they have fewer; none loses any.

    The file is replaced whole, and the configuration read anew from then on.

    Raises:
        ValueError: A cell cannot have so many; the file is then as it was.
    """
    path = PAPERS / paper / SEEDS
    before = path.read_text(encoding="utf-8") if path.exists() else None
    content = {} if before is None else read_yaml(path)
    of_scale = dict(content.get(scale) or {})
    for cell, seeds in wanted.items():
        name = f"{cell.dataset}/{cell.stem}"
        of_scale[name] = max(seeds, of_scale.get(name, 0))
    content[scale] = dict(sorted(of_scale.items()))
    _write(path, HEAD + yaml.safe_dump(content, sort_keys=False))
    experiment.forget()
    try:
        load_seeds(paper)
    except ValueError:
        if before is None:
            path.unlink()
        else:
            _write(path, before)
        experiment.forget()
        raise


def _write(path: Path, text: str) -> None:
    with write_atomically(path) as part:
        part.write_text(text, encoding="utf-8")
