"""ErfAct and Pserf: smooth, non-monotonic units built on the error function."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from reactivate.activations.traits import Traits

# e^80 fits float32 and erf reached 1 long before, so the cap changes no value; without it the
# gradient at large inputs is 0 * inf.
LARGEST_EXPONENT = 80.0


class ErfAct(nn.Module):
    r"""Applies ``x * erf(alpha * exp(beta * x))`` with learnable ``alpha`` and ``beta``.

    Reference:
        Biswas et al. 2022, "ErfAct and Pserf" (arXiv:2109.04386); initial values 0.75 and 0.75.

    Args:
        alpha: Initial factor of the exponential.
        beta: Initial rate of the exponential.

    Shape:
        - Input: any shape
        - Output: same as input

    Example:
        >>> ErfAct()(torch.tensor([-1e4, 0.0, 1e4])).abs().detach()
        tensor([    0.,     0., 10000.])
    """

    traits = Traits()

    def __init__(self, alpha: float = 0.75, beta: float = 0.75) -> None:
        super().__init__()
        self.alpha = nn.Parameter(torch.tensor(alpha))
        self.beta = nn.Parameter(torch.tensor(beta))

    def forward(self, x: Tensor) -> Tensor:
        exponent = (self.beta * x).clamp(max=LARGEST_EXPONENT)
        return x * torch.erf(self.alpha * exponent.exp())


class Pserf(nn.Module):
    r"""Applies ``x * erf(gamma * ln(1 + exp(delta * x)))`` with learnable ``gamma`` and ``delta``.

    Reference:
        Biswas et al. 2022, "ErfAct and Pserf" (arXiv:2109.04386). The IIEU supplement compares
        with Pserf without stating its initial values; 1.25 and 0.85 are those of a public port,
        other ports use 1.0 and 1.25, or 1 and 1.

    Args:
        gamma: Initial factor of the softplus.
        delta: Initial slope inside the softplus.

    Shape:
        - Input: any shape
        - Output: same as input

    Example:
        >>> Pserf()(torch.tensor([-1e4, 0.0, 1e4])).abs().detach()
        tensor([    0.,     0., 10000.])
    """

    traits = Traits()

    def __init__(self, gamma: float = 1.25, delta: float = 0.85) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.tensor(gamma))
        self.delta = nn.Parameter(torch.tensor(delta))

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.erf(self.gamma * functional.softplus(self.delta * x))
