"""Training on images that an attack on the network as it is now has changed."""

from dataclasses import dataclass

from torch import Generator, Tensor, nn

from reactivate.attacks.ascent import Norm, check_all_positive, check_positive
from reactivate.attacks.fgsm import fgsm
from reactivate.attacks.pgd import Start, pgd
from reactivate.defences.defence import Outcome, classified

LEVELS = 255  # configs give sizes in levels of a pixel


@dataclass(frozen=True)
class FgsmTraining:
    """Cross-entropy of images changed by FGSM: ``FGSM-04``, ``FGSM-08``.

    The attack sees the network in training mode, as in the author's code.

    Reference:
        Jiang 2024, section 6.3.1 (PhD thesis, Lancaster).

    Departs from the paper:
        In the author's code the passes of the attack also count in the running statistics of
        batch normalisation; here only the images that are trained on do.

    Args:
        epsilon: Length of the step, in levels of a pixel: 8 for 8/255.
    """

    epsilon: float

    def __post_init__(self) -> None:
        check_positive("epsilon", self.epsilon)

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome:
        return classified(network, fgsm(network, x, y, self.epsilon / LEVELS), y)


@dataclass(frozen=True)
class PgdTraining:
    """Cross-entropy of images changed by PGD: ``PGD-04``, ``PGD-08``.

    All but the attack is as in :class:`FgsmTraining`.

    Args:
        epsilon: Radius of the ball, in levels of a pixel.
        step: Length of a step, in levels of a pixel.
        steps: Number of steps.
        norm: Norm of the ball and of the steps.
        start: See :func:`reactivate.attacks.pgd.pgd`.
    """

    epsilon: float
    step: float
    steps: int
    norm: Norm = "linf"
    start: Start = "none"

    def __post_init__(self) -> None:
        check_all_positive(self, "epsilon", "step", "steps")

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome:
        radius, step = self.epsilon / LEVELS, self.step / LEVELS
        changed = pgd(network, x, y, radius, step, self.steps, self.norm, self.start, random)
        return classified(network, changed, y)
