"""Benchmarks take turns, say whether their bar is met, and end up in one table."""

import ast
import importlib.util
import json
import os
import sys
from itertools import count
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda path: path.stem
)
def test_every_module_finds_what_it_imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module]
        missing = [name for name in names if importlib.util.find_spec(name) is None]
        assert not missing


def test_a_ratio_is_that_of_the_least_times_and_both_take_turns():
    from benchmarks.timing import ratio

    calls, now = [], count()
    times = iter([9.0, 1.0, 4.0, 2.0, 6.0, 8.0])  # of slow and fast by turns
    moments = []

    def clock():
        if next(now) % 2 == 0:
            moments.append(0.0)
            return 0.0
        return next(times)

    found = ratio(lambda: calls.append("slow"), lambda: calls.append("fast"), 3, 1, clock)
    assert found == 4.0 / 1.0
    assert calls == ["slow", "fast"] * 4


@pytest.mark.parametrize(
    ("better", "measured", "ok"),
    [("higher", 1.5, True), ("higher", 1.49, False), ("lower", 1.5, True), ("lower", 1.51, False)],
)
def test_a_line_says_whether_the_bar_is_met(capsys, better, measured, ok):
    from benchmarks.timing import report

    assert report("a_b", measured, 1.5, better, peer="scipy", limit=0.5, points=3) == ok
    line = json.loads(capsys.readouterr().out)
    assert line == {
        **{"name": "a_b", "ratio": measured, "bar": 1.5, "better": better, "ok": ok},
        **{"peer": "scipy", "limit": 0.5, "points": 3},
    }


def test_an_unknown_direction_is_named():
    from benchmarks.timing import report

    with pytest.raises(ValueError, match="better is 'more'; accepted: lower, higher"):
        report("a", 1.0, 1.0, "more", peer="b")


def test_the_table_has_ratio_bar_peer_limit_and_how_busy_others_were():
    from benchmarks.__main__ import table

    line = {"benchmark": "certify", "name": "a_b", "ratio": 1.234, "bar": 1.5, "ok": False}
    line |= {"better": "higher", "peer": "scipy", "limit": 0.873, "others": 0.25}
    page = table([line, {**line, "ok": True, "limit": None}])
    assert "| certify | a b | 1.234 | at least 1.5 | **no** | scipy | 0.87 | 0.25 |" in page
    assert "| certify | a b | 1.234 | at least 1.5 | yes | scipy |  | 0.25 |" in page
    assert "2 measurements, 1 bars missed" in page


def test_every_module_of_the_folder_is_run_by_name():
    from benchmarks.__main__ import FOLDER, MODULES

    assert {"anytime", "certify", "patterns", "training"} <= set(MODULES)
    for name in MODULES:
        assert "def main() -> int:" in (FOLDER / f"{name}.py").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/stat")
def test_own_work_is_not_that_of_others(monkeypatch):
    from benchmarks import load

    busy, own, clock = [100.0, 101.5], [10.0, 11.0], [0.0, 2.0]
    monkeypatch.setattr(load, "busy_seconds", lambda: busy.pop(0))
    monkeypatch.setattr(load, "_own", lambda: own.pop(0))
    monkeypatch.setattr(load.time, "monotonic", lambda: clock.pop(0))
    assert load.Watch().others() == 0.25


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/stat")
def test_it_waits_for_quiet_as_long_as_it_was_told(monkeypatch):
    from benchmarks import load

    shares = iter([0.9, 0.5, 0.1, 0.0])
    monkeypatch.setattr(load.Watch, "others", lambda self: next(shares))
    assert load.wait_until_quiet(0.15, patience=60.0, each=0.0) == 0.1
    assert load.wait_until_quiet(0.15, patience=0.0, each=0.0) == 0.0
    spent = os.times()
    assert load._own() >= spent.user
    assert load.busy_seconds() > 0
