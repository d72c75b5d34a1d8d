r"""Tables for papers in LaTeX (booktabs, graphicx, siunitx), in pieces that a page can hold."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from reactivate.evidence.tables import ABSENT, SOURCE, Layout, Told, Where
from reactivate.evidence.typesetting import MARKS, Line, Shown, bold_note, legend, lines_of
from reactivate.experiment.labels import label

WIDE = 75  # characters beside each other, from which on a table takes the width of a page
WIDEST = 88  # characters: further columns follow below, with the names of the rows again
LONG = 25  # lines, from which on they are set smaller
LONGEST = 50  # lines on a page, its caption's too: further ones follow on the next
CAPTION = 65  # characters of a caption take as much room as a line
BETWEEN = 2  # columns stand as far apart as so many characters
GAP = 0.4  # lines: the space between rows
HEAD = 2  # lines
LATEX = {
    **{sign: rf"\{sign}" for sign in "_%&#$"},
    **{"±": r"$\pm$", "–": "--", "·": r"$\cdot$", "×": r"$\times$", "✓": r"$\surd$"},
    **{"η₁": r"$\eta_1$", "η₂": r"$\eta_2$", "η": r"$\eta$", "σ": r"$\sigma$", "ε": r"$\epsilon$"},
    **{"μ": r"$\mu$", "ρ": r"$\rho$", "π": r"$\pi$", "λ": r"$\lambda$"},
    **{"²": r"\textsuperscript{2}"},
}
CONTINUED = "\\addtocounter{table}{-1}\n\\caption{(continued)}"
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?)(?:±(\d+(?:\.\d+)?))?([KMG%]?)")


@dataclass(frozen=True)
class Piece:
    """A part of a table that is set as one: some columns, and the rows that have numbers there."""

    head: list[str]
    columns: slice
    rows: list[list[Line]]
    is_grouped: bool  # the name of a row stands above its lines, and not beside them

    @property
    def height(self) -> float:
        """How many lines of a page it takes."""
        return HEAD + sum(len(row) + GAP + self.is_grouped for row in self.rows)

    @property
    def width(self) -> int:
        """How many characters stand beside each other."""
        texts = [cells for row in self.rows for cells in self.cells(row, _text)]
        return sum(
            BETWEEN + max(map(len, column)) for column in zip(self.head, *texts, strict=True)
        )

    def cells(self, row: list[Line], told: Callable[[Shown], str]) -> Iterator[list[str]]:
        """The lines of a row, cell by cell, its name left out where it stands above them."""
        for line in row:
            numbers = [told(cell) for cell in line.cells[self.columns]]
            yield [*([] if self.is_grouped else [line.row]), line.source, *numbers]


def latex(layout: Layout, told: dict[Where, Told], text: str) -> str:
    """A LaTeX table for papers with its caption, and what its marks mean.

    Where a table is too wide, the names of rows stand above their lines; where that is not enough,
    further columns follow below; where it is too long, further tables of the same number follow.
    What is then still wider than the page is made smaller.
    """
    lines = lines_of(layout, told)
    columns = [label(column) for column in layout.columns]
    room = LONGEST - len(text) / CAPTION
    pieces = _pieces(lines, [label(layout.exhibit.row_axis), SOURCE], columns, room)
    pages = [
        _page(page, rf"\caption{{{escaped(text)}}}" if i == 0 else CONTINUED, _notes(lines))
        for i, page in enumerate(_pages(pieces, room))
    ]
    used = r"% \usepackage{booktabs, graphicx, siunitx}"
    return "\n".join([used, *(line for page in pages for line in page), ""])


def _pieces(lines: list[Line], names: list[str], columns: list[str], room: float) -> list[Piece]:
    """Columns that fit beside each other, each part with as many rows as fit on a page."""
    sources = max(len(line.source) for line in lines)
    named = sources + BETWEEN + max(len(line.row) for line in lines)
    parts = _parts(lines, columns, named)
    is_grouped = len(parts) > 1
    if is_grouped:
        names = [f"{names[0]}, {names[1]}"]
        parts = _parts(lines, columns, max(sources + BETWEEN, len(names[0])))
    found = []
    for part in parts:
        begun = Piece([*names, *columns[part]], part, [], is_grouped)
        piece = begun
        for row in _rows(lines):
            if not _is_told(row, part):
                continue
            longer = replace(piece, rows=[*piece.rows, row])
            if longer.height > room and piece.rows:
                found.append(piece)
                longer = replace(begun, rows=[row])
            piece = longer
        found.append(piece)
    return found


def _rows(lines: list[Line]) -> Iterator[list[Line]]:
    """The lines of each row together."""
    begins = [i for i, line in enumerate(lines) if line.row]
    for begin, end in pairwise([*begins, len(lines)]):
        yield lines[begin:end]


def _is_told(row: list[Line], part: slice) -> bool:
    """Whether a row has a number, printed or ours, in some of these columns."""
    return any(cell.text not in ("", ABSENT) for line in row for cell in line.cells[part])


def _parts(lines: list[Line], columns: list[str], named: int) -> list[slice]:
    """As many columns together as fit beside the names, about equally many in each part."""
    texts = [[line.cells[i].text for line in lines] for i in range(len(columns))]
    widths = [BETWEEN + max(map(len, [c, *t])) for c, t in zip(columns, texts, strict=True)]
    room = max(WIDEST - named, max(widths))
    parts = ceil(sum(widths) / room)
    ends = [round(len(columns) * i / parts) for i in range(parts + 1)]
    return [slice(*ends) for ends in pairwise(ends)]


def _pages(pieces: list[Piece], room: float) -> list[list[Piece]]:
    """Pieces that fit on a page together."""
    pages: list[list[Piece]] = [[]]
    for piece in pieces:
        if pages[-1] and sum(other.height for other in [*pages[-1], piece]) > room:
            pages.append([])
        pages[-1].append(piece)
    return pages


def _page(pieces: list[Piece], caption: str, notes: str) -> Iterator[str]:
    kind = "table*" if max(piece.width for piece in pieces) > WIDE else "table"
    yield rf"\begin{{{kind}}}"
    yield r"\centering"
    yield r"\sisetup{separate-uncertainty = true, detect-all = true}"
    yield caption
    if kind == "table*" or sum(piece.height for piece in pieces) > LONG:
        yield r"\footnotesize"
        yield r"\setlength{\tabcolsep}{3pt}"
    for i, piece in enumerate(pieces):
        yield from [r"\par\medskip"] if i else []
        yield from _tabular(piece)
    if notes:
        yield r"\par\smallskip"
        yield rf"{{\footnotesize\raggedright {notes}\par}}"
    yield rf"\end{{{kind}}}"


def _tabular(piece: Piece) -> Iterator[str]:
    """A part of the table, at most as wide as the page."""
    names = "l" if piece.is_grouped else "ll"
    numbers = "r" * (len(piece.head) - len(names))
    yield rf"\sbox0{{\begin{{tabular}}{{@{{}}{names}{numbers}@{{}}}}"
    yield r"\toprule"
    yield " & ".join(map(escaped, piece.head)) + r" \\"
    yield r"\midrule"
    for i, row in enumerate(piece.rows):
        yield from [r"\addlinespace"] if i else []
        if piece.is_grouped:
            name = escaped(row[0].row)
            yield rf"\multicolumn{{{len(piece.head)}}}{{@{{}}l@{{}}}}{{{name}}} \\"
        for cells in piece.cells(row, _number):
            texts = [*map(escaped, cells[: len(names)]), *cells[len(names) :]]
            yield (r"\quad " if piece.is_grouped else "") + " & ".join(texts) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}}%"
    yield r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi"


def _text(cell: Shown) -> str:
    return cell.text


def _notes(lines: list[Line]) -> str:
    marks = {MARKS[ruling][1]: MARKS[ruling][2] for ruling in legend(lines)}
    told = "; ".join(rf"\textsuperscript{{{sign}}}\,{word}" for sign, word in marks.items())
    marked = f"Verdict on the printed number: {told}." if marks else ""
    return " ".join(filter(None, [bold_note(lines), marked]))


def escaped(text: str) -> str:
    r"""A text as LaTeX wants it.

    Example:
        >>> print(escaped("SCRFP-2, η₁ = 0.01 & 5 %"))
        SCRFP-2, $\eta_1$ = 0.01 \& 5 \%
    """
    signs = sorted(LATEX, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, signs)), lambda found: LATEX[found[0]], text)


def _number(cell: Shown) -> str:
    r"""A number of a table in LaTeX.

    Example:
        >>> from reactivate.judging.verdicts import Ruling
        >>> print(_number(Shown("3.370±0.145", True, Ruling.REPRODUCED)))
        {\bfseries \num{3.370 +- 0.145}}\textsuperscript{r}
    """
    found = NUMBER.fullmatch(cell.text)
    number = escaped(cell.text)
    if found is not None:
        value, spread, unit = found.groups()
        inside = value if spread is None else f"{value} +- {spread}"
        number = rf"\num{{{inside}}}" + (rf"\,{escaped(unit)}" if unit else "")
    if cell.is_best:
        number = rf"{{\bfseries {number}}}"
    if cell.verdict is None:
        return number
    return number + rf"\textsuperscript{{{MARKS[cell.verdict][1]}}}"
