"""Agreement of printed numbers with ours in their order: how far a scale can be trusted."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from reactivate.auditing.cells import COMPUTED
from reactivate.auditing.rows import Row
from reactivate.experiment.exhibits import Best, Grid, Trained
from reactivate.experiment.loading import load_paper
from reactivate.experiment.printed import Printed

# coordinates that change what is measured: numbers along an axis that names one have no order
MEASURED = ("dataset", "metric", "by")
DRAWS = 2000
TAIL = 0.025  # outside an interval, on each side

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Agreement:
    """Rank correlation of a table's printed numbers with ours."""

    paper: str
    exhibit: str
    protocol: str
    compared: int  # methods, models or whatever a table sets against each other
    pairs: int  # of numbers that measure the same and are printed differently
    tau: float  # Kendall's: share of pairs in the printed order minus share against it
    low: float  # 95 % interval
    high: float


@dataclass(frozen=True)
class Placed:
    """A printed number in its place of a table, and ours under one protocol."""

    row: str
    column: str
    printed: str
    ours: float
    protocol: str


def agreements(rows: Iterable[Row]) -> list[Agreement]:
    """One for each table of an audit that was run and has an order."""
    run = _run(rows)
    lines = [
        _agreement(paper, name, exhibit, run[paper, name])
        for paper in sorted({paper for paper, _ in run})  # no other is read
        for name, exhibit in load_paper(paper).tables.items()
        if (paper, name) in run
    ]
    return [line for line in lines if line is not None]


def _run(rows: Iterable[Row]) -> dict[tuple[str, str], list[Placed]]:
    """The numbers of an audit that were run and did not diverge, by paper and exhibit."""
    found: dict[tuple[str, str], list[Placed]] = {}
    for said in rows:
        if said.protocol == COMPUTED or not said.ours or math.isnan(float(said.ours)):
            continue
        paper, exhibit, row, column = said.claim.split("/")
        number = Placed(row, column, said.printed, float(said.ours), said.protocol)
        found.setdefault((paper, exhibit), []).append(number)
    return found


def _agreement(paper: str, name: str, exhibit: Grid, numbers: list[Placed]) -> Agreement | None:
    concordance, ordered = pair_matrices(*_arranged(exhibit, numbers))
    if not ordered.any():
        return None
    low, high = interval(concordance, ordered)
    return Agreement(
        paper=paper,
        exhibit=name,
        protocol=numbers[0].protocol,
        compared=len(ordered),
        pairs=int(ordered.sum()) // 2,
        tau=float(concordance.sum() / ordered.sum()),
        low=low,
        high=high,
    )


def _arranged(exhibit: Grid, numbers: list[Placed]) -> tuple[Floats, Floats]:
    """Printed numbers and ours: a line per thing measured, a column per thing compared.

    Names of an axis are measured if they differ in what is measured, and else compared.
    """
    rows, columns = _measures(exhibit)
    lines = [(p.row if rows else "", p.column if columns else "") for p in numbers]
    names = [("" if rows else p.row, "" if columns else p.column) for p in numbers]
    line_of, column_of = (
        {key: place for place, key in enumerate(dict.fromkeys(keys))} for keys in (lines, names)
    )
    printed, ours = np.full((2, len(line_of), len(column_of)), np.nan)
    for line, name, number in zip(lines, names, numbers, strict=True):
        place = line_of[line], column_of[name]
        printed[place], ours[place] = Printed.parse(number.printed).value, number.ours
    return printed, ours


def _measures(exhibit: Grid) -> tuple[bool, bool]:
    """Whether the rows, and the columns, of a table differ in what is measured."""
    if isinstance(exhibit, Best):
        return False, True
    if not isinstance(exhibit, Trained):
        return True, True
    return _names_a_measure(exhibit.rows), _names_a_measure(exhibit.columns)


def _names_a_measure(axis: dict[str, list[str] | dict[str, dict[str, str]]]) -> bool:
    ((coordinate, names),) = axis.items()
    named = [{coordinate: ""}] if isinstance(names, list) else names.values()
    return any(name in MEASURED for stands_for in named for name in stands_for)


def pair_matrices(printed: Floats, ours: Floats) -> tuple[Floats, Floats]:
    """Counts of compared pairs, over all things measured: how many agree, and are ordered.

    Args:
        printed: One line per thing measured, one column per thing compared; NaN: not printed.
        ours: The same of ours.

    Returns:
        Pairs in the printed order minus pairs against it, and pairs printed differently, both
        counted per pair of columns.
    """
    there = np.isfinite(ours) | np.isinf(ours)
    both = there[:, :, None] & there[:, None, :]
    signs = _signs(printed) * both
    return (signs * _signs(ours)).sum(0), np.abs(signs).sum(0)


def _signs(numbers: Floats) -> Floats:
    """Signs of the differences of all pairs; 0 where two are equal or one is missing."""
    a, b = numbers[:, :, None], numbers[:, None, :]
    return np.subtract(a > b, a < b, dtype=float)


def interval(concordance: Floats, ordered: Floats) -> tuple[float, float]:
    """The 95 % interval of Kendall's tau: over other things compared, and for the few there are.

    The wider of two on each side. One draws the things compared anew, with all their numbers
    (percentiles of a bootstrap; draws without a pair are dropped). As that has no doubt when all
    pairs agree, however few, the other is exact for a share of concordant pairs (Clopper and
    Pearson) that rests on as many comparisons as an order of the things has at least.
    """
    drawn, exact = _bootstrap(concordance, ordered), _binomial(concordance, ordered)
    return min(drawn[0], exact[0]), max(drawn[1], exact[1])


def _bootstrap(concordance: Floats, ordered: Floats) -> tuple[float, float]:
    compared = len(ordered)
    generator = np.random.default_rng(0)
    times = generator.multinomial(compared, np.full(compared, 1 / compared), DRAWS).astype(float)
    alike, pairs = (((times @ counts) * times).sum(1) for counts in (concordance, ordered))
    taus = alike[pairs > 0] / pairs[pairs > 0]
    low, high = np.percentile(taus, [100 * TAIL, 100 * (1 - TAIL)])
    return float(low), float(high)


def _binomial(concordance: Floats, ordered: Floats) -> tuple[float, float]:
    comparisons = len(ordered) - 1
    agreeing = comparisons * (1 + concordance.sum() / ordered.sum()) / 2
    opposed = comparisons - agreeing
    low = betaincinv(agreeing, opposed + 1, TAIL) if agreeing > 0 else 0.0
    high = betaincinv(agreeing + 1, opposed, 1 - TAIL) if opposed > 0 else 1.0
    return float(2 * low - 1), float(2 * high - 1)
