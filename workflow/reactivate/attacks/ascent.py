"""Steps that climb a loss of images, kept near the images they start from."""

from collections.abc import Callable
from math import inf, isfinite
from typing import Literal

import torch
from torch import Tensor

Norm = Literal["linf", "l2"]
Loss = Callable[[Tensor], Tensor]  # of images; the sum over all of them


def ascend(
    loss: Loss,
    x: Tensor,
    step: float,
    steps: int,
    norm: Norm = "linf",
    epsilon: float = inf,
    start: Tensor | None = None,
    clamp_first: bool = False,
) -> Tensor:
    """Images after gradient steps of a fixed length, each projected back.

    ``x' <- clamp(project(x' + step * direction(gradient)), 0, 1)``, where the direction is the
    sign of the gradient (``linf``) or the gradient over its length (``l2``) and the projection is
    that onto the ball around x. An image whose gradient is 0 stays where it is.

    Args:
        loss: Called with images, returns the sum of their losses.
        x: Images from 0 to 1, ``(N, *)``.
        step: Length of a step.
        steps: Number of steps.
        norm: Norm of the step and of the ball.
        epsilon: Radius of the ball; without one only the range of pixels is kept.
        start: First images, shaped like ``x``; by default ``x``.
        clamp_first: Clamp to [0, 1] before the projection, not after it. The projection moves a
            clamped image straight towards x, so its pixels stay in range, and an l2 step that
            leaves the range can still end on the sphere. For ``linf`` it is the same.

    Raises:
        ValueError: Pixels outside [0, 1], or a length that is not positive.

    Example:
        >>> ascend(torch.sum, torch.tensor([[0.5, 0.95]]), step=0.1, steps=3, epsilon=0.2)
        tensor([[0.7000, 1.0000]])
    """
    check_images(x)
    check_positive("step", step)
    check_positive("steps", steps)
    if epsilon != inf:
        check_positive("epsilon", epsilon)
    at = x if start is None else start
    with torch.enable_grad():
        for _ in range(steps):
            at = at.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(loss(at), at)
            moved = at.detach() + step * direction(gradient, norm)
            if clamp_first:
                at = project(moved.clamp(0, 1), x.detach(), epsilon, norm)
            else:
                at = project(moved, x.detach(), epsilon, norm).clamp(0, 1)
    return at.detach()


def direction(gradient: Tensor, norm: Norm) -> Tensor:
    """The steepest step of length 1 for each image, ``(N, *)``; 0 where the gradient is 0.

    Example:
        >>> direction(torch.tensor([[3.0, -4.0], [0.0, 0.0]]), "l2")
        tensor([[ 0.6000, -0.8000],
                [ 0.0000,  0.0000]])
    """
    if norm == "linf":
        return gradient.sign()
    lengths = _lengths(gradient)
    return torch.where(lengths > 0, gradient / lengths, torch.zeros_like(gradient))


def project(at: Tensor, centre: Tensor, epsilon: float, norm: Norm) -> Tensor:
    """The nearest points of the balls around ``centre``, ``(N, *)``.

    Example:
        >>> project(torch.tensor([[3.0, 4.0]]), torch.zeros(1, 2), 1.0, "l2")
        tensor([[0.6000, 0.8000]])
    """
    if epsilon == inf:
        return at
    if norm == "linf":
        return at.clamp(centre - epsilon, centre + epsilon)
    moved = at - centre
    return centre + moved * (epsilon / _lengths(moved)).clamp(max=1)


def check_images(x: Tensor) -> None:
    """Raises unless all pixels are numbers from 0 to 1.

    On a GPU the values are looked at by the GPU itself, which stops the program some time later:
    this process does not wait for them.

    Raises:
        ValueError: Pixels are integers or, on a CPU, outside of the range, which is named.
    """
    if not x.is_floating_point():
        raise ValueError(
            f"images are {x.dtype}; accepted: floating point numbers from 0 to 1. "
            "Divide the levels of a pixel by 255"
        )
    inside = ((x >= 0) & (x <= 1)).all()
    accepted = (
        "accepted: from 0 to 1, before normalisation. Put the normalisation into the network: "
        "reactivate.defences.standardise.Standardised"
    )
    if x.device.type != "cpu":
        torch._assert_async(inside, f"some pixels are out of range; {accepted}")
    elif not bool(inside):
        raise ValueError(f"pixels go from {float(x.min()):g} to {float(x.max()):g}; {accepted}")


def check_positive(name: str, value: float) -> None:
    """Raises unless a length or a number of steps is positive and finite."""
    if not (isfinite(value) and value > 0):
        raise ValueError(
            f"{name} is {value}; accepted: a finite number above 0. Change it in the call, or in "
            "config/papers"
        )


def check_all_positive(owner: object, *names: str) -> None:
    """Raises unless the named attributes of an object are positive and finite."""
    for name in names:
        check_positive(name, getattr(owner, name))


def _lengths(vectors: Tensor) -> Tensor:
    """Euclidean length of each image, ``(N, 1, ...)``."""
    lengths: Tensor = torch.linalg.vector_norm(vectors.flatten(1), dim=1)
    return lengths.reshape(-1, *[1] * (vectors.dim() - 1))
