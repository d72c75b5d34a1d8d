"""SCRFP-2, the training half: float paths between an image and its noisy copy are amplified."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Generator, Tensor, nn

from reactivate.attacks.ascent import check_images, check_positive
from reactivate.attacks.untouched import untouched
from reactivate.defences.defence import Outcome, classified
from reactivate.defences.noise import gaussian
from reactivate.patterns.breakpoints import ABSTAIN, breakpoints_of, encode
from reactivate.patterns.gates import gated_modules
from reactivate.patterns.preactivations import (
    Visit,
    activations_of,
    changing,
    evaluating,
    watching,
)
from reactivate.patterns.protocols import ProtocolName

Paths = Literal["float", "fixed"]


@dataclass(frozen=True)
class Scrfp2Training:
    """Cross-entropy of ``x + noise``, its float neurons reformed by ``1 + eta``.

    A neuron is float if its pattern at x and at ``x + noise`` differs; each of the two images is
    passed through the network unchanged to find out. Then the noisy image is classified once more:

    * ``document``: the pre-activations of float neurons are multiplied by ``1 + eta`` before the
      activation (Algorithm 2), which changes value and gradient of all that follows.
    * ``authors_code``: the value stays; only gradients that pass a float neuron are multiplied.

    Reference:
        Jiang 2024, Algorithm 2 and section 6.5.1 (PhD thesis, Lancaster); the author's code:
        OrangeBai/APCT c3cd927.

    Departs from the paper:
        Algorithm 2 leaves open what its third stream starts from and never applies the activation
        to it. Here the stream starts from ``x + noise``, so that ``eta = 0`` is
        training on noise, and the activation follows the reform, as in the author's code. Nor
        does it say how batches are normalised: ``document`` finds float neurons in training mode,
        each stream with the statistics of its own batch, ``authors_code`` in evaluation mode. Only
        the classified stream counts in the running statistics. Logits have no activation and are
        not reformed. In residual networks all activations are, in the author's code only those
        behind an addition; no recipe trains one.

    Args:
        sigma: Deviation of the noise, for pixels from 0 to 1.
        eta: Share eta_1 that is added, between -1 and 1; above 0 amplifies, below 0 represses.
        paths: Neurons that are reformed: ``float``, or ``fixed`` for Figure 6.7(a).
        protocol: ``document`` or ``authors_code``.

    Raises:
        ValueError: A number out of range; on use, a network that is not piecewise linear.
    """

    sigma: float
    eta: float
    paths: Paths = "float"
    protocol: ProtocolName = "document"

    def __post_init__(self) -> None:
        check_positive("sigma", self.sigma)
        if not -1 < self.eta < 1:
            raise ValueError(
                f"eta is {self.eta}; accepted: a number between -1 and 1. Change it in the call, "
                "or in config/papers"
            )

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome:
        check_images(x)
        gated_modules(network)  # raises if there are no paths
        noisy = x + gaussian(x, self.sigma, random)
        if self.protocol == "document":
            with torch.no_grad(), untouched(network):
                masks = masks_between(network, x, noisy)
        else:
            with evaluating(network):
                masks = masks_between(network, x, noisy)
        if self.paths == "fixed":
            masks = {name: ~mask for name, mask in masks.items()}
        reform = amplified if self.protocol == "document" else weighted
        with reforming(network, masks, lambda z, mask: reform(z, self.eta * mask)):
            return classified(network, noisy, y)


def masks_between(network: nn.Module, x: Tensor, other: Tensor) -> dict[str, Tensor]:
    """Masks of neurons that are float between pairs of images, ``(N, *)`` by use of an activation.

    They are those of :func:`reactivate.patterns.paths.float_masks`, in the mode the network has.

    Example:
        >>> relu = nn.Sequential(nn.Identity(), nn.ReLU())
        >>> masks_between(relu, torch.tensor([[-1.0, 1.0, 0.0]]), torch.tensor([[1.0, 1.0, 0.0]]))
        {'1': tensor([[ True, False,  True]])}
    """
    codes: dict[str, Tensor] = {}
    masks: dict[str, Tensor] = {}

    def keep(name: str, activation: nn.Module, z: Tensor) -> None:
        codes[name] = encode(z, breakpoints_of(activation))

    def compare(name: str, activation: nn.Module, z: Tensor) -> None:
        code = encode(z, breakpoints_of(activation))
        masks[name] = (code != codes.pop(name)) | (code == ABSTAIN)

    visits: list[tuple[Tensor, Visit]] = [(x, keep), (other, compare)]
    for images, visit in visits:
        with watching(network, visit):
            network(images)
    return masks


def amplified(z: Tensor, more: Tensor) -> Tensor:
    """Pre-activations whose value and gradient are multiplied by ``1 + more``.

    Example:
        >>> amplified(torch.tensor([2.0, 3.0]), torch.tensor([0.5, 0.0]))
        tensor([3., 3.])
    """
    return z * (1 + more)


def weighted(z: Tensor, more: Tensor) -> Tensor:
    """Pre-activations whose gradient alone is multiplied by ``1 + more``.

    Example:
        >>> z = torch.tensor([2.0, 3.0], requires_grad=True)
        >>> value = weighted(z, torch.tensor([0.5, 0.0]))
        >>> value.detach(), torch.autograd.grad(value.sum(), z)[0]
        (tensor([2., 3.]), tensor([1.5000, 1.0000]))
    """
    extra = z * more
    return z + (extra - extra.detach())


def reforming(
    network: nn.Module, masks: Mapping[str, Tensor], reform: Callable[[Tensor, Tensor], Tensor]
) -> AbstractContextManager[None]:
    """A context in which every activation gets ``reform(z, mask)`` for its input z.

    Args:
        network: Any network whose activations are modules.
        masks: Mask of each use of an activation, by the name that
            :func:`reactivate.patterns.preactivations.watching` gives it.
        reform: Makes the new input from the old one and its mask.
    """
    names = activations_of(network)
    return changing(network, names, before=lambda use, _, z: reform(z, masks[use]))
