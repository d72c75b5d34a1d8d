"""Projected gradient descent: many small steps inside a ball."""

from typing import Literal

from torch import Generator, Tensor, nn
from torch.nn import functional

from reactivate.attacks.ascent import Norm, ascend, check_images, check_positive, direction
from reactivate.attacks.untouched import untouched
from reactivate.layers.portions import draw

Start = Literal["none", "uniform", "gaussian"]


def pgd(
    network: nn.Module,
    x: Tensor,
    y: Tensor,
    epsilon: float,
    step: float,
    steps: int,
    norm: Norm = "linf",
    start: Start = "none",
    generator: Generator | None = None,
) -> Tensor:
    """Images inside a ball around ``x`` that climb the cross-entropy of their labels.

    The author's protocol of the thesis is ``epsilon=8/255, step=2/255, steps=10,
    start="gaussian"``, whatever epsilon a table prints: its code never passes another one.

    Reference:
        Madry et al. 2018, section 2.1 (arXiv:1706.06083); the author's code: OrangeBai/APCT
        c3cd927.

    Departs from the paper:
        Pixels are kept in [0, 1] after every step; the author's code does so after the last.

    Args:
        network: A classifier of images from 0 to 1, used in the mode it has: in training mode
            batch normalisation takes the statistics of the batch. Afterwards its buffers, the
            gradients of its parameters and its mode are as before.
        x: Images from 0 to 1, ``(N, *)``.
        y: Labels, ``(N)``.
        epsilon: Radius of the ball, for pixels from 0 to 1.
        step: Length of a step.
        steps: Number of steps.
        norm: Norm of the ball and of the steps.
        start: ``none``: from the images; ``uniform``: anywhere in the ball; ``gaussian``: epsilon
            times normal noise (``linf``) or a random point of the sphere (``l2``), not projected,
            so that the first gradient may be one outside of the ball, as in the author's code.
        generator: Random stream of the start; may be on another device.

    Returns:
        Images from 0 to 1 inside the ball, ``(N, *)``.

    Raises:
        ValueError: Pixels outside [0, 1], a length that is not positive, an unknown start, or a
            random start without a generator.

    Example:
        >>> import torch
        >>> line = nn.Linear(2, 2, bias=False)
        >>> _ = line.weight.data.copy_(torch.tensor([[3.0, 4.0], [0.0, 0.0]]))
        >>> x, y = torch.full((1, 2), 0.5), torch.tensor([1])
        >>> pgd(line, x, y, epsilon=0.5, step=0.2, steps=4, norm="l2")
        tensor([[0.8000, 0.9000]])
    """
    check_images(x)
    check_positive("epsilon", epsilon)
    first = started(x, epsilon, norm, start, generator)

    def loss(images: Tensor) -> Tensor:
        return functional.cross_entropy(network(images), y, reduction="sum")

    with untouched(network):
        return ascend(loss, x, step, steps, norm, epsilon, first)


def started(
    x: Tensor, epsilon: float, norm: Norm, start: Start, generator: Generator | None
) -> Tensor:
    """Images from which an attack begins; see :func:`pgd`."""
    if start == "none":
        return x
    if start not in ("uniform", "gaussian"):
        raise ValueError(
            f"start is {start!r}; accepted: none, uniform, gaussian. Change it in the call, or in "
            "config/papers"
        )
    if generator is None:
        raise ValueError(
            f"start {start!r} is random and generator is None; accepted: a torch.Generator. Pass "
            "one made by reactivate.foundation.seeding.generator"
        )

    if start == "gaussian":
        noise = draw("randn", x.shape, generator, x.dtype).to(x.device)
        return x + epsilon * (noise if norm == "linf" else direction(noise, norm))
    if norm == "linf":
        moved = x + epsilon * (2 * draw("rand", x.shape, generator, x.dtype).to(x.device) - 1)
    else:
        ways = direction(draw("randn", x.shape, generator, x.dtype).to(x.device), norm)
        uniform = draw("rand", x.shape[:1], generator, x.dtype).to(x.device)
        lengths = uniform ** (1 / x.shape[1:].numel())
        moved = x + epsilon * ways * lengths.reshape(-1, *[1] * (x.dim() - 1))
    return moved.clamp(0, 1)
