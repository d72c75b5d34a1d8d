"""A set of images in memory, handed out in batches and normalised."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from reactivate.foundation.device import sent


@dataclass(frozen=True)
class ImageData:
    """Images ``(N, C, H, W)`` uint8 and labels ``(N,)`` int64, for training and for testing."""

    train_images: Tensor
    train_labels: Tensor
    test_images: Tensor
    test_labels: Tensor

    def to(self, device: torch.device | str) -> "ImageData":
        """The same images and labels on another device."""
        return ImageData(**{name: tensor.to(device) for name, tensor in vars(self).items()})


def batches(
    images: Tensor, labels: Tensor, size: int, generator: torch.Generator | None = None
) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of one pass over the images; the last may be smaller.

    Args:
        images: ``(N, ...)``.
        labels: ``(N,)``, on the same device.
        size: Images per batch.
        generator: Random stream of the order; without one the images come as they stand.
    """
    starts = range(0, len(images), size)
    if generator is None:
        yield from ((images[at : at + size], labels[at : at + size]) for at in starts)
        return
    order = torch.randperm(len(images), generator=generator, device=generator.device)
    order = sent(order, images.device)
    for at in starts:
        index = order[at : at + size]
        yield images[index], labels[index]


@dataclass(frozen=True)
class Normalisation:
    """The map ``(x / 255 - mean) / std`` per channel; without ``std`` it subtracts the mean only.

    Args:
        mean: Mean of each channel, for pixels from 0 to 1.
        std: Deviation of each channel.

    Example:
        >>> Normalisation(mean=(0.5,), std=(0.25,))(torch.tensor([[[[0, 255]]]]))
        tensor([[[[-2.,  2.]]]])
    """

    mean: tuple[float, ...]
    std: tuple[float, ...] | None = None

    def __call__(self, images: Tensor) -> Tensor:
        """Normalised images, float32, from images ``(N, C, H, W)``, uint8."""
        channels = images.shape[1]
        given = [self.mean] if self.std is None else [self.mean, self.std]
        if any(len(values) != channels for values in given):
            lengths = " and ".join(str(len(values)) for values in given)
            raise ValueError(
                f"mean and std have {lengths} numbers for {channels} channels; "
                "give one per channel in the recipe"
            )
        scaled = images.float() / 255 - _per_channel(self.mean, images.device)
        return scaled if self.std is None else scaled / _per_channel(self.std, images.device)


def channel_statistics(images: Tensor) -> Normalisation:
    """Mean and standard deviation (divisor N) of each channel, exact to float64.

    Args:
        images: ``(N, C, H, W)`` uint8; they are counted, not converted, so memory stays small.
    """
    levels = torch.arange(256, dtype=torch.float64) / 255
    counts = torch.stack([_counts(images[:, c]) for c in range(images.shape[1])]).double().cpu()
    share = counts / counts.sum(1, keepdim=True)
    mean = (share * levels).sum(1)
    variance = (share * (levels - mean[:, None]) ** 2).sum(1)
    return Normalisation(tuple(mean.tolist()), tuple(variance.sqrt().tolist()))


def _counts(channel: Tensor) -> Tensor:
    """Number of times that each of the 256 levels occurs in a channel."""
    pieces = (channel[at : at + 4096].flatten() for at in range(0, len(channel), 4096))
    return torch.stack([torch.bincount(piece, minlength=256) for piece in pieces]).sum(0)


@lru_cache  # sent to a device once, not for every batch
def _per_channel(values: tuple[float, ...], device: torch.device) -> Tensor:
    """One number per channel, so that it broadcasts with images; not to be changed."""
    return sent(torch.tensor(values), device)[:, None, None]
