"""Training on images with Gaussian noise, and noise for all defences that use it."""

from dataclasses import dataclass

from torch import Generator, Tensor, nn

from reactivate.attacks.ascent import check_images, check_positive
from reactivate.defences.defence import Outcome, classified
from reactivate.layers.portions import draw


def gaussian(x: Tensor, sigma: float, random: Generator, copies: int | None = None) -> Tensor:
    """Noise of deviation ``sigma``, shaped like ``x``, or ``(copies, *)`` of it.

    Example:
        >>> import torch
        >>> random = torch.Generator().manual_seed(0)
        >>> gaussian(torch.zeros(5, 2), 0.5, random, copies=3).shape
        torch.Size([3, 5, 2])
    """
    shape = x.shape if copies is None else (copies, *x.shape)
    images = 0 if copies is None else 1
    return draw("randn", shape, random, x.dtype, images).to(x.device) * sigma


@dataclass(frozen=True)
class NoiseTraining:
    """Cross-entropy of ``x + noise``, one draw per image and step: ``Noise-125``, ``Noise-250``.

    Pixels are not clamped afterwards, so that the network is trained on exactly the noise of the
    smoothed classifier. ``sigma`` is a deviation; the thesis calls it variance.

    Reference:
        Cohen et al. 2019, section 3.3 (arXiv:1902.02918); Jiang 2024, section 6.3.1 (PhD thesis,
        Lancaster).

    Args:
        sigma: Deviation of the noise, for pixels from 0 to 1.

    Raises:
        ValueError: The deviation is not above 0.
    """

    sigma: float

    def __post_init__(self) -> None:
        check_positive("sigma", self.sigma)

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome:
        check_images(x)
        return classified(network, x + gaussian(x, self.sigma, random), y)
