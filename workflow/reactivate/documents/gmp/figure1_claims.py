"""Statements of GmP's section 3.5 on Figure 1: what perturbations of single units show."""

import pandas as pd

from reactivate.documents.gmp.looks import LOOKS
from reactivate.judging.effects import share
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

MEASURES = {"direction": "turned_degrees", "location": "moved"}  # of the change of a boundary
OTHERS = ("sp", "wn")
SMALL = 1e-3  # the perturbation that can be drastic
RIGHT_ANGLE = 90.0  # degrees


def gmp_is_most_stable(frame: pd.DataFrame) -> Readings:
    """GmP's boundary changes less than those of SP and of WN, for each size of perturbation."""
    found = {}
    for measure, column in MEASURES.items():
        cases = {}
        for epsilon in _sizes(frame):
            changes = _changes(frame, column, epsilon)
            is_least = changes["gmp"] < changes[list(OTHERS)].min(axis=1)
            cases[f"epsilon {epsilon:g}"] = _share(is_least)
        found[measure] = cases
    return Readings(found)


def gmp_moves_gradually(frame: pd.DataFrame) -> Effect:
    """Under GmP the location is further away for each larger perturbation."""
    moved = pd.DataFrame({e: _changes(frame, "moved", e)["gmp"] for e in _sizes(frame)})
    return _share((moved.diff(axis=1).iloc[:, 1:] > 0).all(axis=1))


def small_perturbation_is_drastic(frame: pd.DataFrame) -> Readings:
    """A perturbation of 0.001 can change the boundary of SP, and of WN, drastically.

    A drastic change is 1 or more: of the direction in right angles, of the location in the
    median distance of a location from the origin.
    """
    before = frame[frame["parameterization"] == "unperturbed"]
    distance = ((before["location1"] ** 2 + before["location2"] ** 2) ** 0.5).median()
    turned, moved = (_changes(frame, column, SMALL) for column in MEASURES.values())
    ways = {"direction": turned / RIGHT_ANGLE, "location": moved / distance}
    return Readings(
        {
            name: {LOOKS[other].label: _by_draw(changes[other]) for other in OTHERS}
            for name, changes in ways.items()
        }
    )


def _share(is_so: pd.Series) -> Effect:
    return share({draw: [bool(found)] for draw, found in _by_draw(is_so).items()})


def _by_draw(column: pd.Series) -> dict[int, float]:
    return {int(draw): float(x) for draw, x in zip(column.index, column, strict=True)}


def _sizes(frame: pd.DataFrame) -> list[float]:
    return sorted(frame.loc[frame["epsilon"] > 0, "epsilon"].unique())


def _changes(frame: pd.DataFrame, column: str, epsilon: float) -> pd.DataFrame:
    """Turns or moves of perturbed units, a row per draw, a column per parameterization."""
    rows = frame[(frame["panel"] == "b-e") & (frame["epsilon"] == epsilon)]
    return rows.pivot_table(index="draw", columns="parameterization", values=column)
