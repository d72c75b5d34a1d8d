"""Boundary, location and activation of one ReLU unit, given its angle and offset."""

from collections.abc import Iterable

import pandas as pd
import torch

from reactivate.documents.gmp.characteristic import Boundary
from reactivate.layers.gmp import unit_vector

REACH = 3.0  # inputs that are shown: from -REACH to REACH


def unit_boundary(theta: float, offset: float, inputs: int) -> Boundary:
    """Boundary of ``ReLU(u(theta) x + lambda)``; on a line ``u`` is the cosine of 0 or pi.

    Args:
        theta: Angle, in radians.
        offset: lambda.
        inputs: 1 or 2.
    """
    u = unit_vector(torch.tensor([[theta]], dtype=torch.float64))[:, :inputs]
    return Boundary(u, torch.tensor([offset], dtype=torch.float64))


def units_on_a_line(conditions: Iterable[tuple[float, float]]) -> pd.DataFrame:
    """Activation over the inputs, and spatial location, of units with one input."""
    x = torch.linspace(-REACH, REACH, 61, dtype=torch.float64)
    parts = []
    for theta, offset in conditions:
        unit = unit_boundary(theta, offset, 1)
        activation = (x * unit.weight.item() + offset).relu()
        columns = {"theta": theta, "offset": offset, "location": unit.location.item()}
        values = {"x": x.numpy().round(6), "activation": activation.numpy().round(6)}
        parts.append(pd.DataFrame({**columns, **values}, index=range(len(x))))
    return pd.concat(parts, ignore_index=True)


def units_in_the_plane(conditions: Iterable[tuple[float, float]]) -> pd.DataFrame:
    """Direction and spatial location of units with two inputs."""
    rows = []
    for theta, offset in conditions:
        unit = unit_boundary(theta, offset, 2)
        (u1, u2), (x1, x2) = unit.direction[0].tolist(), unit.location[0].tolist()
        places = {"direction1": u1, "direction2": u2, "location1": x1, "location2": x2}
        rows.append({"theta": theta, "offset": offset, **places})
    return pd.DataFrame(rows)
