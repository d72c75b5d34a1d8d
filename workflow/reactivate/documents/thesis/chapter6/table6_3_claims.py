"""Thesis, Table 6.3: statements of section 6.5.3.2 on average certified radii on ImageNet."""

from itertools import pairwise
from math import inf

from reactivate.documents.shared.printed import Numbers, printed_numbers
from reactivate.documents.thesis.chapter6.certified import (
    BENCHMARKS,
    REPRESSIONS,
    benchmark_of,
    by_radius,
    radius_of,
    sigma_of,
)
from reactivate.documents.thesis.chapter6.section6_5_claims import ALPHA, SAMPLES
from reactivate.judging.reach import radius_cap

HALF_SHARE = 0.0005  # half a unit of Table 6.6
HALF_RADIUS = 0.0005  # half a unit of Table 6.3


def acr() -> Numbers:
    """Average certified radii of Table 6.3, by row."""
    return {row: numbers["acr"] for row, numbers in printed_numbers("thesis", "table6_3").items()}


def acr_gains() -> Numbers:
    """Gain of each row of Table 6.3 over its benchmark."""
    radii = acr()
    return {
        row: round(radius - radii[benchmark_of(row)], 3)
        for row, radius in radii.items()
        if benchmark_of(row) != row
    }


def acr_bounds(row: Numbers, reach: float) -> tuple[float, float]:
    """Bounds of the mean radius, from accuracies certified at growing radii.

    It is the area under a curve that falls: between two radii it is at most as high as at the
    first and at least as high as at the second.

    Args:
        row: Accuracies in percent, by column of Table 6.6, from radius 0 on.
        reach: The largest radius that can be certified.

    Example:
        >>> low, high = acr_bounds({"clean": 80.0, "r025": 60.0, "r050": 0.0}, reach=0.5)
        >>> round(low, 2), round(high, 2)
        (0.15, 0.35)
    """
    ends = [min(radius_of(column), reach) for column in row] + [reach]
    widths = [end - start for start, end in pairwise(ends)]
    shares = [number / 100 for number in row.values()]
    lower = [max(share - HALF_SHARE, 0.0) for share in shares[1:]] + [0.0]
    upper = [share + HALF_SHARE for share in shares]
    low, high = (
        sum(width * height for width, height in zip(widths, heights, strict=True))
        for heights in (lower, upper)
    )
    return low, high


def acr_fits() -> str:
    """Table 6.3 against Table 6.6: a mean radius is the area under the certified accuracy."""
    radii, narrowest, wrong = acr(), inf, []
    for name, row in printed_numbers("thesis", "table6_6").items():
        low, high = acr_bounds(by_radius(row), radius_cap(SAMPLES, ALPHA, sigma_of(name)))
        narrowest = min(narrowest, high - low)
        if not low - HALF_RADIUS <= radii[name] <= high + HALF_RADIUS:
            wrong.append(f"{name}: {radii[name]}, between {low:.3f} and {high:.3f}")
    found = f"{len(radii) - len(wrong)} of {len(radii)} within bounds that are {narrowest:.3f}"
    return "; ".join([f"{found} or more apart", *wrong])


def smoothmix_acr() -> str:
    """What SmoothMix has more than SmoothAdv at sigma 0.5 in Table 6.3."""
    gain = acr()["smoothmix_050"] - acr()["smoothadv_050"]
    return f"{gain:+.3f} in Table 6.3"


def acr_rises() -> str:
    """Radii of the smooth classifier and of SmoothMix at sigma 1.00 in Table 6.3, by eta 2."""
    parts = []
    for method in ("smooth", "smoothmix"):
        before, *after = (acr()[f"{method}{eta}_100"] for eta in ("", "_001", "_005", "_010"))
        parts.append(
            f"{method} from {before:.3f} to {after[0]:.3f} with eta 2 of 0.01, {after[1]:.3f} "
            f"with 0.05, {after[2]:.3f} with 0.10"
        )
    return f"Table 6.3: {'; '.join(parts)}"


def acr_improves() -> str:
    """How many benchmarks of Table 6.3 have a larger radius with each eta 2."""
    by_eta = {
        eta: [gain for row, gain in acr_gains().items() if f"_{eta}_" in row]
        for eta in REPRESSIONS
    }
    said = "; ".join(
        f"0.{eta[1:]}: {sum(gain > 0 for gain in gains)} higher, {gains.count(0)} equal, "
        f"{sum(gain < 0 for gain in gains)} lower"
        for eta, gains in by_eta.items()
    )
    return f"of {len(by_eta['001'])} benchmarks of Table 6.3, with eta 2 of {said}"


def acr_most_at_largest_noise() -> str:
    """The noise level at which each method of Table 6.3 gains most."""
    gains = acr_gains()
    most = {}
    for name in (f"{method}_{eta}" for method in BENCHMARKS for eta in ("001", "005")):
        rows = [row for row in gains if row.startswith(f"{name}_")]
        most[name] = max(rows, key=lambda row: gains[row])
    said = ", ".join(f"{name} {gains[row]:+.3f} at {sigma_of(row)}" for name, row in most.items())
    return f"largest gains in Table 6.3: {said}"
