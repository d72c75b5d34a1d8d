"""Certification that may stop at any moment: fewer samples, the same alpha."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from time import perf_counter

from scipy.optimize import brentq
from scipy.special import betaln, ndtr, xlog1py, xlogy
from torch import Tensor

from reactivate.smoothing.bases import Base
from reactivate.smoothing.bounds import certified_radius, check_alpha
from reactivate.smoothing.certify import Certificate, choose_class
from reactivate.smoothing.noise import BLOCK
from reactivate.smoothing.sampling import ABSTAIN, Sampling, check_image, show_counts, votes

PRIOR = 0.5  # both parameters of the Beta mixture (Jeffreys)
PRECISION = 1e-12  # of a bound; it is widened by as much


@dataclass(frozen=True)
class AnytimeCertificate(Certificate):
    """The certificate of one image, and how many of the n samples it took.

    Attributes:
        settled: Whether it is known if the radius reaches the target.
        draws: Samples that were drawn.
        saved: Samples of n that were not drawn.
    """

    settled: bool
    draws: int
    saved: int


def lasting_bounds(successes: int, draws: int, alpha: float) -> tuple[float, float]:
    """Lower and upper bound of a probability that hold after every number of draws at once.

    With probability at least 1 - alpha the true probability is between them however often one
    looks and whenever one stops. p is outside where ``B(k + 1/2, n - k + 1/2) / B(1/2, 1/2)``,
    the likelihood of k successes in a given order mixed over all probabilities, is 1 / alpha
    times that under p: the ratio is a martingale that starts at 1, and rarely gets so high
    (Ville's inequality).

    Reference:
        Robbins 1970, "Statistical methods related to the law of the iterated logarithm"; for
        smoothing Voráček 2024 (arXiv:2406.17830).

    Args:
        successes: Draws that were successes so far, k.
        draws: Draws so far, n.
        alpha: Probability of ever being wrong.

    Returns:
        Lower and upper bound.

    Example:
        >>> low, high = lasting_bounds(990, 1000, alpha=0.001)
        >>> round(low, 4), round(high, 4)
        (0.968, 0.9985)
    """
    check_alpha(alpha)
    failures = draws - successes
    mixed = betaln(successes + PRIOR, failures + PRIOR) - betaln(PRIOR, PRIOR) + log(alpha)

    def excess(p: float) -> float:
        return float(xlogy(successes, p) + xlog1py(failures, -p) - mixed)

    share = successes / draws
    low, high = 0.0, 1.0
    if successes:
        low = float(brentq(excess, 1e-300, share, xtol=PRECISION)) - PRECISION
    if failures:
        high = float(brentq(excess, share, 1 - 1e-16, xtol=PRECISION)) + PRECISION
    return max(low, 0.0), min(high, 1.0)


def certify_anytime(
    base: Base,
    x: Tensor,
    label: int,
    idx: int,
    sampling: Sampling,
    target: float = 0.0,
    key: Sequence[object] = (),
    every: int = BLOCK,
) -> AnytimeCertificate:
    """Draws up to n samples, and stops when it is known whether the radius reaches a target.

    With probability at least 1 - alpha the certificate holds and, if the target was given up,
    the class has in fact too low a probability for it: one alpha for both. A certificate that
    stops early proves the target and little more, so its radius does not belong in a table of
    radii; it answers one question, such as the certified accuracy at the target.

    Args:
        base: The classifier that is smoothed.
        x: Image from 0 to 1, ``(C, H, W)``.
        label: Class of the image.
        idx: Number of the image; its noise depends on it and on the key only.
        sampling: Noise, numbers of samples, and alpha; the class is chosen by n0 samples, as in
            :func:`reactivate.smoothing.certify.certify_image`.
        target: Radius in question; 0 asks for the class alone.
        key: Name of what the noise is for.
        every: Samples between two looks, and per forward pass.

    Raises:
        ValueError: The image is not from 0 to 1, or the target is negative.
    """
    start = perf_counter()
    check_image(x, idx)
    if not 0 <= target < inf:
        raise ValueError(f"target is {target}; accepted: a radius from 0 on. Change the call")
    key = [*key, idx]
    chosen = choose_class(base, x, sampling, key, every)
    needed = float(ndtr(target / sampling.sigma))
    low, high = 0.0, 1.0
    counts: list[int] = []
    for new in votes(base, x, sampling.sigma, sampling.n, [*key, "bound"], every):
        counts = [a + b for a, b in zip(counts or [0] * len(new), new.tolist(), strict=True)]
        bounds = lasting_bounds(counts[chosen], sum(counts), sampling.alpha)
        low, high = max(low, bounds[0]), min(high, bounds[1])
        if low >= needed or high < needed:
            break
    predict = chosen if low >= 0.5 else ABSTAIN
    return AnytimeCertificate(
        idx=idx,
        label=label,
        predict=predict,
        radius=certified_radius(sampling.sigma, low) if low >= 0.5 else 0.0,
        correct=predict == label,
        settled=low >= needed or high < needed,
        counts=show_counts(counts),
        draws=sum(counts),
        saved=sampling.n - sum(counts),
        seconds=perf_counter() - start,
    )
