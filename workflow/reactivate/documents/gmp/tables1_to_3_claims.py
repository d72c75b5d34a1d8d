"""GmP: how far the numbers that Tables 1 to 3 print agree with what the text says of them."""

import math
from collections.abc import Callable, Iterable
from statistics import fmean

from scipy.stats import t

from reactivate.documents.shared.judging import said
from reactivate.documents.shared.printed import (
    Table,
    highest_row,
    lowest,
    printed_cells,
    printed_numbers,
)
from reactivate.experiment.printed import Printed

WIDE_RESNET_TOP1 = 43.08  # of WRN 28-2 with BN and batches of 500, section 5.2
SPLITS = 10  # of the UCI benchmarks, section 5.3
SURE = 0.975
Pair = tuple[Printed, Printed]
MEASURES = ("top1", "top5")
BATCHES = (256, 512, 1024)


def best_in_table1() -> str:
    """Section 5.1: GmP+IMN significantly outperforms BN and WN+MBN."""
    least = min(map(apart, _pairs("table1", "gmp_imn", ("bn", "wn_mbn"), higher=True)))
    return (
        f"{_wins('table1', 'gmp_imn', highest_row)}, by at least {least:.1f} standard errors if "
        "± is one, and by more if it is a deviation"
    )


def best_in_table2() -> str:
    """Section 5.2: GmP+IMN is best for all batch sizes."""
    return _wins("table2", "gmp_imn", highest_row)


def best_in_table3() -> str:
    """Section 5.3: GmP is best on all benchmarks."""
    return _wins("table3", "gmp", lowest)


def significant_in_table3() -> str:
    """Section 5.3: GmP significantly outperforms the other methods in most cases."""
    pairs = _pairs("table3", "gmp", ("sp", "wn", "bn"), higher=False)
    limit = float(t.ppf(SURE, 2 * SPLITS - 2))
    error, deviation = (
        sum(apart(pair, runs) > limit for pair in pairs) for runs in (None, SPLITS)
    )
    return (
        f"Table 3, unpaired t over {SPLITS} splits: significant in {error} of {len(pairs)} cases "
        f"if ± is a standard error, in {deviation} if it is a deviation, which is not said"
    )


def improvement_in_table2() -> str:
    """Section 5.2: GmP+IMN's lead over other methods grows with the batch size."""
    table = printed_numbers("gmp", "table2")
    best = table.pop("gmp_imn")
    means, growing = [], 0
    for measure in MEASURES:
        columns = [f"{measure}_{batch}" for batch in BATCHES]
        leads = {row: [best[c] - numbers[c] for c in columns] for row, numbers in table.items()}
        growing += sum(lead[0] < lead[1] < lead[2] for lead in leads.values())
        mean = [fmean(lead[place] for lead in leads.values()) for place in range(len(BATCHES))]
        means.append(f"{measure} " + ", ".join(f"{lead:.2f}" for lead in mean))
    return (
        f"mean lead in Table 2 at batches {BATCHES}: {'; '.join(means)}; over single methods "
        f"{growing} of {len(table) * len(MEASURES)} leads grow at both steps"
    )


def imn_in_table2() -> str:
    """Section 5.2: IMN significantly improves GmP."""
    gaps = [apart(pair) for pair in _pairs("table2", "gmp_imn", ("gmp",), higher=True)]
    return (
        f"Table 2: GmP+IMN is {min(gaps):.1f} to {max(gaps):.1f} standard errors above GmP in "
        f"{len(gaps)} columns"
    )


def wide_resnet_in_table2() -> str:
    """Section 5.2: WRN 28-2 has 43.08 %, less than VGG-6 with GmP+IMN."""
    row = printed_numbers("gmp", "table2")["gmp_imn"]
    top1 = {f"at batches of {batch}": row[f"top1_{batch}"] for batch in BATCHES}
    return f"Table 2, GmP+IMN {said(top1, '.2f')}; WRN 28-2 {WIDE_RESNET_TOP1} at batches of 500"


def apart(pair: Pair, runs: int | None = None) -> float:
    """Difference of two printed means in standard errors.

    Args:
        pair: The two, each with its ±.
        runs: Runs behind each mean if the ± is a standard deviation; none for a standard error.

    Example:
        >>> apart((Printed(5.0, 0.3, 0.05), Printed(4.0, 0.4, 0.05)))
        2.0
    """
    first, second = pair
    assert first.spread is not None
    assert second.spread is not None
    error = math.hypot(first.spread, second.spread) / math.sqrt(runs or 1)
    return round((first.value - second.value) / error, 9)


def _wins(name: str, best: str, pick: Callable[[Table, str], str]) -> str:
    table = printed_numbers("gmp", name)
    wins = [pick(table, column) == best for column in table[best]]
    return f"best in {sum(wins)} of {len(wins)} columns of Table {name.removeprefix('table')}"


def _pairs(name: str, best: str, others: Iterable[str], higher: bool) -> list[Pair]:
    table = printed_cells("gmp", name)
    return [
        (number, rival) if higher else (rival, number)
        for other in others
        for column, number in table[best].items()
        for rival in [table[other][column]]
    ]
