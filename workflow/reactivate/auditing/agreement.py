"""Agreement of printed numbers with ours in their order: how far a scale can be trusted."""

from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import betaincinv

from reactivate.evidence.tables import COMPUTED
from reactivate.experiment.exhibits import Best, Grid, Trained
from reactivate.experiment.loading import load_paper, paper_names
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


def agreements(audit: pd.DataFrame) -> pd.DataFrame:
    """A line per table that was run and has an order.

    Args:
        audit: Rows of an ``audit.csv``.
    """
    run = audit[(audit["protocol"] != COMPUTED) & audit["ours"].notna()].set_index("claim")
    lines = [
        _agreement(paper, exhibit, run)
        for paper in paper_names()
        for exhibit in load_paper(paper).tables
    ]
    return pd.DataFrame(
        [asdict(line) for line in lines if line is not None],
        columns=list(Agreement.__dataclass_fields__),
    )


def _agreement(paper: str, name: str, run: pd.DataFrame) -> Agreement | None:
    prefix = f"{paper}/{name}/"
    numbers = run[run.index.str.startswith(prefix)]
    if numbers.empty:
        return None
    exhibit = load_paper(paper).tables[name]
    places = numbers.index.str.removeprefix(prefix).str.split("/")
    table = pd.DataFrame(
        {
            "row": places.str[0],
            "column": places.str[1],
            "printed": [Printed.parse(str(text)).value for text in numbers["printed"]],
            "ours": numbers["ours"].astype(float).to_numpy(),
        }
    )
    concordance, ordered = pair_matrices(*_arranged(exhibit, table))
    if not ordered.any():
        return None
    low, high = interval(concordance, ordered)
    return Agreement(
        paper=paper,
        exhibit=name,
        protocol=str(numbers["protocol"].iloc[0]),
        compared=len(ordered),
        pairs=int(ordered.sum()) // 2,
        tau=float(concordance.sum() / ordered.sum()),
        low=low,
        high=high,
    )


def _arranged(exhibit: Grid, table: pd.DataFrame) -> tuple[Floats, Floats]:
    """Printed numbers and ours: a line per thing measured, a column per thing compared."""
    rows, columns = _measures(exhibit)
    if not rows and not columns:  # all cells of the table can be compared
        return table[["printed"]].to_numpy().T, table[["ours"]].to_numpy().T
    if rows and columns:  # nothing can
        return table[["printed"]].to_numpy(), table[["ours"]].to_numpy()
    index, compared = ("column", "row") if columns else ("row", "column")
    wide = table.pivot_table(index=index, columns=compared, values=["printed", "ours"], sort=False)
    return wide["printed"].to_numpy(), wide["ours"].to_numpy()


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
    alike = np.einsum("di,ij,dj->d", times, concordance, times)
    pairs = np.einsum("di,ij,dj->d", times, ordered, times)
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
