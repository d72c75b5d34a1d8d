"""Per-channel numbers and channel means for inputs of any rank."""

from torch import Tensor


def per_channel(values: Tensor, like: Tensor) -> Tensor:
    """Reshapes one number per channel so that it broadcasts along dimension 1 of ``like``.

    Args:
        values: ``(C)``, or ``(N, C)`` for numbers that differ between samples.
        like: ``(N, C, *)``.

    Returns:
        A view of ``values`` with a trailing 1 for each dimension after the channels.

    Example:
        >>> import torch
        >>> per_channel(torch.ones(3), like=torch.ones(2, 3, 5, 5)).shape
        torch.Size([3, 1, 1])
    """
    return values.reshape(*values.shape, *(1,) * (like.dim() - 2))


def channel_means(x: Tensor) -> Tensor:
    """Mean over all positions, GAP; an input without positions is its own mean.

    Args:
        x: ``(N, C, *)``.

    Returns:
        ``(N, C)``.
    """
    if x.dim() == 2:
        return x
    # the gradient of a sum is a view; that of a mean is a new tensor of the input's size
    positions = x.flatten(2)
    return positions.sum(2) / positions.shape[2]
