"""Colours and folded lines are for people at a terminal, and nobody else gets them."""

import sys

import pytest
from reactivate.commands.parsing import fitted
from reactivate.commands.terminal import COLOURS, folded, painted, painted_verdict
from reactivate.judging.verdicts import Ruling


@pytest.fixture
def terminal(monkeypatch):
    """A terminal of 20 columns."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_a_terminal_has_colours(terminal):
    assert painted("apart", "red") == "\033[31mapart\033[0m"


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_wants_no_colours_gets_none(terminal, monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    assert painted("apart", "red") == "apart"


def test_a_pipe_has_no_colours_and_whole_lines(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert painted("apart", "red") == "apart"
    assert folded("word " * 30) == "word " * 30


def test_lines_are_folded_at_words_and_indented(terminal):
    assert folded("a0123456789 b0123456789", "  ").splitlines() == ["a0123456789", "  b0123456789"]


@pytest.mark.parametrize(
    ("verdict", "code"),
    [("holds", 32), ("refuted", 31), ("undecided", 33), ("not_run(compute)", 2), ("-", 2)],
)
def test_a_verdict_has_the_colour_of_its_ruling(terminal, verdict, code):
    assert painted_verdict(verdict) == f"\033[{code}m{verdict}\033[0m"


def test_only_what_was_not_judged_has_no_colour():
    assert set(Ruling) - COLOURS.keys() == {Ruling.NOT_RUN, Ruling.NOT_COMPARABLE}


def test_an_error_is_folded_at_words_where_a_person_reads_it(terminal, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    message = "unknown name; accepted: one, two\nrun: a-very-long-command --with=argument"
    lines = f"error: {fitted(message)}".splitlines()
    assert lines == [
        *("error: unknown name;", "accepted: one, two", "run:", "a-very-long-command"),
        "--with=argument",
    ]


def test_an_error_in_a_log_is_one_line(terminal, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    assert fitted("word " * 30) == "word " * 30
