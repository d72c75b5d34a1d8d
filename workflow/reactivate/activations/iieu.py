"""IIEU-B and IIEU-DC: re-weight a response by its similarity to the filter that made it."""

from dataclasses import replace

import torch
from torch import Tensor, nn

from reactivate.activations.adjuster import Reweight, reweight
from reactivate.activations.channels import channel_means
from reactivate.activations.coupler import DynamicCoupler
from reactivate.activations.patch import GroupNorm, filter_norm, patch_norm
from reactivate.activations.shift import ChannelShift, Normalization
from reactivate.activations.traits import Traits

EPS = 1e-8  # added to both norms


class IIEUB(nn.Module):
    r"""Applies ``phi = adjust(s + nu) * x``, where x is the response *after* batch normalisation.

    - term-S: ``s = x / ((|w| + 1e-8) (|patch| + 1e-8))``, :func:`patch_norm`
    - term-B: ``nu = sigmoid(LayerNorm(GAP(x)))``, :class:`ChannelShift`
    - ``adjust(rho) = rho`` if ``rho >= eta``, else ``eta exp(rho - eta)``; eta is learnable per
      channel, starts at 0.05 and is not constrained

    Adds 3C parameters: weight and bias of term-B, and eta. It is called with what a convolution
    made, the input of that convolution, and the convolution itself, whose filters it reads:
    ``unit(response, conv_input, convolution)``.

    Reference:
        IIEU supplement, Eq. 25-31 (ICCV 2023), as in the authors' code (SudongCAI/IIEU 894d242).

    Departs from the paper:
        The authors' code adds 1e-8 to the norm of a k x k patch before it multiplies by k, so
        theirs is k times ours; and on a patch of zeros their gradient is not a number.

    Args:
        channels: Channels of the response, C.
        shift: Normalisation inside term-B, see :class:`ChannelShift`.
        group_norm: Which channels of a grouped convolution the patch norm covers, see
            :func:`patch_norm`.
        eta: Initial turning point of the adjuster.

    Shape:
        - Input: ``response`` ``(N, C, *)``, ``conv_input`` ``(N, C_in, *)``, and the
          ``convolution``, a Conv2d or Linear
        - Output: ``(N, C, *)``

    Example:
        >>> convolution, norm = nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8)
        >>> image = torch.ones(2, 3, 6, 6)
        >>> IIEUB(8)(norm(convolution(image)), image, convolution).shape
        torch.Size([2, 8, 3, 3])
    """

    # operations: quotient of term-S (2), sum with term-B, comparison, exponent and product of the
    # adjuster (3), product with the response
    traits = Traits(needs_channels=True, needs_convolution=True, breakpoints=None, operations=7)

    def __init__(
        self,
        channels: int,
        shift: Normalization = "layer_norm",
        group_norm: GroupNorm = "reference",
        eta: float = 0.05,
    ) -> None:
        super().__init__()
        if group_norm not in ("reference", "exact"):
            raise ValueError(
                f"unknown group_norm {group_norm!r}; accepted: reference, exact. "
                "Change it where the IIEU unit is created"
            )
        self.group_norm = group_norm
        self.shift = ChannelShift(channels, shift)
        self.eta = nn.Parameter(torch.full((channels,), eta))

    def forward(self, response: Tensor, conv_input: Tensor, convolution: nn.Module) -> Tensor:
        patch = 1 / (patch_norm(conv_input, convolution, self.group_norm, EPS) + EPS)
        filters = 1 / (filter_norm(convolution) + EPS)
        nu = self.shift(channel_means(response))
        arguments = (response, patch, filters.expand_as(nu), nu, self.eta.expand_as(nu))
        if (
            torch.compiler.is_compiling()
        ):  # compilers fuse the formula, and export cannot see blocks
            return reweight(*arguments)
        phi: Tensor = Reweight.apply(*arguments)  # type: ignore[no-untyped-call]
        return phi

    def extra_repr(self) -> str:
        return f"group_norm={self.group_norm!r}"


class IIEUDC(IIEUB):
    r"""Applies IIEU-B in networks whose residual sums are :class:`DynamicCoupler` modules.

    It is called as IIEU-B is: ``unit(response, conv_input, convolution)``. The couplers are the
    network's: ``IIEUDC.coupler(channels)(identity, residual)``.

    Reference:
        The authors' code (SudongCAI/IIEU 894d242).

    Shape:
        - Input: ``response`` ``(N, C, *)``, ``conv_input`` ``(N, C_in, *)``, and the
          ``convolution``, a Conv2d or Linear
        - Output: ``(N, C, *)``

    Example:
        >>> IIEUDC.traits.couples_residual, IIEUDC.coupler.__name__
        (True, 'DynamicCoupler')
    """

    traits = replace(IIEUB.traits, couples_residual=True)
    coupler = DynamicCoupler
