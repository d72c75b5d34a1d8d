"""Thesis, Tables 6.2 and 6.5: what their own numbers say of certified accuracy on CIFAR-10."""

from itertools import pairwise

from reactivate.documents.shared.printed import (
    Table,
    deviations,
    gains_over,
    numbers_of,
    printed_numbers,
    span,
)
from reactivate.documents.thesis.chapter6.certified import by_radius, highest, radius_of

IMAGES = 1000  # that were certified, as the numbers have it
SUMMARIES = {"6.2": ("table6_2", "table6_5"), "6.4": ("table6_4", "table6_6")}
STATED = ("r075", "r100")  # radii at which section 6.5.2 states gains
PLAIN = "000_000"  # neither eta 1 nor eta 2


def highest_is_printed() -> str:
    """How many numbers of Tables 6.2 and 6.4 are the highest of the noise levels."""
    parts = []
    for label, (summary, complete) in SUMMARIES.items():
        table = printed_numbers("thesis", summary)
        best = highest(printed_numbers("thesis", complete))
        wrong = [
            f"{name} {column} {number} for {best[name][column]}"
            for name, row in table.items()
            for column, number in row.items()
            if number != best[name][column]
        ]
        total = len(numbers_of(table))
        but = f" (not {', '.join(wrong)})" if wrong else ""
        parts.append(f"{total - len(wrong)} of {total} in Table {label}{but}")
    return f"the highest of the noise levels: {'; '.join(parts)}"


def falls_with_radius() -> str:
    """Rows of the tables whose certified accuracy never rises with the radius."""
    tables = ("table6_2", "table6_4", "table6_5", "table6_6")
    rows = [by_radius(row) for name in tables for row in printed_numbers("thesis", name).values()]
    falling = sum(all(a >= b for a, b in pairwise(row.values())) for row in rows)
    return f"no rise in {falling} of {len(rows)} rows of Tables 6.2, 6.4 to 6.6"


def prediction_gains() -> str:
    """What (0.02, 0.10) gains at radius 0.75 and 1.00 in Table 6.2."""
    table = printed_numbers("thesis", "table6_2")
    gains = gains_over(table["smooth"], table["scrfp2_002_010"])
    said = ", ".join(f"{gains[column]:+.1f} at {radius_of(column)}" for column in STATED)
    return f"Table 6.2: {said}"


def repression_improves() -> str:
    """What the prediction step gains in Table 6.2 at radii above 0.25."""
    table = printed_numbers("thesis", "table6_2")
    places = [
        (row[column], table["smooth"][column])
        for name, row in table.items()
        for column in row
        if name.endswith("_010") and radius_of(column) > 0.25
    ]
    least = min(deviations(*place, IMAGES) for place in places)
    return (
        f"Table 6.2: {span(a - b for a, b in places)} at {len(places)} places, at least "
        f"{least:.1f} standard errors of {IMAGES} images each"
    )


def at_noise(sigma: str) -> Table:
    """The rows of Table 6.5 at one noise level, named by eta 1 and eta 2."""
    rows = printed_numbers("thesis", "table6_5").items()
    named = {n.removesuffix(f"_{sigma}"): row for n, row in rows if n.endswith(f"_{sigma}")}
    return {PLAIN if n == "smooth" else n.removeprefix("scrfp2_"): r for n, r in named.items()}


def comparable_near_zero() -> str:
    """What SCRFP-2 gains at sigma 0.125 in Table 6.5, at radius 0 and 0.25."""
    rows = at_noise("0125")
    gains = [gains_over(rows[PLAIN], row) for name, row in rows.items() if name != PLAIN]
    near, far = ([gain[column] for gain in gains] for column in ("clean", "r025"))
    return (
        f"Table 6.5, {len(gains)} variants: {span(near)} at radius 0, {span(far)} at 0.25, the "
        "last radius that it has"
    )


def repression_at_every_noise() -> str:
    """What eta 2 gains at sigma 0.25 and 0.50 in Table 6.5."""
    gains = [
        gain
        for rows in map(at_noise, ("025", "050"))
        for eta1 in ("000", "001", "002")
        for column, gain in gains_over(rows[f"{eta1}_000"], rows[f"{eta1}_010"]).items()
        if column != "clean"
    ]
    return f"Table 6.5, {len(gains)} comparisons of one network at one radius: {span(gains)}"
