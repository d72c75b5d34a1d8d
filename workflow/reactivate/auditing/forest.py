"""Intervals behind a headline, ready to be drawn: of its claims, and of ours minus printed."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reactivate.auditing.rows import BETWEEN_PARTS, Row
from reactivate.experiment.paper import Paper
from reactivate.experiment.printed import Printed
from reactivate.experiment.quotes import Headline
from reactivate.judging.verdicts import UNJUDGED, Ruling

_NUMBER = r"-?(?:\d[\d.]*(?:e[+-]?\d+)?|inf)"
PART = re.compile(  # as judging.looks words it: a case or reading, its verdict, and its interval
    rf"(?P<name>.+?): (?P<verdict>(?:{'|'.join(Ruling)})(?:\(.+?\)+)?): (?:.*?)"
    rf"effect (?P<mean>{_NUMBER}), (?P<low>{_NUMBER}) to (?P<high>{_NUMBER}) "
    r"\((?P<level>[\d.]+) %\), n = (?P<n>\d+).*"
)


@dataclass(frozen=True)
class Line:
    """One interval of a plot.

    Attributes:
        claim: The address of the claim.
        label: The case or the reading; empty where the claim has but one.
        scale: The scale of the runs.
        verdict: The verdict of this case or reading.
        mean: The effect, positive as the document states it; of a printed number ours minus
            printed, in percent of the printed one.
        low: The lower end of its interval.
        high: The upper end.
        level: Of the interval, in percent.
        n: Replicates.
        printed: The printed number; empty for an effect.
        spread: The printed ±, in percent of the printed number; 0 where none is printed.
    """

    claim: str
    label: str
    scale: str
    verdict: str
    mean: float
    low: float
    high: float
    level: float
    n: int
    printed: str = ""
    spread: float = 0.0


def plots(
    paper: Paper, headline: Headline, scales: Mapping[str, Mapping[str, Row]]
) -> dict[str, list[dict[str, Any]]]:
    """The intervals of a headline that were judged: ``effects`` of claims, and ``numbers``."""
    effects = [
        line
        for name in headline.claims
        for scale, rows in scales.items()
        if (row := rows.get(f"{paper.paper}/claims/{name}")) is not None and _is_judged(row)
        for line in _effects(row, scale)
    ]
    tables = tuple(f"{paper.paper}/{name}/" for name in headline.exhibits if name in paper.tables)
    numbers = [
        line
        for scale, rows in scales.items()
        for claim, row in rows.items()
        if tables and claim.startswith(tables) and _is_judged(row)
        for line in _number(row, scale)
    ]
    found = {"effects": effects, "numbers": numbers}
    return {name: [vars(line) for line in lines] for name, lines in found.items() if lines}


def _is_judged(row: Row) -> bool:
    return row.ruling not in UNJUDGED


def _effects(row: Row, scale: str) -> Iterator[Line]:
    """The interval of a claim; of one with several, and of one that depends, each."""
    parts = list(intervals_of(row, scale))
    if row.low and not (parts and row.ruling == Ruling.DEPENDS):
        mean, low, high = (float(text) for text in (row.effect, row.low, row.high))
        level, n = 100 * float(row.level), int(row.n or 0)
        yield Line(row.claim, "", scale, row.verdict, mean, low, high, level, n)
    else:
        yield from parts


def intervals_of(row: Row, scale: str) -> Iterator[Line]:
    """The intervals of the cases or readings of a claim; those without one are left out."""
    for text in filter(None, row.parts.split(BETWEEN_PARTS)):
        part = PART.fullmatch(text)
        if part is None:
            continue
        mean, low, high, level = (float(part[name]) for name in ("mean", "low", "high", "level"))
        if all(map(math.isfinite, (mean, low, high))):
            name, verdict, n = part["name"], part["verdict"], int(part["n"])
            yield Line(row.claim, name, scale, verdict, mean, low, high, level, n)


def _number(row: Row, scale: str) -> Iterator[Line]:
    """Ours minus printed, if it has an interval, and the printed number is not 0."""
    printed = Printed.parse(row.printed)
    if not row.low or not printed.value or not math.isfinite(printed.value):
        return
    percent = 100 / abs(printed.value)
    given = (float(row.effect), float(row.low), float(row.high), printed.spread or 0.0)
    mean, low, high, spread = (float(f"{percent * value:.4g}") for value in given)
    level, n = 100 * float(row.level), int(row.n or 0)
    yield Line(row.claim, "", scale, row.verdict, mean, low, high, level, n, row.printed, spread)
