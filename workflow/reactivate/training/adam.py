"""Adam for a batch of networks, each with its own learning rate."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class BatchedAdam:
    """The update of :class:`torch.optim.Adam` with one learning rate per network.

    Args:
        parameters: Parameters with ``B`` equal parts along the first dimension.
        lr: Learning rates, ``(B,)``; may be changed between steps.
        epsilon: Added to the root of the second moment.
        betas: Decay of the first and second moment.
    """

    def __init__(
        self,
        parameters: Sequence[nn.Parameter],
        lr: Tensor,
        epsilon: float = 1e-8,
        betas: tuple[float, float] = (0.9, 0.999),
    ) -> None:
        self.parameters = list(parameters)
        self.lr = lr
        self.epsilon = epsilon
        self.betas = betas
        self.steps = 0
        self.first = [torch.zeros_like(self._rows(p)) for p in self.parameters]
        self.second = [torch.zeros_like(self._rows(p)) for p in self.parameters]

    @torch.no_grad()
    def step(self, gradients: Sequence[Tensor]) -> None:
        """Moves the parameters by one step."""
        self.steps += 1
        decay, decay_square = self.betas
        step_size = (self.lr / (1 - decay**self.steps)).unsqueeze(1)
        correction = (1 - decay_square**self.steps) ** 0.5
        for parameter, gradient, first, second in zip(
            self.parameters, gradients, self.first, self.second, strict=True
        ):
            gradient = gradient.reshape(first.shape)  # autograd may return a transposed one
            first.lerp_(gradient, 1 - decay)
            second.mul_(decay_square).addcmul_(gradient, gradient, value=1 - decay_square)
            denominator = second.sqrt().div_(correction).add_(self.epsilon)
            self._rows(parameter).sub_((first / denominator).mul_(step_size))

    def keep(self, networks: Tensor) -> None:
        """Drops the state of all networks but those where the mask ``(B,)`` is True."""
        self.lr = self.lr[networks]
        self.first = [moment[networks] for moment in self.first]
        self.second = [moment[networks] for moment in self.second]

    def _rows(self, tensor: Tensor) -> Tensor:
        return tensor.view(len(self.lr), -1)
