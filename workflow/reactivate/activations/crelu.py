"""Concatenated ReLU: keep the positive and the negative part as separate channels."""

import torch
from torch import Tensor, nn

from reactivate.activations.traits import Traits


class CReLU(nn.Module):
    r"""Applies ``[max(x, 0), max(-x, 0)]``, doubling the channel dimension.

    Reference:
        Shang et al. 2016, Definition 2.1 (arXiv:1603.05201).

    Shape:
        - Input: ``(N, C, *)``
        - Output: ``(N, 2C, *)``; the first ``C`` channels are the positive part.

    Example:
        >>> CReLU()(torch.tensor([[-1.0, 2.0]]))
        tensor([[0., 2., 1., 0.]])
    """

    # the next layer must expect 2C inputs; both outputs follow from the sign of one number
    traits = Traits(channel_multiplier=2, piecewise_linear=True)

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([x, -x], dim=1).relu_()
