"""Batch normalization (BN) of pre-activations, written as a reparameterization."""

from torch import Tensor, nn

from reactivate.layers.batched.affine import Affine, Units


class BatchNormUnits(Units):
    r"""Hidden units ``activation(gamma (w x + b - mean) / sqrt(var + epsilon) + beta)``.

    Mean and variance of ``w x + b`` over the batch follow from those of ``x``: ``w mean(x) + b``
    and ``w Cov(x) w``. So the statistics cost ``n^2`` per sample instead of passes over all
    ``H`` pre-activations, and the result is the same map.

    Reference:
        Chen & Ge 2024, Eq. 5 and 6 with the full covariance (arXiv:2305.15912).
    """

    running_mean: Tensor
    running_var: Tensor

    def __init__(
        self, weight: Tensor, bias: Tensor, momentum: float = 0.1, epsilon: float = 1e-5
    ) -> None:
        super().__init__(weight, bias)
        self.momentum = momentum
        self.epsilon = epsilon
        self.gamma = nn.Parameter(bias.new_ones(bias.shape))
        self.beta = nn.Parameter(bias.new_zeros(bias.shape))
        self.register_buffer("running_mean", bias.new_zeros(bias.shape))
        self.register_buffer("running_var", bias.new_ones(bias.shape))

    def affine(self, x: Tensor) -> Affine:
        weight = self.rows(self.weight)
        if self.training:
            mean, var = self._statistics(x, weight)
        else:
            mean, var = self.running_mean, self.running_var
        slope = self.gamma * (var + self.epsilon).rsqrt()
        bias = (self.bias - mean) * slope + self.beta
        return Affine(weight * slope.unsqueeze(-1), bias.unsqueeze(1))

    def _statistics(self, x: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and biased variance of pre-activations, ``(B, H)``; updates the running ones."""
        samples = x.shape[1]
        center = x.mean(dim=1, keepdim=True)
        centered = x - center
        covariance = centered.mT @ centered / samples
        mean = (weight @ center.mT).squeeze(-1) + self.bias
        var = ((weight @ covariance) * weight).sum(-1)
        unbiased = var.detach() * (samples / max(samples - 1, 1))
        self.running_mean.lerp_(mean.detach(), self.momentum)
        self.running_var.lerp_(unbiased, self.momentum)
        return mean, var
