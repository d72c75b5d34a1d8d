"""GmP: statements of the text on Tables 1 to 3, judged from what is printed."""

import math
from collections.abc import Iterable

import torch
from scipy.stats import t

from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import (
    highest_row,
    lowest,
    printed_cells,
    printed_numbers,
)
from reactivate.evidence.judgement import Judgement, Verdict
from reactivate.experiment.printed import Printed
from reactivate.models import MODELS
from reactivate.models.flops import count_parameters

WIDE_RESNET_TOP1 = 43.08  # of WRN 28-2 with BN and batches of 500, section 5.2
WIDE_RESNET = (28, 2)  # depth and widening
CLASSES = 1000  # of ImageNet32
SPLITS = 10  # of the UCI benchmarks, section 5.3
ROWS = {"boston": 506, "concrete": 1030, "energy": 768, "power": 9568, "wine": 1599, "yacht": 308}
TEST_SHARE = 0.2
SURE = 0.975
Pair = tuple[Printed, Printed]
MEASURES = ("top1", "top5")
BATCHES = (256, 512, 1024)


def wide_resnet_parameters(depth: int, widen: int, classes: int) -> int:
    """Parameters of a wide residual network of basic blocks with batch normalisation.

    Reference:
        Zagoruyko & Komodakis 2016, Table 1 (arXiv:1605.07146).

    Example:
        >>> round(wide_resnet_parameters(28, 10, classes=10) / 1e6, 1)
        36.5
    """
    blocks = (depth - 4) // 6
    total, reads = 9 * 3 * 16, 16
    for filters in (16 * widen, 32 * widen, 64 * widen):
        for _ in range(blocks):
            total += 9 * reads * filters + 9 * filters**2 + 2 * reads + 2 * filters
            total += reads * filters * (reads != filters)  # the shortcut
            reads = filters
    return total + 2 * reads + (reads + 1) * classes


def small_beats_large() -> Judgement:
    """Section 5.2: a small network like VGG-6 outperforms large, wide ones like WRN 28-2."""
    with torch.device("meta"):
        ours = count_parameters(MODELS.load("vgg6")(classes=CLASSES))
    wide = wide_resnet_parameters(*WIDE_RESNET, CLASSES)
    return judge(
        ours < wide,
        f"VGG-6 of the authors' code has {ours / 1e6:.2f}M parameters, WRN "
        f"{'-'.join(map(str, WIDE_RESNET))} with {CLASSES} classes {wide / 1e6:.2f}M: "
        f"{ours / wide:.1f} times as many",
    )


def beats_wide_resnet() -> Judgement:
    """Section 5.2: WRN 28-2 has 43.08 %, less than VGG-6 with GmP+IMN."""
    row = printed_numbers("gmp", "table2")["gmp_imn"]
    return judge(
        row["top1_512"] > WIDE_RESNET_TOP1,
        f"Table 2 at batches of 512: {row['top1_512']} against {WIDE_RESNET_TOP1} (batches of "
        f"500); at 256 {row['top1_256']}, at 1024 {row['top1_1024']}",
    )


def best_as_printed() -> Judgement:
    """Sections 5.1 to 5.3: GmP, with IMN in deep networks, is best in every column."""
    wins = []
    for name, best, pick in (
        ("table1", "gmp_imn", highest_row),
        ("table2", "gmp_imn", highest_row),
        ("table3", "gmp", lowest),
    ):
        table = printed_numbers("gmp", name)
        wins += [pick(table, column) == best for column in table[best]]
    return judge(all(wins), f"best in {sum(wins)} of {len(wins)} columns of Tables 1 to 3")


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


def _pairs(name: str, best: str, others: Iterable[str], higher: bool) -> dict[str, Pair]:
    table = printed_cells("gmp", name)
    return {
        f"{other} {column}": (number, rival) if higher else (rival, number)
        for other in others
        for column, number in table[best].items()
        for rival in [table[other][column]]
    }


def imagenet_significant() -> Judgement:
    """Section 5.1: GmP+IMN significantly outperforms BN and WN+MBN."""
    pairs = _pairs("table1", "gmp_imn", ("bn", "wn_mbn"), higher=True)
    least = min(map(apart, pairs.values()))
    return judge(
        least > t.ppf(SURE, 2),
        f"Table 1: at least {least:.1f} standard errors apart if ± is one, more if it is a "
        f"deviation; {t.ppf(SURE, 2):.1f} would do with as few as two degrees of freedom",
    )


def imn_improves() -> Judgement:
    """Section 5.2: IMN significantly improves GmP."""
    pairs = _pairs("table2", "gmp_imn", ("gmp",), higher=True)
    gaps = {name.partition(" ")[2]: apart(pair) for name, pair in pairs.items()}
    said = ", ".join(f"{column} {value:.1f}" for column, value in gaps.items())
    return judge(min(gaps.values()) > t.ppf(SURE, 2), f"Table 2, in standard errors: {said}")


def sampling_floor(rmse: float, rows: int) -> float:
    """The least deviation of a test RMSE over random splits: that of normal errors.

    Two random test sets share a fifth of their rows, so they differ by less than fresh ones.

    Example:
        >>> round(sampling_floor(3.370, 506), 2)
        0.21
    """
    images = round(TEST_SHARE * rows)
    return rmse * math.sqrt((1 - TEST_SHARE) / (2 * images))


def uci_significant() -> Judgement:
    """Section 5.3: GmP significantly outperforms the other methods in most cases."""
    pairs = _pairs("table3", "gmp", ("sp", "wn", "bn"), higher=False)
    limit = float(t.ppf(SURE, 2 * SPLITS - 2))
    error, deviation = (
        sum(apart(pair, runs) > limit for pair in pairs.values()) for runs in (None, SPLITS)
    )
    cells = [
        (number, ROWS[column])
        for row in printed_cells("gmp", "table3").values()
        for column, number in row.items()
    ]
    below = sum((n.spread or 0) < sampling_floor(n.value, rows) for n, rows in cells)
    finding = (
        f"Table 3, unpaired t over {SPLITS} splits: significant in {error} of {len(pairs)} if ± "
        f"is a standard error, in {deviation} if a deviation, which is not said; {below} of "
        f"{len(cells)} ± are below what drawing the test rows alone makes deviate"
    )
    most = len(pairs) / 2
    if (error > most) == (deviation > most):
        return judge(error > most, finding)
    return Judgement(Verdict.NOT_RUN_UNDERSPECIFIED, finding)


def improvement_grows() -> Judgement:
    """Section 5.2: GmP+IMN's lead over each other method grows with the batch size."""
    table = printed_numbers("gmp", "table2")
    best = table.pop("gmp_imn")
    falls = []
    for row, numbers in table.items():
        for measure in MEASURES:
            columns = [f"{measure}_{batch}" for batch in BATCHES]
            leads = [best[column] - numbers[column] for column in columns]
            if not leads[0] < leads[1] < leads[2]:
                falls.append(f"{row} {measure} " + ", ".join(f"{lead:.2f}" for lead in leads))
    others = len(table) * len(MEASURES)
    return judge(
        not falls,
        f"leads in Table 2 at batches {BATCHES}; not growing in {len(falls)} of {others}: "
        + "; ".join(falls),
    )
