"""Statements of the thesis on changes of paths (section 6.3.2), judged from Figure 6.1.

The paths of Definition 8 are judged; what the author's program has instead is told beside them.
"""

import pandas as pd

from reactivate.documents.shared.judging import ordered, said
from reactivate.evidence.judgement import Judgement
from reactivate.patterns.protocols import AUTHORS_CODE, DOCUMENT

UNDER_DEFENDED = ("std", "noise_125", "fgsm_04")  # as the section lists them
DEFENDED = ("fgsm_08", "pgd_04", "pgd_08")
NEAR = 0.2  # from -1: where a distribution that clusters around it has its median
MOST = 0.95  # of the images

ByProtocol = dict[str, dict[str, float]]  # by protocol, then by defence


def fixed_against_label(changes: pd.DataFrame) -> Judgement:
    """Figure 6.1: fixed paths cluster around -1 for under-defended models."""
    cosines = _medians(changes, "cosine_fixed")
    holds = all(cosines[DOCUMENT][name] <= -1 + NEAR for name in UNDER_DEFENDED)
    return ordered(holds, f"median cosine of fixed paths: {_by_protocol(cosines)}")


def similarities_rise(changes: pd.DataFrame) -> Judgement:
    """Figure 6.1: both cosines are higher for more robust models, in the mean of their medians."""
    holds, parts = True, []
    for paths in ("fixed", "float"):
        medians = _medians(changes, f"cosine_{paths}")[DOCUMENT]
        weak, strong = (_mean(medians, names) for names in (UNDER_DEFENDED, DEFENDED))
        holds &= strong > weak
        parts.append(f"{paths} {weak:.3f} under-defended, {strong:.3f} defended")
    return ordered(holds, f"medians of the cosine: {'; '.join(parts)}")


def float_around_04(changes: pd.DataFrame) -> Judgement:
    """Figure 6.1: float paths of robust models are around -0.4, to 0.1."""
    cosines = _medians(changes, "cosine_float")
    holds = all(abs(cosines[DOCUMENT][name] + 0.4) <= 0.1 for name in DEFENDED)
    return ordered(holds, f"median cosine of float paths: {_by_protocol(cosines)}")


def fixed_within_1(changes: pd.DataFrame) -> Judgement:
    """Figure 6.1: for all models the length of the fixed change is in (0, 1)."""
    inside = changes["norm_fixed"].between(0, 1, inclusive="neither")
    shares = _shares(changes, inside)
    finding = f"images with a fixed change in (0, 1): {_by_protocol(shares, '.1%')}"
    return ordered(min(shares[DOCUMENT].values()) >= MOST, finding)


def float_up_to_16(changes: pd.DataFrame) -> Judgement:
    """Figure 6.1: float changes of under-defended models reach 16, within a factor of 2."""
    own = changes[changes["protocol"] == DOCUMENT]
    largest = own.groupby("defence", sort=False)["norm_float"].max()
    lengths = {str(name): float(value) for name, value in largest.items()}
    holds = all(8 <= lengths[name] <= 32 for name in UNDER_DEFENDED)
    return ordered(holds, f"largest float change: {said(lengths, '.3f')}; stated 16")


def float_is_longer(changes: pd.DataFrame) -> Judgement:
    """Figure 6.1: for all models the float change is longer than the fixed one, in the median."""
    fixed, floating = (_medians(changes, f"norm_{name}") for name in ("fixed", "float"))
    holds = all(floating[DOCUMENT][name] > value for name, value in fixed[DOCUMENT].items())
    longer = _shares(changes, changes["norm_float"] > changes["norm_fixed"])
    lengths = ", ".join(
        f"{name} {value:.3g} and {floating[DOCUMENT][name]:.3g}"
        for name, value in fixed[DOCUMENT].items()
    )
    return ordered(
        holds,
        f"median length of fixed and float change: {lengths}; images where the latter is longer: "
        f"{_by_protocol(longer, '.0%')}",
    )


def _medians(changes: pd.DataFrame, column: str) -> ByProtocol:
    return _by_defence(changes.groupby(["protocol", "defence"], sort=False)[column].median())


def _shares(changes: pd.DataFrame, holds: "pd.Series[bool]") -> ByProtocol:
    """Share of the images of which something holds, by protocol and defence."""
    places = [changes["protocol"], changes["defence"]]
    return _by_defence(holds.astype(float).groupby(places, sort=False).mean())


def _by_defence(grouped: "pd.Series[float]") -> ByProtocol:
    table = grouped.unstack("protocol", sort=False)
    return {
        str(protocol): {str(name): float(value) for name, value in table[protocol].items()}
        for protocol in table.columns
    }


def _mean(values: dict[str, float], names: tuple[str, ...]) -> float:
    return sum(values[name] for name in names) / len(names)


def _by_protocol(values: ByProtocol, digits: str = ".3f") -> str:
    ours, theirs = (said(values[name], digits) for name in (DOCUMENT, AUTHORS_CODE))
    return f"{ours}; as in the author's program: {theirs}"
