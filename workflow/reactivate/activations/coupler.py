"""Dynamic coupler of IIEU-DC: a learned, per-sample mean of both branches of a residual block."""

import torch
from torch import Tensor, nn

from reactivate.activations.adjuster import reweight
from reactivate.activations.channels import channel_means, per_channel
from reactivate.activations.patch import filter_norm

EPS = 1e-8


class DynamicCoupler(nn.Module):
    r"""Returns ``a * identity + (1 - a) * residual`` with ``a`` per sample and channel.

    1. ``v = LayerNorm([GAP(identity), GAP(residual)])`` over 2C numbers, as two rows of C
    2. ``h = W1 v``, C -> C/r without bias, the same for both rows
    3. IIEU-B on vectors: ``s = h / (|w| |v|)``, ``nu = sigmoid(weight z + bias)`` with z the
       standardised row of h (unbiased deviation + 1e-6), the adjuster with eta
    4. ``LayerNorm(W2 ...)``, C/r -> C, over 2C numbers; a softmax over the rows gives a and 1 - a

    Starts near the plain mean of both. Parameters: ``8C + 2C (C/r) + 5 C/r``.

    Reference:
        The authors' code (SudongCAI/IIEU 894d242): r = 16 and eta = 0.01 in its ResNet, r = 4 and
        eta = 0.05 in its MobileNetV2.

    Departs from the paper:
        At least two hidden units: the deviation of one number is undefined.

    Args:
        channels: Channels of both branches, C.
        reduction: r, C divided by the number of hidden units.
        eta: Initial turning point of the adjuster.

    Shape:
        - Input: identity and residual, both ``(N, C, *)``
        - Output: ``(N, C, *)``

    Example:
        >>> DynamicCoupler(32)(torch.ones(1, 32, 2, 2), torch.ones(1, 32, 2, 2)).unique().round()
        tensor([1.], grad_fn=<RoundBackward0>)
    """

    def __init__(self, channels: int, reduction: int = 16, eta: float = 0.01) -> None:
        super().__init__()
        hidden = max(2, channels // reduction)
        self.norm_in = nn.LayerNorm(2 * channels, eps=1e-6)
        self.squeeze = nn.Linear(channels, hidden, bias=False)
        self.weight = nn.Parameter(torch.full((2, hidden), 0.01))
        self.bias = nn.Parameter(torch.zeros(2, hidden))
        self.eta = nn.Parameter(torch.full((hidden,), eta))
        self.expand = nn.Linear(hidden, channels, bias=False)
        self.norm_out = nn.LayerNorm(2 * channels, eps=1e-6)
        nn.init.constant_(self.norm_out.weight, 0.01)
        for layer in (self.squeeze, self.expand):
            nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="leaky_relu")

    def forward(self, identity: Tensor, residual: Tensor) -> Tensor:
        means = torch.cat([channel_means(identity), channel_means(residual)], dim=1)
        rows = self.norm_in(means).unflatten(1, (2, -1))  # (N, 2, C)
        hidden = self.expand(self._emphasize(self.squeeze(rows), rows))
        share = self.norm_out(hidden.flatten(1)).unflatten(1, (2, -1)).softmax(dim=1)
        first, second = (per_channel(share[:, row], identity) for row in (0, 1))
        return first * identity + second * residual

    def _emphasize(self, h: Tensor, rows: Tensor) -> Tensor:
        """IIEU-B on vectors: every row is a sample with a single position."""
        deviation = h.std(dim=2, keepdim=True) + 1e-6
        standard = (h - h.mean(dim=2, keepdim=True)) / deviation
        shift = torch.sigmoid(self.weight * standard + self.bias)
        patch = 1 / (torch.linalg.vector_norm(rows, dim=2) + EPS)
        filters = 1 / (filter_norm(self.squeeze) + EPS)
        phi = reweight(
            h.flatten(0, 1),
            patch.view(-1, 1),
            filters.expand_as(h).flatten(0, 1),
            shift.flatten(0, 1),
            self.eta.expand_as(h).flatten(0, 1),
        )
        return phi.view_as(h)
