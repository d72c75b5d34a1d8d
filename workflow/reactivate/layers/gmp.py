"""Hyperspherical coordinates: a unit direction given by its angles, and back."""

import torch
from torch import Tensor


def unit_vector(theta: Tensor) -> Tensor:
    r"""Unit vector with the given hyperspherical angles.

    ``u_1 = cos t_1``, ``u_k = sin t_1 ... sin t_{k-1} cos t_k``, and the last coordinate is the
    product of all sines.

    Reference:
        Chen & Ge 2024, Eq. 10 (arXiv:2305.15912).

    Args:
        theta: Angles in radians, ``(*, n-1)``.

    Returns:
        Unit vectors, ``(*, n)``.

    Example:
        >>> unit_vector(torch.tensor([0.0]))
        tensor([1., 0.])
    """
    one = torch.ones_like(theta[..., :1])
    sines = torch.cat([one, theta.sin().cumprod(dim=-1)], dim=-1)
    cosines = torch.cat([theta.cos(), one], dim=-1)
    return sines * cosines


def angles(vector: Tensor) -> Tensor:
    """Angles of the direction of a vector; inverse of :func:`unit_vector` whatever the length.

    Args:
        vector: Vectors, ``(*, n)`` with ``n >= 2``.

    Returns:
        Angles in radians, ``(*, n-1)``: in ``[0, pi]``, the last one in ``(-pi, pi]``.
    """
    if vector.shape[-1] < 2:
        raise ValueError(
            f"angles need at least 2 coordinates, got a tensor of shape {tuple(vector.shape)}; "
            "a one-dimensional direction is a sign"
        )
    # tail[k] = |(v_{k+1}, ..., v_n)|
    tail = vector.flip(-1).square().cumsum(-1).flip(-1).sqrt()[..., 1:]
    tail = torch.cat([tail[..., :-1], vector[..., -1:]], dim=-1)  # the last angle keeps its sign
    return torch.atan2(tail, vector[..., :-1])
