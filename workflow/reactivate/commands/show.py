"""Print an exhibit of this clone, or the published one where this clone has not made it."""

import csv
from pathlib import Path
from textwrap import fill

from reactivate.commands.parsing import Parser
from reactivate.commands.terminal import GAP, WIDTH, at_terminal, columns, painted, print_json
from reactivate.experiment.exhibits import Exhibit, Trained
from reactivate.experiment.labels import label
from reactivate.experiment.loading import load_exhibit, load_paper, load_scale
from reactivate.experiment.paths import PUBLISHED, RESULTS, audit_file, exhibit_file

BOLD = "**"  # of the best number; a terminal has columns instead


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate show``."""
    parser.add_argument("exhibit", help="paper/exhibit, e.g. gmp/table3")
    parser.add_scale()
    parser.add_json()
    parser.examples(
        "reactivate show gmp/table3", "reactivate show gmp/table3 --scale paper --json"
    )
    parser.set_defaults(run=lambda a: show(a.scale, a.exhibit, a.json))


def show(scale: str, name: str, as_json: bool = False) -> None:
    """Prints an exhibit: all readings below the printed numbers, what they are, and the audit.

    Args:
        scale: The scale.
        name: ``paper/exhibit``.
        as_json: Whether to print for programs.

    Raises:
        ValueError: Nobody has made it: neither this clone, nor is it published.
    """
    load_scale(scale)
    paper, _, exhibit = name.partition("/")
    form = load_exhibit(paper, exhibit)
    path = _found(scale, paper, exhibit)
    page = audit_file(scale, "html", PUBLISHED if path.is_relative_to(PUBLISHED) else RESULTS)
    if as_json:
        told = {"exhibit": name, "scale": scale, "file": path.as_posix()}
        print_json({**told, **_content(path), "audit": page.as_posix()})
        return
    if path.is_relative_to(PUBLISHED):
        made = exhibit_file(scale, paper, exhibit, "csv").as_posix()
        said = f"from {path}: published, not of this clone; to make it here: snakemake {made}"
        print(painted(fill(said, WIDTH, break_on_hyphens=False), "dim"), end="\n\n")
    if path.suffix == ".md":
        table = path.read_text(encoding="utf-8")
        print(aligned(table, columns() if at_terminal() else None))
        _print_readings(paper, form, table)
    else:
        print(f"a figure: {path.with_suffix('.png').resolve()}")
        print(f"its numbers: {path}")
    print(f"audit: {page.resolve() if page.exists() else f'snakemake {page}'}")


def _found(scale: str, paper: str, exhibit: str) -> Path:
    """The table of this clone, else the published one; of a figure, its numbers."""
    for root in (RESULTS, PUBLISHED):
        for ending in ("md", "csv"):
            path = exhibit_file(scale, paper, exhibit, ending, root)
            if path.exists():
                return path
    path = exhibit_file(scale, paper, exhibit, "md")
    raise ValueError(
        f"{path} does not exist, nor is it published; make it with: "
        f"snakemake {path.with_suffix('.csv')}"
    )


def _content(path: Path) -> dict[str, object]:
    """The numbers of an exhibit, a line each, and the caption of a table."""
    with path.with_suffix(".csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    caption = path.read_text(encoding="utf-8").partition("\n")[0] if path.suffix == ".md" else ""
    return {"caption": caption, "rows": rows}


def _print_readings(paper: str, form: Exhibit, table: str) -> None:
    """Prints what the readings of a table are."""
    for reading in form.protocols if isinstance(form, Trained) else []:
        if f" | ours, {label(reading)} | " in table:
            said = load_paper(paper).protocols[reading].says
            print(fill(f"{label(reading)}: {said}", WIDTH, subsequent_indent=GAP))


def aligned(markdown: str, width: int | None = None) -> str:
    """A Markdown table and its caption for a terminal: columns one below the other.

    Under the line of a printed row stand those of the readings; they have one column for both.

    Args:
        markdown: The table.
        width: Columns that do not fit go into further tables below; None: all side by side.

    Example:
        >>> table = "T.\\n\\n| net | source | a |\\n| --- | --- | --- |\\n| sp | printed | 1 |\\n"
        >>> print(aligned(table + "|  | document | 10 |\\n"))
        T.
        <BLANKLINE>
        net           a
        sp, printed   1
          document   10
        <BLANKLINE>
    """
    from reactivate.evidence.tables import (
        SOURCE,
    )  # it imports pandas, for which help need not wait

    markdown = markdown.replace(BOLD, "")
    caption = [line for line in markdown.splitlines() if not line.startswith("|")]
    cells = [line[1:-1].split(" | ") for line in markdown.splitlines() if line.startswith("|")]
    head, _, *body = ([cell.strip() for cell in line] for line in cells)
    if head[1:2] == [SOURCE]:
        head = [head[0], *head[2:]]
        body = [
            [f"{row}, {source}" if row else GAP + source, *rest] for row, source, *rest in body
        ]
    lines = [head, *body]
    first, *others = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table: list[str] = []
    for start, end in _blocks(first, others, width):
        table += [
            GAP.join([name.ljust(first), *map(str.rjust, rest[start:end], others[start:end])])
            for name, *rest in lines
        ]
        table.append("")
    text = "\n".join(fill(line, WIDTH) for line in caption)
    return "\n".join([f"{text.strip()}\n", *table])


def _blocks(first: int, others: list[int], width: int | None) -> list[tuple[int, int]]:
    """First and last of the columns that fit side by side, for every table that they need.

    Example:
        >>> _blocks(5, [4, 4, 4], 18), _blocks(5, [4, 4, 4], None)
        ([(0, 2), (2, 3)], [(0, 3)])
    """
    starts, used = [0], first
    for place, column in enumerate(others):
        used += len(GAP) + column
        if width is not None and used > width and place > starts[-1]:
            starts.append(place)
            used = first + len(GAP) + column
    return list(zip(starts, [*starts[1:], len(others)], strict=True))
