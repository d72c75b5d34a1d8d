r"""Certification at a grid of radii that stops when all are decided: fewer samples, one alpha.

**What is claimed.** An image gets the largest radius of a grid that is proved for it. With
probability at least 1 - alpha over its samples the class of the smoothed classifier is the
predicted one within that radius, as with a fixed number of samples, for every image and whatever
its true probability p.

**Proof.** :class:`Plan` names looks :math:`n_1 < ... < n_K = n` and levels
:math:`a_1 + ... + a_K = \alpha` before anything is drawn. Let :math:`L_k` be the Clopper-Pearson
lower bound of p from the first :math:`n_k` samples at level :math:`a_k`; had all n samples been
drawn, :math:`P(L_k > p) \le a_k` for every k, so :math:`P(\max_k L_k > p) \le \alpha` (union
bound). A procedure that stops early sees only some of these K bounds, chosen in any way, by the
samples too; the largest of those it sees is at most :math:`\max_k L_k`. So it exceeds p with
probability at most alpha. A radius r is proved by :math:`L \ge \Phi(r / \sigma)` for one such L,
and all radii of a grid use the same L: many radii cost nothing more than one. Giving up is such a
choice to see fewer bounds, so it costs no alpha either, and its rule needs no proof: it can lose
certificates, not make false ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from math import ceil, inf
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, ndtr
from torch import Tensor

from reactivate.foundation.device import sent
from reactivate.smoothing.bases import Base
from reactivate.smoothing.certify import Certificate, choose_class
from reactivate.smoothing.noise import BLOCK
from reactivate.smoothing.sampling import (
    ABSTAIN,
    BATCH,
    Sampling,
    check_image,
    show_counts,
    votes,
)

LOOKS = (0.02, 0.05, 0.1, 0.2, 0.4, 1.0)  # at these shares of n a radius may be certified
LAST = 0.8  # share of alpha of the last look, at which a close image needs all it can get
HOPE = 2.33  # deviations by which the predicted votes may miss; 1 % of images are given up wrongly

Integers = NDArray[np.int64]
Flags = NDArray[np.bool]


@dataclass(frozen=True)
class Plan:
    """When an image is certified to the radii of a grid, and when a radius is given up.

    Args:
        sampling: Noise, most samples n, and alpha.
        radii: Radii in question, each from 0 on.

    Example:
        >>> plan = Plan(Sampling(sigma=0.25), radii=(0.0, 0.5))
        >>> plan.looks
        (200, 500, 1000, 2000, 4000, 10000)
        >>> plan.needed[0].tolist()  # votes of the first 200 that certify each radius
        [129, 201]
    """

    sampling: Sampling
    radii: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.radii or not all(0 <= radius < inf for radius in self.radii):
            raise ValueError(
                f"radii are {list(self.radii)}; accepted: one or more radii from 0 on. Change "
                "radii of the certification"
            )

    @property
    def looks(self) -> tuple[int, ...]:
        """Numbers of samples after which a radius may be certified; whole blocks, and n."""
        n = self.sampling.n
        blocks = {min(n, BLOCK * ceil(share * n / BLOCK)) for share in LOOKS}
        return tuple(sorted(blocks))

    @property
    def levels(self) -> tuple[float, ...]:
        """Share of alpha of every look; they add up to alpha."""
        alpha, early = self.sampling.alpha, len(self.looks) - 1
        if not early:
            return (alpha,)
        return (*[alpha * (1 - LAST) / early] * early, alpha * LAST)

    @cached_property
    def needed(self) -> Integers:
        """Least votes that certify each radius at each look, ``(looks, radii)``.

        Where not even all votes would do, it is one vote more than there are.
        """
        probabilities = ndtr(np.array(self.radii) / self.sampling.sigma)
        rows = []
        for draws, level in zip(self.looks, self.levels, strict=True):
            bounds = betaincinv(np.arange(1, draws + 1), np.arange(draws, 0, -1), level)
            rows.append(1 + np.searchsorted(bounds, probabilities))
        return np.array(rows, dtype=np.int64)

    def certified(self, draws: int, successes: ArrayLike) -> Flags:
        """Which radii so many votes certify, ``(*, radii)``; none where there is no look.

        Args:
            draws: Samples so far.
            successes: Votes for the class so far, ``(*)``.
        """
        votes_ = np.asarray(successes)[..., None]
        if draws not in self.looks:
            return np.zeros((*votes_.shape[:-1], len(self.radii)), dtype=bool)
        return np.asarray(votes_ >= self.needed[self.looks.index(draws)])

    def hopeless(self, draws: int, successes: ArrayLike) -> Flags:
        """Which radii the votes of all n samples will hardly certify, ``(*, radii)``.

        The votes of the samples that are left are predicted by those so far: their mean and
        deviation are those of a Beta-binomial distribution with Jeffreys' prior.

        Args:
            draws: Samples so far.
            successes: Votes for the class so far, ``(*)``.
        """
        n, so_far = self.sampling.n, np.asarray(successes, dtype=np.float64)[..., None]
        left, mean = n - draws, (so_far + 0.5) / (draws + 1)
        deviation = np.sqrt(left * mean * (1 - mean) * (n + 1) / (draws + 2))
        most = np.minimum(so_far + left * mean + HOPE * deviation, n)
        return np.asarray(most < self.needed[-1])


class Decisions:
    """What is known of the radii of a plan, for one image or for many at once.

    Args:
        plan: When radii are certified and given up.
        images: Shape of the images; that of one image is empty.

    Attributes:
        certified: Radii that are proved, ``(*, radii)``.
        open: Radii for which an image goes on, ``(*, radii)``.
    """

    def __init__(self, plan: Plan, images: tuple[int, ...] = ()) -> None:
        self.plan = plan
        self.certified = np.zeros((*images, len(plan.radii)), dtype=bool)
        self.open = np.ones_like(self.certified)

    def hear(self, draws: int, successes: ArrayLike) -> Flags:
        """Takes in the votes so far of images that still draw, and tells which of these go on.

        Args:
            draws: Samples so far.
            successes: Votes for the class so far, ``(*)``; those of images that have stopped
                change nothing.
        """
        drawing = self.open.any(axis=-1, keepdims=True)
        self.certified |= self.plan.certified(draws, successes) & drawing
        self.open &= ~self.certified & ~self.plan.hopeless(draws, successes)
        return np.asarray(self.open.any(axis=-1))


def certify_anytime(
    base: Base,
    x: Tensor,
    label: int,
    idx: int,
    sampling: Sampling,
    radii: Sequence[float] = (0.0,),
    key: Sequence[object] = (),
    batch: int = BATCH,
    skip_wrong: bool = False,
) -> Certificate:
    """Draws up to n samples, and stops when every radius of a grid is certified or given up.

    The radius of the certificate is the largest one of the grid that is proved, so it belongs in
    certified accuracies at those radii and not in an average of radii. Where none is proved, not
    even the radius 0 of the class itself, it abstains. See the module for the proof; the provision
    on the base classifier is that of :func:`reactivate.smoothing.certify.certify_image`.

    Reference:
        Levels that are spent at looks: Lan & DeMets 1983 (Biometrika 70). Compare the confidence
        sequences of Voráček 2024 (arXiv:2406.17830).

    Args:
        base: The classifier that is smoothed.
        x: Image from 0 to 1, ``(C, H, W)``; one that is not where the network is, is sent there.
        label: Class of the image.
        idx: Number of the image; its noise depends on it and on the key only.
        sampling: Noise, numbers of samples, and alpha; the class is chosen by n0 samples, as in
            :func:`reactivate.smoothing.certify.certify_image`.
        radii: Radii in question.
        key: Name of what the noise is for.
        batch: Most samples per forward pass of those that choose the class; the others are
            passed in blocks of :data:`reactivate.smoothing.noise.BLOCK`, after which all is
            looked at.
        skip_wrong: Leave out the n samples where the n0 chose another class than the label.

    Raises:
        ValueError: The image is not from 0 to 1, or a radius is negative.

    Example:
        >>> import torch
        >>> from reactivate.smoothing.bases import Plain
        >>> base, sampling = Plain(torch.nn.Flatten()), Sampling(sigma=0.5)
        >>> grid = [0.0, 0.25, 0.5, 1.0]
        >>> row = certify_anytime(base, torch.tensor([0.0, 1.0]), 1, 0, sampling, radii=grid)
        >>> row.predict, row.radius, row.counts
        (1, 0.5, '0:11 1:189')
    """
    start = perf_counter()
    check_image(x, idx)
    plan = Plan(sampling, tuple(radii))
    x = sent(x, next((weight.device for weight in base.network.parameters()), x.device))
    key = [*key, idx]
    chosen = choose_class(base, x, sampling, key, batch)
    if skip_wrong and chosen != label:
        return Certificate(idx, label, chosen, 0.0, False, "", perf_counter() - start)
    decisions, counts = Decisions(plan), [0]
    for new in votes(base, x, sampling.sigma, sampling.n, [*key, "bound"], BLOCK):
        counts = [a + b for a, b in zip_longest(counts, new.tolist(), fillvalue=0)]
        if not decisions.hear(sum(counts), counts[chosen]):
            break
    proved = np.array(plan.radii)[decisions.certified]
    predict = chosen if len(proved) else ABSTAIN
    radius = float(proved.max(initial=0.0))
    shown, seconds = show_counts(counts), perf_counter() - start
    return Certificate(idx, label, predict, radius, predict == label, shown, seconds)
