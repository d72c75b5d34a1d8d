"""Figures and tables of a document for its notebook: those of this clone, or published ones."""

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from reactivate.evidence.pictures import as_text
from reactivate.evidence.provenance import (
    PROVENANCE,
    Provenance,
    ShownCell,
    read_provenance,
)
from reactivate.evidence.tables import COMPUTED
from reactivate.experiment.loading import load_paper
from reactivate.experiment.paths import PUBLISHED, RESULTS, exhibit_file
from reactivate.experiment.printed import Printed
from reactivate.experiment.scales import PRINTED_SCALE

ROOTS = {"results": (RESULTS, PUBLISHED), "published": (PUBLISHED,)}  # by `evidence` of a notebook
PRINTED = "printed"
QUALITY = 40  # of pictures: labels can be read
# of Okabe and Ito, told apart by the colour-blind too
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS = "_osD^vP"
NAME = re.compile(r"(?<![\w\\])[a-z]{2,}\d*(?:_[a-z0-9]+)+(?!\w)")
SCROLLING = '<div style="overflow-x:auto" tabindex="0">{}</div>'  # by the keyboard too


@dataclass(frozen=True)
class Shown:
    """Something for a reader, which notebooks display as HTML."""

    html: str = field(repr=False)  # the plain form of a picture would be its data again

    def _repr_html_(self) -> str:
        return self.html


@dataclass(frozen=True)
class Shelf:
    """The exhibits of a document, wherever they were made.

    What this clone has made comes first, at the scale of the notebook before the printed one; of
    what is published the printed scale comes first, which says more.

    Attributes:
        paper: The document.
        scale: The scale of the notebook.
        evidence: ``results``, with ``published`` where there are none; or ``published`` alone.
    """

    paper: str
    scale: str
    evidence: str = "results"

    @property
    def roots(self) -> tuple[Path, ...]:
        """Folders of results, in the order in which they are looked at.

        Raises:
            ValueError: ``evidence`` names none.
        """
        if self.evidence not in ROOTS:
            raise ValueError(
                f"evidence is {self.evidence!r}; accepted: {', '.join(ROOTS)}. Change the "
                "parameter of the notebook (papermill -p evidence published)"
            )
        return ROOTS[self.evidence]

    def scales(self, root: Path) -> list[str]:
        """Scales in the order in which they are looked at below a folder."""
        both = [self.scale, PRINTED_SCALE]
        return list(dict.fromkeys(both if root == RESULTS else reversed(both)))

    def find(self, exhibit: str, ending: str) -> Path | None:
        """The file of an exhibit that is shown, or None if nobody has made it."""
        places = [(root, scale) for root in self.roots for scale in self.scales(root)]
        files = (exhibit_file(scale, self.paper, exhibit, ending, root) for root, scale in places)
        return next((file for file in files if file.exists()), None)

    def show(self, *exhibits: str) -> Shown:
        """Figures and tables with their captions and where they were read, one below the other."""
        return Shown("\n".join(self._exhibit(name) for name in exhibits))

    def beside_printed(self, exhibit: str) -> Shown:
        """A trained table drawn: one panel per column, printed and ours per row, with errors."""
        found = self.find(exhibit, "provenance.json")
        if found is None:
            return Shown(self._missing(exhibit))
        words = f"{title_of(exhibit)}, drawn: printed numbers and ours, with their errors"
        return drawn(beside_printed(read_provenance(found)), words)

    def _exhibit(self, name: str) -> str:
        table, picture = self.find(name, "md"), self.find(name, "png")
        if table is not None:
            return self._table(table)
        return self._missing(name) if picture is None else self._picture(picture)

    def _table(self, path: Path) -> str:
        """A table in Markdown, for reading."""
        lines = path.read_text(encoding="utf-8").splitlines()
        caption = " ".join(line for line in lines if not line.startswith("|")).strip()
        head, _, *body = (
            [readable(cell.strip().replace("**", "")) for cell in line[1:-1].split(" | ")]
            for line in lines
            if line.startswith("|")
        )
        return f"{as_table(head, body)}\n{self._caption(caption, path)}"

    def _picture(self, path: Path) -> str:
        """A figure, with its caption in the place of it for those who cannot see it."""
        caption = read_provenance(path.with_suffix(PROVENANCE)).caption
        return f"{_image(path.read_bytes(), caption)}\n{self._caption(caption, path)}"

    def _caption(self, caption: str, path: Path) -> str:
        own = readable(caption.removeprefix(f"{load_paper(self.paper).title}, "))
        read = f"<small>Read from <code>{escape(path.as_posix())}</code>.</small>"
        return f"<p><em>{escape(own)}</em> {read}</p>"

    def _missing(self, name: str) -> str:
        where = f"was not made here at scale {escape(self.scale)}, and is not published"
        return f"<p><em>{escape(title_of(name))} {where}.</em></p>"


def readable(text: str) -> str:
    """Names of configuration as words; signs of formulas are left alone.

    Example:
        >>> readable("authors_code of figure5_4, eta_2, conv1_3, loss_below_2_5, cifar10_vote")
        'authors code of Figure 5.4, eta_2, conv1 3, loss below 2.5, cifar10 vote'
    """
    text = re.sub(r"\b(?:figure|table)\d+(?:_\d+)?\b", lambda found: title_of(found[0]), text)
    return NAME.sub(_spaced, text)


def title_of(exhibit: str) -> str:
    """The name of an exhibit as a document would print it.

    Example:
        >>> title_of("figure5_4"), title_of("table3"), title_of("bound_fit")
        ('Figure 5.4', 'Table 3', 'Bound fit')
    """
    numbered = re.fullmatch(r"(figure|table)(\d+)(?:_(\d+))?", exhibit)
    if numbered is None:
        return exhibit.replace("_", " ").capitalize()
    return f"{numbered[1].capitalize()} {'.'.join(filter(None, numbered.groups()[1:]))}"


def _spaced(found: re.Match[str]) -> str:
    first, *rest = found[0].split("_")
    is_sign = first.isalpha() and all(len(part) == 1 for part in rest)  # an index, as of eta_2
    decimals = re.sub(r"(?<=[a-z]_)(\d)_(\d)$", r"\1.\2", found[0])
    return found[0] if is_sign and decimals == found[0] else decimals.replace("_", " ")


def as_table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """An HTML table of texts, which scrolls where it is too wide."""
    titles = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    rows = ("".join(f"<td>{escape(cell)}</td>" for cell in line) for line in lines)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    table = f"<table><thead><tr>{titles}</tr></thead><tbody>\n{body}\n</tbody></table>"
    return SCROLLING.format(table)


def drawn(figure: Figure, words: str) -> Shown:
    """A figure that a notebook has drawn, with words for those who cannot see it."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=110)
    plt.close(figure)  # or the notebook shows it a second time
    return Shown(_image(file.getvalue(), words))


def _image(png: bytes, words: str) -> str:
    address, (width, height) = as_text(png, QUALITY)
    size = f'width="{width}" height="{height}"'
    return f'<img src="{address}" {size} alt="{escape(readable(words))}">'


def beside_printed(evidence: Provenance) -> Figure:
    """One panel per column of a table: printed and ours per row, with their errors.

    Args:
        evidence: What a trained table was made from.
    """
    cells = [cell for cell in evidence.cells if cell.protocol != COMPUTED]
    columns = list(dict.fromkeys(cell.column for cell in cells))
    rows = list(dict.fromkeys(cell.row for cell in cells))
    sources = [PRINTED, *dict.fromkeys(cell.protocol for cell in cells)]
    figure, grid = plt.subplots(
        -(-len(columns) // 3),
        min(3, len(columns)),
        figsize=(9, 2.6 * -(-len(columns) // 3) + 0.6),
        layout="constrained",
        squeeze=False,
    )
    for axis in grid.flat[len(columns) :]:
        axis.remove()
    for axis, column in zip(grid.flat, columns, strict=False):
        _panel(axis, [cell for cell in cells if cell.column == column], rows, sources)
        axis.set_title(readable(column), fontsize=10)
    metric = evidence.metric or {}
    unit = f" ({metric['unit']})" if metric.get("unit") else ""
    figure.supylabel(f"{readable(metric.get('name', ''))}{unit}", fontsize=10)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    return figure


def _panel(axis: Any, cells: list[ShownCell], rows: list[str], sources: list[str]) -> None:
    for place, source in enumerate(sources):
        shift = 0.8 * (place - (len(sources) - 1) / 2) / len(sources)
        points = [_point(cells, row, source) for row in rows]
        axis.errorbar(
            [x + shift for x in range(len(rows))],
            [mean for mean, _ in points],
            yerr=[error for _, error in points],
            fmt=MARKERS[place % len(MARKERS)],
            markersize=9 if source == PRINTED else 4,
            color=COLOURS[place % len(COLOURS)],
            capsize=2,
            label=source if source == PRINTED else f"ours, {readable(source)}",
        )
    axis.set_xticks(range(len(rows)), [readable(row) for row in rows])
    axis.set_xlim(-0.6, len(rows) - 0.4)


def _point(cells: list[ShownCell], row: str, source: str) -> tuple[float, float]:
    """Mean and error of one number."""
    for cell in cells:
        if cell.row == row and source == PRINTED:
            printed = Printed.parse(cell.printed)
            return printed.value, printed.spread or 0.0
        if (cell.row, cell.protocol) == (row, source):
            return cell.mean, cell.standard_error or 0.0
    return float("nan"), 0.0
