"""Swish with a learnable slope; with the slope fixed at 1 it is torch's SiLU."""

import torch
from torch import Tensor, nn

from reactivate.activations.traits import Traits


class Swish(nn.Module):
    r"""Applies ``x * sigmoid(beta * x)`` with one learnable ``beta`` per layer.

    Reference:
        Ramachandran et al. 2018 (arXiv:1710.05941); one scalar per layer, starting at 1.0, as in
        the IIEU authors' code (SudongCAI/IIEU 894d242).

    Args:
        beta: Initial slope.

    Shape:
        - Input: any shape
        - Output: same as input

    Example:
        >>> Swish()(torch.tensor([-1.0, 0.0, 1.0])).tolist() == (
        ...     nn.functional.silu(torch.tensor([-1.0, 0.0, 1.0])).tolist())
        True
    """

    traits = Traits()

    def __init__(self, beta: float = 1.0) -> None:
        super().__init__()
        self.beta = nn.Parameter(torch.tensor(beta))

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.sigmoid(self.beta * x)
