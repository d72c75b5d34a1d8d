"""GmP Figure 1: how the boundary of a unit moves when its parameters are perturbed."""

import math

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from reactivate.documents.gmp.characteristic import Boundary
from reactivate.documents.gmp.theorem3 import angle_between
from reactivate.documents.gmp.units import units_in_the_plane
from reactivate.foundation.seeding import generator
from reactivate.layers.gmp import angles, unit_vector

PANEL_A = ((math.pi / 4, -1.5),)  # angle and offset, which are not printed
SIZES = (1e-4, 1e-3, 1e-2, 1e-1)  # epsilon
LENGTH = 1e-3  # deviation of the weights and of the bias
PARAMETERIZATIONS = ("sp", "wn", "gmp")
COLUMNS = [
    *("panel", "draw", "parameterization", "epsilon", "theta", "offset"),
    *("location1", "location2", "turned_degrees", "moved"),
]


def unit_draws(draws: int) -> Boundary:
    """Units with two inputs, weights and bias ``0.001 N(0, 1)``; the first one is the authors'.

    It is drawn as in the authors' notebook, from numpy's frozen stream of seed 1.
    """
    theirs = torch.from_numpy(np.random.RandomState(1).randn(1, 3))
    stream = generator("gmp", "perturbation")
    others = torch.randn(draws - 1, 3, generator=stream, dtype=torch.float64)
    values = LENGTH * torch.cat([theirs, others])
    return Boundary(values[:, :2], values[:, 2])


def perturbed(unit: Boundary, epsilon: float, parameterization: str) -> Boundary:
    """The boundaries of units after ``epsilon`` is added to every one of their parameters.

    SP has ``w`` and ``b``; WN ``v = w``, its length and ``b``; GmP theta, lambda and r.

    Reference:
        Chen & Ge 2024, section 3.4, Figure 1b-1e (arXiv:2305.15912).

    Departs from the authors' code:
        Theta is the angle of ``w``. The code takes it as arccos, which loses the sign of the
        second weight.

    Args:
        unit: Before, weights ``(N, 2)`` and biases ``(N)``.
        epsilon: The perturbation.
        parameterization: sp, wn or gmp.
    """
    if parameterization == "gmp":
        return Boundary(unit_vector(angles(unit.weight) + epsilon), unit.offset + epsilon)
    weight = unit.weight + epsilon
    if parameterization == "wn":
        length = unit.weight.norm(dim=-1, keepdim=True) + epsilon
        weight = length * weight / weight.norm(dim=-1, keepdim=True)
    return Boundary(weight, unit.bias + epsilon)


def figure1(draws: int) -> pd.DataFrame:
    """A unit in the plane (panel a), and perturbed units (panels b to e).

    Draw 0 is the unit that is drawn. ``turned_degrees`` is the angle between the directions
    before and after, ``moved`` the distance between the spatial locations.

    Args:
        draws: Units that are perturbed.
    """
    unit = unit_draws(draws)
    parts = [units_in_the_plane(PANEL_A).assign(panel="a"), _rows(unit, unit, 0.0, "unperturbed")]
    for epsilon in SIZES:
        for name in PARAMETERIZATIONS:
            parts.append(_rows(unit, perturbed(unit, epsilon, name), epsilon, name))
    return pd.concat(parts, ignore_index=True).reindex(columns=COLUMNS)


def _rows(before: Boundary, after: Boundary, epsilon: float, name: str) -> pd.DataFrame:
    direction, location = after.direction, after.location
    columns: dict[str, Tensor] = {
        "theta": torch.atan2(direction[:, 1], direction[:, 0]),
        "offset": after.offset,
        "location1": location[:, 0],
        "location2": location[:, 1],
        "turned_degrees": torch.rad2deg(angle_between(before.direction, direction)),
        "moved": (location - before.location).norm(dim=-1),
    }
    rows = pd.DataFrame({key: values.numpy().round(9) for key, values in columns.items()})
    return rows.assign(panel="b-e", draw=rows.index, parameterization=name, epsilon=epsilon)
