"""Whatever picture a test saves, people can read what is written in it."""

import re

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text


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
