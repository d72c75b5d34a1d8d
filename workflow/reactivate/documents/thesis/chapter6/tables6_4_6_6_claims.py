"""Thesis, Tables 6.4 and 6.6: statements of section 6.5.3.1 on certification on ImageNet."""

from statistics import fmean

from scipy.stats import spearmanr

from reactivate.documents.shared.granularity import is_possible, share_possible
from reactivate.documents.shared.judging import judge
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
from reactivate.evidence.judgement import Judgement

CITED_IMAGES = 500  # of ImageNet, certified by the works that Table 6.4 compares with
SUMMARIES = {"6.4": "table6_4", "6.6": "table6_6"}
FAR = ("r225", "r250", "r275", "r300")
EXTRA = (1.0, 2.0)  # percent, as section 6.5.3.1 has it


def imagenet_images() -> Judgement:
    """Tables 6.4 and 6.6 have as many images of ImageNet as the works they compare with."""
    possible = {}
    for label, name in SUMMARIES.items():
        table = printed_cells("thesis", name)
        # all images or none can be had with any number of them
        numbers = [n for row in table.values() for n in row.values() if 0 < n.value < 100]
        fits = sum(is_possible(number, CITED_IMAGES) for number in numbers)
        possible[label] = (fits, len(numbers), share_possible(numbers[0], CITED_IMAGES))
    said = "; ".join(
        f"Table {label}: {fits} of {total} (by chance {share * total:.0f})"
        for label, (fits, total, share) in possible.items()
    )
    return judge(
        all(fits == total for fits, total, _ in possible.values()),
        f"possible with {CITED_IMAGES} images: {said}; 1000 images give all of them",
    )


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


def extra_accuracy() -> Judgement:
    """Section 6.5.3.1: SCRFP-2 has an extra 1 % to 2 % of robust accuracy."""
    gains = without_clean(gains_of("table6_4"))
    best = {
        name: [
            max(gains[f"{name}_{eta}"][column] for eta in REPRESSIONS)
            for column in gains[f"{name}_001"]
        ]
        for name in BENCHMARKS
    }
    cells = [gain for values in best.values() for gain in values]
    within = sum(EXTRA[0] <= gain <= EXTRA[1] for gain in cells)
    top = ", ".join(f"{name} {max(values):.1f}" for name, values in best.items())
    return judge(
        within > len(cells) / 2,
        f"the best of three eta 2 gains 1 to 2 points at {within} of {len(cells)} benchmarks and "
        f"radii of Table 6.4, less at {sum(gain < EXTRA[0] for gain in cells)}; mean "
        f"{fmean(cells):.2f}, largest: {top}",
    )


def improves_somewhere() -> Judgement:
    """Section 6.5.3.1: accuracy improves under different noise levels at certain radii."""
    best = [max(row.values()) for row in without_clean(gains_of("table6_6")).values()]
    return judge(
        min(best) > 0,
        f"{len(best)} networks and eta 2 in Table 6.6: the largest gain over the radii is "
        f"{span(best)}",
    )


def gain_grows_with_radius() -> Judgement:
    """Section 6.5.3.1: the boost increases as the radius increases."""
    table, ranks = printed_numbers("thesis", "table6_6"), []
    for name, gains in without_clean(gains_of("table6_6")).items():
        reached = [column for column in gains if table[benchmark_of(name)][column] > 0]
        correlation = spearmanr([radius_of(c) for c in reached], [gains[c] for c in reached])
        ranks.append(float(correlation.statistic))
    positive = sum(rank > 0 for rank in ranks)
    return judge(
        positive == len(ranks),
        f"rank correlation of gain and radius in Table 6.6: positive for {positive} of "
        f"{len(ranks)} networks and eta 2, {min(ranks):.2f} to {max(ranks):.2f}",
    )


def slight_boost() -> Judgement:
    """Section 6.5.3.1: eta 2 of 0.01 slightly boosts the accuracy of each benchmark."""
    above_zero = without_clean(gains_of("table6_4"))
    gains = {name: list(above_zero[f"{name}_001"].values()) for name in BENCHMARKS}
    higher = {name: sum(gain > 0 for gain in row) for name, row in gains.items()}
    lower = {name: sum(gain < 0 for gain in row) for name, row in gains.items()}
    said = ", ".join(
        f"{name} {fmean(row):+.2f} (higher at {higher[name]}, lower at {lower[name]})"
        for name, row in gains.items()
    )
    return judge(
        all(higher[name] > lower[name] for name in BENCHMARKS),
        f"mean gain over {len(gains['smooth'])} radii of Table 6.4: {said}",
    )


def strong_repression() -> Judgement:
    """Section 6.5.3.1: eta 2 of 0.10 gives much stronger robustness as the radius increases."""
    by_row = gains_of("table6_4")
    near = [by_row[f"{name}_010"]["r025"] for name in BENCHMARKS]
    far = {column: [by_row[f"{name}_010"][column] for name in BENCHMARKS] for column in FAR}
    said = "; ".join(f"{listed(gains)} at {radius_of(c)}" for c, gains in far.items())
    return judge(
        min(map(min, far.values())) > 0 > max(near),
        f"gains of the three benchmarks in Table 6.4: {listed(near)} at radius 0.25; {said}",
    )


def trade_off() -> Judgement:
    """Section 6.5.3.1: eta 2 trades accuracy against robustness."""
    rows = [gains_of("table6_4")[f"{name}_010"] for name in BENCHMARKS]
    clean, far = ([row[column] for row in rows] for column in ("clean", "r300"))
    return judge(
        max(clean) < 0 < min(far),
        f"with 0.10 the three benchmarks of Table 6.4 have {listed(clean)} at radius 0 and "
        f"{listed(far)} at 3.0",
    )
