"""A long job shows a bar on a terminal and a line now and then in a log."""

import io
import sys

import pytest
from reactivate.foundation import progress
from reactivate.foundation.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress.time, "monotonic", clock.monotonic)
    return clock


def test_a_log_gets_a_line_every_half_minute_and_one_at_the_end(clock, monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with Progress("train boston", total=100) as bar:
        for _ in range(100):
            clock.now += 1.0
            bar.advance(1, loss=0.25)
    lines = log.getvalue().splitlines()
    assert lines[0] == "train boston: 31/100 epochs, loss 0.25, 31 s, at most 69 s left"
    assert lines[-1] == "train boston: 100/100 epochs, loss 0.25, 100 s, at most 0 s left"
    assert len(lines) == 4
    assert "\r" not in log.getvalue()


def test_a_short_job_leaves_one_line_in_a_log(clock, monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with Progress("train", total=3) as bar:
        bar.advance(3, loss=2.0)
    assert log.getvalue() == "train: 3/3 epochs, loss 2, 0 s, at most 0 s left\n"


def test_a_terminal_gets_a_bar_with_epochs_and_loss(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("train boston", total=10) as bar:
        bar.advance(10, loss=0.125)
    text = terminal.getvalue()
    assert "train boston: 100%" in text
    assert "10/10" in text
    assert "loss=0.125" in text
    assert "at most" not in text


def fail_after_one_epoch():
    with Progress("train", total=4) as bar:
        bar.advance(1, loss=1.0)
        raise ZeroDivisionError


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_a_failed_job_does_not_say_it_is_done(monkeypatch, stream):
    log = stream()
    monkeypatch.setattr(sys, "stderr", log)
    with pytest.raises(ZeroDivisionError):
        fail_after_one_epoch()
    assert "4/4" not in log.getvalue()
