"""The shortest solution of many least-squares problems at once, from products alone."""

from dataclasses import dataclass

import torch
from torch import Tensor

from reactivate.reconstruction.shifts import Shifts

TOLERANCE = 1e-8
STEPS = 2000


@dataclass(frozen=True)
class Solution:
    """Solutions of least-squares problems, and how good they are.

    Attributes:
        x: The solutions, ``(N, C, *size)``.
        steps: Steps that the slowest problem took.
        residual: ``|W r| / |W z|`` of each problem, ``r = z - W^T x``; 0 where there was nothing
            to solve.
    """

    x: Tensor
    steps: int
    residual: Tensor


def minimum_norm(
    shifts: Shifts, z: Tensor, tolerance: float = TOLERANCE, steps: int = STEPS
) -> Solution:
    r"""The shortest ``x`` with the least ``|W^T x - z|`` for each image: ``(W^T)^+ z``.

    Conjugate gradients on the normal equations ``W W^T x = W z`` (CGLS), from zero, so that every
    iterate is in the range of ``W``. An image is done when ``|W (z - W^T x)|`` is ``tolerance`` of
    what it was; the others go on. The distance to the solution falls in every step, so a ratio
    ``|x - x'| / |x|`` is approached from above.

    Args:
        shifts: The map ``W``.
        z: Responses, ``(N, K, H, W)``; its dtype and device are those of the computation.
        tolerance: Share of the first ``|W z|`` at which an image is done.
        steps: Most steps; the result has the residual that is left.
    """
    left = z if shifts.selected is None else z * shifts.selected
    gradient = shifts.synthesise(left)
    direction = gradient
    x = torch.zeros_like(gradient)
    first = size = _squares(gradient)
    step = 0
    while step < steps and bool((active := size > tolerance**2 * first).any()):
        image = shifts.analyse(direction)
        pace = _quotient(size, _squares(image), active)
        x = x + pace * direction
        left = left - pace * image
        gradient = shifts.synthesise(left)
        new = _squares(gradient)
        direction = gradient + _quotient(new, size, active) * direction
        size = torch.where(active, new, size)
        step += 1
    return Solution(x, step, _quotient(size, first, first > 0).sqrt().flatten())


def _squares(x: Tensor) -> Tensor:
    """Squared length of each image, ``(N, 1, 1, 1)``."""
    return x.square().sum(dim=(1, 2, 3), keepdim=True)


def _quotient(above: Tensor, below: Tensor, where: Tensor) -> Tensor:
    """Quotients where they are asked for, else 0."""
    return torch.where(
        where & (below > 0), above / below.clamp(min=torch.finfo(below.dtype).tiny), 0
    )
