"""Statements of GmP's section 3.4 on Figure 1, judged from perturbed units."""

import pandas as pd

from reactivate.documents.gmp.comparison import label
from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

DRASTIC = 100  # times what GmP's boundary turns


def perturbations(frame: pd.DataFrame, column: str, epsilon: float) -> pd.DataFrame:
    """Turns or moves of perturbed units, a row per draw, a column per parameterization."""
    rows = frame[(frame["panel"] == "b-e") & (frame["epsilon"] == epsilon)]
    return rows.pivot_table(index="draw", columns="parameterization", values=column)


def gmp_moves_gradually(frame: pd.DataFrame) -> Judgement:
    """The boundary changes smoothly under GmP, further away for a larger perturbation."""
    sizes = sorted(frame.loc[frame["epsilon"] > 0, "epsilon"].unique())
    moved = pd.DataFrame({e: perturbations(frame, "moved", e)["gmp"] for e in sizes})
    turned = [perturbations(frame, "turned_degrees", e)["gmp"].max() for e in sizes]
    growing = (moved.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
    medians = ", ".join(f"{moved[e].median():.2g} at {e:g}" for e in sizes)
    return ordered(
        bool(growing.all()),
        f"the location is further away at each larger epsilon for {growing.sum()} of "
        f"{len(growing)} units (median {medians}); the direction turns by at most "
        f"{turned[-1]:.2f} degrees at {sizes[-1]:g}, which is epsilon",
    )


def small_perturbation_is_drastic(frame: pd.DataFrame) -> Judgement:
    """A perturbation of 0.001 can drastically change the boundary of SP and WN, not of GmP."""
    epsilon = 1e-3
    turned, moved = (perturbations(frame, c, epsilon) for c in ("turned_degrees", "moved"))
    ratio = turned[["sp", "wn"]].median() / turned["gmp"].median()
    said = ", ".join(
        f"{label(n)} {turned[n].median():.2g} degrees (at most {turned[n].max():.3g}) and "
        f"{moved[n].median():.2g}"
        for n in ("sp", "wn", "gmp")
    )
    return ordered(
        bool((ratio > DRASTIC).all()),
        f"median turn of the direction and move of the location of {len(turned)} units by "
        f"{epsilon:g}: {said}",
    )


def gmp_is_most_stable(frame: pd.DataFrame) -> Judgement:
    """Under every perturbation GmP's boundary changes least."""
    findings, holds = [], True
    for epsilon in sorted(frame.loc[frame["epsilon"] > 0, "epsilon"].unique()):
        for word, column in (("turns", "turned_degrees"), ("moves", "moved")):
            changes = perturbations(frame, column, epsilon)
            least = changes["gmp"] < changes[["sp", "wn"]].min(axis=1)
            holds &= bool(least.mean() > 0.5)
            findings.append(f"{word} least at {epsilon:g} for {100 * least.mean():.0f} %")
    return ordered(holds, f"of {len(changes)} units GmP {', '.join(findings)}")
