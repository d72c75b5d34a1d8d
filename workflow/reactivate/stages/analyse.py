"""Compute an exhibit that follows from definitions, and leave its values and their record."""

from dataclasses import asdict
from importlib import import_module
from typing import Any

import pandas as pd

from reactivate.arguments import named_arguments
from reactivate.errors import reports_errors
from reactivate.exhibits import Recomputed
from reactivate.files import sha256, write_atomically, write_json
from reactivate.papers import load_exhibit
from reactivate.provenance import code_digest
from reactivate.records import RECORD, environment, watched
from reactivate.runs import analysis_folder


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.analyse --scale S --paper P --exhibit E``."""
    analyse(*named_arguments(__doc__, "scale", "paper", "exhibit"))


def analyse(scale: str, paper: str, name: str) -> None:
    """Writes ``values.csv`` and the record of what a function computes of a table."""
    exhibit = load_exhibit(paper, name)
    if not isinstance(exhibit, Recomputed) or exhibit.function is None:
        raise ValueError(f"{paper}/{name} is {exhibit.kind} and has no function that computes it")
    with watched() as watch:
        values = load_function(exhibit.function)()
    expected = {
        (row, column)
        for row in exhibit.row_names
        for column in exhibit.column_names
        if exhibit.is_computed(row, column)
    }
    places = [(value.row, value.column) for value in values]
    if sorted(places) != sorted(expected):
        odd = sorted(set(places) ^ expected) or "one place twice"
        raise ValueError(f"{exhibit.function} and the grid of {paper}/{name} differ in {odd}")
    folder = analysis_folder(scale, paper, name)
    with write_atomically(folder / "values.csv") as part:
        pd.DataFrame([asdict(value) for value in values]).to_csv(part, index=False)
    record = {
        "paper": paper,
        "scale": scale,
        "function": exhibit.function,
        "code": code_digest("reactivate.stages.analyse", exhibit.function),
        **environment(),
        "seconds": round(watch.seconds, 3),
        "warnings": watch.warnings,
        "files": {"values.csv": sha256(folder / "values.csv")},
    }
    write_json(folder / RECORD, record)


def load_function(target: str) -> Any:
    """The function behind ``"module:name"``."""
    module, _, name = target.partition(":")
    found = getattr(import_module(module), name, None)
    if found is None:
        raise ValueError(f"{target} does not exist; add {name} to {module} or change the config")
    return found


if __name__ == "__main__":
    main()
