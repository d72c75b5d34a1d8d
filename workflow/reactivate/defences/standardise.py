"""A network for images from 0 to 1: it subtracts their mean and divides by their deviation."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn


class Standardised(nn.Module):
    r"""Applies ``network((x - mean) / std)``, so that noise and attacks are in units of pixels.

    Args:
        mean: Mean of each channel, for pixels from 0 to 1.
        std: Deviation of each channel; None where only the mean is subtracted, which is kept as
            ones.
        network: Network that reads the standardised images.

    Shape:
        - Input: ``(N, C, *)``, from 0 to 1, or with noise added
        - Output: that of the network

    Example:
        >>> Standardised([0.5], [0.25], nn.Identity())(torch.tensor([[[[0.0, 1.0]]]]))
        tensor([[[[-2.,  2.]]]])
    """

    mean: Tensor
    std: Tensor

    def __init__(
        self, mean: Sequence[float], std: Sequence[float] | None, network: nn.Module
    ) -> None:
        super().__init__()
        deviation = [1.0] * len(mean) if std is None else list(std)
        if len(deviation) != len(mean) or not all(value > 0 for value in deviation):
            raise ValueError(
                f"std is {std} beside mean {mean}; accepted: one number above 0 for each channel, "
                "or None. Pass the statistics of the training images"
            )
        self.register_buffer("mean", torch.tensor(list(mean)).reshape(-1, 1, 1))
        self.register_buffer("std", torch.tensor(deviation).reshape(-1, 1, 1))
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        scores: Tensor = self.network((x - self.mean) / self.std)
        return scores


def restored(network: nn.Module, tensors: Mapping[str, Tensor]) -> Standardised:
    """The network that was saved, ready to be evaluated.

    Args:
        network: A network as it was made for the training; it gets the weights.
        tensors: The saved tensors: ``mean``, ``std`` and ``network.*``.

    Raises:
        ValueError: The tensors are of a network that reads standardised images itself.

    Example:
        >>> saved = Standardised([0.5], None, nn.Linear(1, 1)).state_dict()
        >>> float(restored(nn.Linear(1, 1), saved).mean)
        0.5
    """
    if "mean" not in tensors or "std" not in tensors:
        raise ValueError(
            f"the saved tensors are {', '.join(sorted(tensors)[:3])}, ...; accepted: mean, std "
            "and network.*, which the stage defend writes. Train the network with a recipe of "
            "that stage"
        )
    standardised = Standardised(tensors["mean"].flatten().tolist(), None, network)
    standardised.load_state_dict(dict(tensors))
    return standardised.eval()
