"""No defence: the network is trained on the images as they are."""

from dataclasses import dataclass

from torch import Generator, Tensor, nn

from reactivate.attacks.ascent import check_images
from reactivate.defences.defence import Outcome, classified


@dataclass(frozen=True)
class StandardTraining:
    """Cross-entropy of the images as they are: ``STD``.

    Reference:
        Jiang 2024, section 6.3.1 (PhD thesis, Lancaster).
    """

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome:
        check_images(x)
        return classified(network, x, y)
