"""Write a commented skeleton of a paper, an exhibit, an activation or a dataset."""

import csv
import hashlib
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Template

from reactivate.commands.parsing import Parser
from reactivate.experiment.cell import checked_name
from reactivate.experiment.loading import PAPERS, paper_names
from reactivate.foundation.files import sha256, write_atomically
from reactivate.foundation.registry import unknown_name

DOCUMENTS = Path("workflow/reactivate/documents")


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate new paper|exhibit|activation|dataset``."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    paper = kinds.add_parser("paper", help="the folders of a document")
    paper.add_argument("key", help="its name in paths, e.g. prelu")
    paper.examples("reactivate new paper prelu")
    paper.set_defaults(run=lambda a: _tell(new_paper(a.key)))
    exhibit = kinds.add_parser("exhibit", help="a trained table, or a figure")
    exhibit.add_argument("place", help="paper/name, e.g. prelu/table1 or prelu/figure2")
    exhibit.examples("reactivate new exhibit prelu/table1")
    exhibit.set_defaults(run=lambda a: _tell(new_exhibit(a.place)))
    activation = kinds.add_parser("activation", help="an activation of a document")
    activation.add_argument("place", help="paper/name, e.g. prelu/channelwise")
    activation.examples("reactivate new activation prelu/channelwise")
    activation.set_defaults(run=lambda a: _tell(new_activation(a.place)))
    dataset = kinds.add_parser("dataset", help="a table of numbers, with its checksums")
    dataset.add_argument("place", help="paper/name, e.g. prelu/houses")
    dataset.add_argument("table", type=Path, help="a CSV file whose last column is the target")
    dataset.examples("reactivate new dataset prelu/houses houses.csv")
    dataset.set_defaults(run=lambda a: _tell(new_dataset(a.place, a.table)))
    parser.examples("reactivate new paper prelu", "reactivate new exhibit prelu/table1")


def _tell(paths: list[Path]) -> None:
    for path in paths:
        print(f"wrote {path}")


def new_paper(key: str) -> list[Path]:
    """Folders of a paper that has a recipe and no exhibit yet; the files that were written."""
    checked_name(key, "reactivate new paper")
    return [
        _write("paper.yaml", PAPERS / key / "paper.yaml", key=key, today=date.today().isoformat()),
        _write("scales.yaml", PAPERS / key / "scales.yaml"),
        _write("package.py", DOCUMENTS / key / "__init__.py", key=key),
    ]


def new_exhibit(place: str) -> list[Path]:
    """A table that is trained and a claim about it, or a figure with the code that makes it.

    Args:
        place: ``paper/name``; a name that starts with ``figure`` is a figure.
    """
    key, name = _parts(place)
    if not name.startswith("figure"):
        return [_write("table.yaml", PAPERS / key / f"{name}.yaml", name=name)]
    code = DOCUMENTS / key
    return [
        _write("figure.yaml", PAPERS / key / f"{name}.yaml", key=key, name=name),
        _write("figure.py", code / f"{name}.py", key=key, name=name),
        _write("figure_picture.py", code / f"{name}_picture.py", key=key, name=name),
    ]


def new_activation(place: str) -> list[Path]:
    """An activation of a paper, by the name that its tables will use.

    Args:
        place: ``paper/name``.
    """
    key, name = _parts(place)
    title = "".join(word.capitalize() for word in name.split("_"))
    return [
        _write("activation.yaml", PAPERS / key / f"{name}.yaml", key=key, name=name, title=title),
        _write("activation.py", DOCUMENTS / key / f"{name}.py", key=key, title=title),
    ]


def new_dataset(place: str, table: Path) -> list[Path]:
    """An entry of a paper's catalog for a table of numbers, with its checksums.

    Args:
        place: ``paper/name``.
        table: A CSV file whose last column is the target.

    Raises:
        ValueError: The file is not a table of numbers, or the paper has a dataset of that name.
    """
    key, name = _parts(place)
    catalog = PAPERS / key / "datasets.yaml"
    before = catalog.read_text(encoding="utf-8") if catalog.exists() else ""
    if f"\n{name}:" in f"\n{before}":
        raise ValueError(f"{catalog} has a dataset {name} already; choose another name")
    entry = _filled("dataset.yaml", name=name, file=table.name, **_measured(table))
    with write_atomically(catalog) as part:
        part.write_text(before + entry, encoding="utf-8")
    return [catalog]


def _measured(table: Path) -> dict[str, str]:
    """Size and checksums of a table of numbers, as it is and as it will be prepared."""
    import numpy as np
    from safetensors.numpy import save

    lines = [line for line in csv.reader(table.read_text(encoding="utf-8").splitlines()) if line]
    header = 0 if _is_numeric(lines[0]) else 1
    try:
        values = np.array(lines[header:], dtype=np.float64)
    except ValueError as error:
        raise ValueError(
            f"{table} is not a table of numbers ({error}); accepted: CSV with as many numbers in "
            "each line, after at most one line of names"
        ) from None
    x, y = np.ascontiguousarray(values[:, :-1]), np.ascontiguousarray(values[:, -1:])
    return {
        "rows": str(len(values)),
        "features": str(x.shape[1]),
        "deviation": f"{y.std(ddof=1):.6g}" if len(y) > 1 else "1",
        "header": str(header),
        "sha256": sha256(table),
        "prepared": hashlib.sha256(save({"x": x, "y": y})).hexdigest(),
    }


def _is_numeric(line: list[str]) -> bool:
    try:
        return bool([float(value) for value in line])
    except ValueError:
        return False


def _parts(place: str) -> tuple[str, str]:
    key, _, name = place.partition("/")
    if key not in paper_names():
        raise unknown_name("paper", key, list(paper_names()), str(PAPERS))
    return key, checked_name(name, "reactivate new")


def _filled(skeleton: str, **values: str) -> str:
    text = files("reactivate.commands").joinpath("skeletons", f"{skeleton}.txt").read_text("utf-8")
    return Template(text).substitute(values)


def _write(skeleton: str, path: Path, **values: str) -> Path:
    if path.exists():
        raise ValueError(f"{path} exists; choose another name, or remove it first")
    with write_atomically(path) as part:
        part.write_text(_filled(skeleton, **values), encoding="utf-8")
    return path
