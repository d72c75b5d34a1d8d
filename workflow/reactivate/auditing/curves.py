"""The learning curves that the page of an audit draws, in few bytes."""

import math
from typing import Any

from reactivate.auditing.chain import Ledger
from reactivate.evidence.histories import Curve, read_curve

DIGITS = 4


def told_curves(ledger: Ledger, runs: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Number of a run in the list -> what its curve shows, and a line of every seed.

    A line is a seed, its epochs, and what was measured at them, None where it is not finite.
    Runs without a history, and those published before curves were, are not among them.

    Args:
        ledger: The audit whose files are read.
        runs: The runs of the page, each with the path of its record.
    """
    folders = {run["path"]: ledger.here(run["path"]).parent for run in runs}
    found = {path: read_curve(folder) for path, folder in folders.items()}
    return {
        str(number): _told(curve, run)
        for number, run in enumerate(runs)
        if (curve := found[run["path"]]) is not None
    }


def _told(curve: Curve, run: dict[str, Any]) -> list[Any]:
    seeds = run.get("seeds", [])
    lines = []
    for seed, points in curve.lines.items():
        known = int(seed) if seed is not None else next(iter(seeds), 0)
        lines.append([known, [epoch for epoch, _ in points], [_brief(y) for _, y in points]])
    return [curve.told, lines]


def _brief(value: float) -> float | int | None:
    if not math.isfinite(value):
        return None
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() else short
