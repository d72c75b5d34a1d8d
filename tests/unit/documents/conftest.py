"""Checks of statements, judged again after what they read is changed."""

import re

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from reactivate.documents.shared import printed
from reactivate.experiment.printed import Printed


def reprinted(places):
    """Readers of printed tables that find other numbers at some places.

    A place is a paper, a table, a row and a column.
    """

    def cells(paper, exhibit):
        table = printed.printed_cells(paper, exhibit)
        for (where, name, row, column), text in places.items():
            if (where, name) == (paper, exhibit):
                assert column in table[row]
                table[row][column] = Printed.parse(str(text))
        return table

    def numbers(paper, exhibit):
        table = cells(paper, exhibit)
        return {row: {c: n.value for c, n in line.items()} for row, line in table.items()}

    return {"printed_cells": cells, "printed_numbers": numbers}


@pytest.fixture
def change(monkeypatch):
    """Changes what a check reads: constants of its module by name, printed numbers by place."""

    def change(module, changes):
        named = {key: value for key, value in changes.items() if isinstance(key, str)}
        places = {key: value for key, value in changes.items() if key not in named}
        for name, value in named.items():
            monkeypatch.setattr(module, name, value)
        for name, reader in reprinted(places).items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, reader)

    return change


@pytest.fixture
def verdicts(change):
    """The verdicts of a check before and after what it reads is changed."""

    def verdicts(module, changes, check):
        function = getattr(module, check)
        before = function().verdict
        change(module, changes)
        return before, function().verdict

    return verdicts


def unreadable(figure):
    """Texts of a figure that hold a name of the configuration; formulas may have indices."""
    texts = [text.get_text() for text in figure.findobj(Text) if text.get_visible()]
    return [text for text in texts if "_" in re.sub(r"\$[^$]*\$", "", text)]


@pytest.fixture(autouse=True)
def _readable_pictures(monkeypatch):
    save = Figure.savefig

    def saved(figure, *args, **settings):
        save(figure, *args, **settings)
        assert not unreadable(figure)

    monkeypatch.setattr(Figure, "savefig", saved)
