"""Tables in LaTeX: all numbers once, in pieces that fit a page; and a real LaTeX sets them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from reactivate.evidence.latex import LONGEST, WIDEST, Piece, _pages, _pieces
from reactivate.evidence.typesetting import Line, Shown

PUBLISHED = Path(__file__).parents[3] / "published"
DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs, graphicx, siunitx}
\begin{document}
%s
\end{document}
"""


def table(rows: int, columns: int, digits: int = 6) -> tuple[list[Line], list[str]]:
    """A made-up table: every number stands in it once, under two sources."""
    names = [f"column {i}" for i in range(columns)]
    lines = []
    for row in range(rows):
        for source in ("printed", "ours, as the document says"):
            numbers = [
                Shown(f"{source[0]}{row:03}{i:03}".ljust(digits, "0")) for i in range(columns)
            ]
            lines.append(Line(f"row {row}" if source == "printed" else "", source, numbers))
    return lines, names


def numbers(pieces: list[Piece]) -> list[str]:
    return [
        cell.text
        for piece in pieces
        for row in piece.rows
        for line in row
        for cell in line.cells[piece.columns]
    ]


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (4, 3), (4, 15), (30, 3), (30, 15)])
def test_every_number_stands_in_one_piece_that_fits_a_page(rows, columns):
    lines, names = table(rows, columns)
    pieces = _pieces(lines, ["kind", "source"], names, LONGEST)
    told = numbers(pieces)
    assert sorted(told) == sorted(cell.text for line in lines for cell in line.cells)
    assert max(piece.width for piece in pieces) <= WIDEST
    for page in _pages(pieces, LONGEST):
        assert sum(piece.height for piece in page) <= LONGEST


def test_names_of_rows_stand_beside_their_lines_where_there_is_room():
    lines, names = table(4, 2)
    (piece,) = _pieces(lines, ["kind", "source"], names, LONGEST)
    assert piece.head == ["kind", "source", *names]
    assert not piece.is_grouped


def test_names_of_rows_stand_above_their_lines_where_there_is_none():
    lines, names = table(4, 5)
    (piece,) = _pieces(lines, ["kind of a very long name of rows", "source"], names, LONGEST)
    assert not piece.is_grouped
    long = [Line(line.row and line.row * 8, line.source, line.cells) for line in lines]
    (piece,) = _pieces(long, ["kind", "source"], names, LONGEST)
    assert piece.is_grouped
    assert piece.head == ["kind, source", *names]


def test_a_row_without_numbers_in_a_piece_is_left_out_there():
    lines, names = table(2, 15)
    empty = [
        Line(line.row, line.source, [*line.cells[:-8], *[Shown("–")] * 8]) for line in lines[2:]
    ]
    pieces = _pieces([*lines[:2], *empty], ["kind", "source"], names, LONGEST)
    assert [len(piece.rows) for piece in (pieces[0], pieces[-1])] == [2, 1]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_latex_sets_every_published_table_within_the_page(tmp_path):
    tables = sorted(PUBLISHED.glob("*/*/*.tex"))
    assert tables
    inputs = "\n".join(rf"\typeout{{== {t}}}\input{{{t}}}\clearpage" for t in tables)
    (tmp_path / "all.tex").write_text(DOCUMENT % inputs, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = [line for line in done.stdout.splitlines() if line.startswith(("==", "!", "Overfull"))]
    assert done.returncode == 0, told[-3:]
    shown = done.stdout.split("== ")[1:]
    assert len(shown) == len(tables)
    wrong = [part.split()[0] for part in shown if re.search(r"Overfull|Float too large", part)]
    assert wrong == []
