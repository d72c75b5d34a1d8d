"""Thesis, Tables 6.4 and 6.6: what their own numbers say of certification on ImageNet."""

from statistics import fmean

from reactivate.documents.shared.granularity import is_possible, share_possible
from reactivate.documents.shared.judging import said
from reactivate.documents.shared.printed import (
    Table,
    gains_over,
    listed,
    printed_cells,
    printed_numbers,
    span,
)
from reactivate.documents.thesis.chapter6.certified import (
    BENCHMARKS,
    REPRESSIONS,
    benchmark_of,
    by_radius,
    radius_of,
)
from reactivate.judging.effects import spearman

CITED_IMAGES = 500  # of ImageNet, certified by the works that Table 6.4 compares with
SUMMARIES = {"6.4": "table6_4", "6.6": "table6_6"}
FAR = ("r225", "r250", "r275", "r300")


def imagenet_images() -> str:
    """Numbers of Tables 6.4 and 6.6 that are possible with as many images as the cited works."""
    parts = []
    for label, name in SUMMARIES.items():
        table = printed_cells("thesis", name)
        # all images or none can be had with any number of them
        numbers = [n for row in table.values() for n in row.values() if 0 < n.value < 100]
        fits = sum(is_possible(number, CITED_IMAGES) for number in numbers)
        chance = share_possible(numbers[0], CITED_IMAGES) * len(numbers)
        parts.append(f"Table {label}: {fits} of {len(numbers)} (by chance {chance:.0f})")
    return f"possible with {CITED_IMAGES} images: {'; '.join(parts)}; 1000 images give all of them"


def gains_of(name: str, digits: int = 1) -> Table:
    """Gain of each row of a table with repressed float paths over its benchmark."""
    table = printed_numbers("thesis", name)
    return {
        row: gains_over(table[benchmark_of(row)], by_radius(numbers), digits)
        for row, numbers in table.items()
        if benchmark_of(row) != row
    }


def without_clean(gains: Table) -> Table:
    """The gains at radii above 0."""
    return {
        row: {column: gain for column, gain in numbers.items() if column != "clean"}
        for row, numbers in gains.items()
    }


def extra_accuracy() -> str:
    """The largest gain over eta 2 and radii of each benchmark in Table 6.4."""
    gains = without_clean(gains_of("table6_4"))
    best = {
        name: max(max(gains[f"{name}_{eta}"].values()) for eta in REPRESSIONS)
        for name in BENCHMARKS
    }
    return f"largest gains in Table 6.4: {said(best, '.1f')} points"


def improves_somewhere() -> str:
    """The largest gain over the radii of each network and eta 2 in Table 6.6."""
    best = [max(row.values()) for row in without_clean(gains_of("table6_6")).values()]
    return (
        f"{len(best)} networks and eta 2 in Table 6.6: the largest gain over the radii is "
        f"{span(best)}"
    )


def gain_grows_with_radius() -> str:
    """Rank correlation of gain and radius of each network and eta 2 in Table 6.6."""
    table, ranks = printed_numbers("thesis", "table6_6"), []
    for name, gains in without_clean(gains_of("table6_6")).items():
        reached = [column for column in gains if table[benchmark_of(name)][column] > 0]
        ranks.append(spearman([radius_of(c) for c in reached], [gains[c] for c in reached]))
    positive = sum(rank > 0 for rank in ranks)
    return (
        f"rank correlation of gain and radius in Table 6.6: positive for {positive} of "
        f"{len(ranks)} networks and eta 2, {min(ranks):.2f} to {max(ranks):.2f}"
    )


def slight_boost() -> str:
    """Mean gain over the radii of each benchmark with eta 2 of 0.01 in Table 6.4."""
    above_zero = without_clean(gains_of("table6_4"))
    gains = {name: list(above_zero[f"{name}_001"].values()) for name in BENCHMARKS}
    parts = ", ".join(
        f"{name} {fmean(row):+.2f} (higher at {sum(gain > 0 for gain in row)}, lower at "
        f"{sum(gain < 0 for gain in row)})"
        for name, row in gains.items()
    )
    return f"mean gain over {len(gains['smooth'])} radii of Table 6.4: {parts}"


def strong_repression() -> str:
    """Gains of the three benchmarks with eta 2 of 0.10 in Table 6.4, near and far."""
    by_row = gains_of("table6_4")
    parts = "; ".join(
        f"{listed(by_row[f'{name}_010'][column] for name in BENCHMARKS)} at {radius_of(column)}"
        for column in ("r025", *FAR)
    )
    return f"gains of the three benchmarks in Table 6.4: {parts}"


def trade_off() -> str:
    """Gains of the three benchmarks with eta 2 of 0.10 in Table 6.4 at radius 0 and 3.0."""
    rows = [gains_of("table6_4")[f"{name}_010"] for name in BENCHMARKS]
    clean, far = ([row[column] for row in rows] for column in ("clean", "r300"))
    return (
        f"with 0.10 the three benchmarks of Table 6.4 have {listed(clean)} at radius 0 and "
        f"{listed(far)} at 3.0"
    )
