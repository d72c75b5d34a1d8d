"""Smooth maximum units: leaky ReLU with its kink smoothed by a learnable amount."""

import torch
from torch import Tensor, nn

from reactivate.activations.traits import Traits


class SMU(nn.Module):
    r"""Applies ``((1 + a) x + (1 - a) x erf(mu (1 - a) x)) / 2``, a smooth ``max(x, a x)``.

    Reference:
        Biswas et al. 2022, "Smooth maximum unit" (CVPR); ``a`` = 0.01 and ``mu`` = 2.5 as in ports
        of the CVPR version, which the IIEU supplement cites. Ports of the first arXiv version use
        ``SMU(slope=0.25, mu=1e6)``, numerically a leaky ReLU.

    Args:
        slope: Slope ``a`` on the far negative side, fixed.
        mu: Initial smoothing; the larger, the sharper the kink. Learnable, one per layer.

    Shape:
        - Input: any shape
        - Output: same as input

    Example:
        >>> SMU()(torch.tensor([-100.0, 0.0, 100.0])).detach()
        tensor([ -1.,   0., 100.])
    """

    traits = Traits()

    def __init__(self, slope: float = 0.01, mu: float = 2.5) -> None:
        super().__init__()
        self.slope = slope
        self.mu = nn.Parameter(torch.tensor(mu))

    def forward(self, x: Tensor) -> Tensor:
        gap = (1 - self.slope) * x  # distance between the two lines that max() chooses from
        return ((1 + self.slope) * x + gap * torch.erf(self.mu * gap)) / 2

    def extra_repr(self) -> str:
        return f"slope={self.slope}"


class SMU1(nn.Module):
    r"""Applies ``((1 + a) x + sqrt((1 - a)^2 x^2 + mu^2)) / 2``, a smooth ``max(x, a x)``.

    With the published initial ``mu`` of about 4e-9 this is numerically a leaky ReLU, and ``mu``
    hardly receives a gradient.

    Reference:
        Biswas et al. 2022, "Smooth maximum unit" (CVPR); initial values as in ports of that
        version. Ports of the first arXiv version use
        ``SMU1(slope=0.25, mu=4.352665993287951e-9)``.

    Args:
        slope: Slope ``a`` on the far negative side, fixed.
        mu: Initial smoothing; the larger, the smoother the kink. Learnable, one per layer.

    Shape:
        - Input: any shape
        - Output: same as input

    Example:
        >>> SMU1()(torch.tensor([-100.0, 100.0])).detach()
        tensor([ -1., 100.])
    """

    traits = Traits()

    def __init__(self, slope: float = 0.01, mu: float = 4.332461424154261e-9) -> None:
        super().__init__()
        self.slope = slope
        self.mu = nn.Parameter(torch.tensor(mu))

    def forward(self, x: Tensor) -> Tensor:
        gap = (1 - self.slope) * x
        if torch.compiler.is_exporting():  # ONNX has no hypot, which spares squares that overflow
            return ((1 + self.slope) * x + (gap.square() + self.mu.square()).sqrt()) / 2
        return ((1 + self.slope) * x + torch.hypot(gap, self.mu)) / 2

    def extra_repr(self) -> str:
        return f"slope={self.slope}"
