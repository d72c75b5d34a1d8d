"""Draw a figure, and keep the numbers it draws."""

from reactivate.arguments import named_arguments
from reactivate.errors import reports_errors
from reactivate.exhibits import Figure
from reactivate.files import sha256, write_atomically, write_json
from reactivate.papers import load_exhibit, load_paper
from reactivate.provenance import code_digest
from reactivate.records import environment, watched
from reactivate.runs import exhibit_file
from reactivate.stages.analyse import load_function


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.plot --scale S --paper P --exhibit E``."""
    plot(*named_arguments(__doc__, "scale", "paper", "exhibit"))


def plot(scale: str, paper: str, name: str) -> None:
    """Writes ``png``, ``csv`` and ``provenance.json`` of a figure."""
    exhibit = load_exhibit(paper, name)
    if not isinstance(exhibit, Figure):
        raise ValueError(f"{paper}/{name} is {exhibit.kind}; accepted: an exhibit of kind figure")
    with watched() as watch:
        numbers, figure = load_function(exhibit.function)()
    with write_atomically(exhibit_file(scale, paper, name, "csv")) as part:
        numbers.to_csv(part, index=False)
    with write_atomically(exhibit_file(scale, paper, name, "png")) as part:
        figure.savefig(part, format="png", dpi=120, metadata={"Software": None})
    evidence = {
        "paper": paper,
        "exhibit": name,
        "scale": scale,
        "caption": f"{load_paper(paper).title}, {exhibit.locator}: {exhibit.title}",
        "function": exhibit.function,
        "code": code_digest("reactivate.stages.plot", exhibit.function),
        **environment(),
        "seconds": round(watch.seconds, 3),
        "warnings": watch.warnings,
        "cells": [],
        "files": {e: sha256(exhibit_file(scale, paper, name, e)) for e in ("csv", "png")},
    }
    write_json(exhibit_file(scale, paper, name, "provenance.json"), evidence)


if __name__ == "__main__":
    main()
