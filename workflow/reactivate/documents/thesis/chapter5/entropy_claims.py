"""Thesis, section 5.3: statements on what a value of neuron entropy means."""

from math import floor, log

import torch
from scipy.optimize import brentq
from torch import Tensor

from reactivate.judging.exact import checked
from reactivate.judging.judgement import Judgement
from reactivate.patterns.entropy import entropy_of

AROUND_HALF = 0.45  # the rarer pattern of a neuron that is on in "around 50 %"
WORST_MODELS = 0.1  # section 5.3.3.1
NEAR_MAXIMUM = 0.69


def two_patterns(p: float) -> float:
    """Entropy in nats of a neuron that is active with probability p.

    Example:
        >>> round(two_patterns(0.5), 4)
        0.6931
    """
    return entropy_of(torch.tensor([[p], [1 - p]], dtype=torch.float64)).item()


def rarer_pattern(entropy: float) -> float:
    """Probability of the rarer of two patterns of a neuron with this entropy.

    Example:
        >>> round(rarer_pattern(0.5), 3)
        0.2
    """
    return float(brentq(lambda p: two_patterns(p) - entropy, 1e-12, 0.5, xtol=1e-12))


def largest_entropy(p: Tensor, patterns: int) -> Tensor:
    """Largest entropy of a neuron whose pattern 0 has probability p: the others are as likely.

    Args:
        p: Probabilities, any shape.
        patterns: At least 2.

    Example:
        >>> largest_entropy(torch.tensor(1 / 3, dtype=torch.float64), 3).item() - log(3) < 1e-12
        True
    """
    others = torch.special.entr(1 - p) + (1 - p) * log(patterns - 1)
    entropy: Tensor = torch.special.entr(p) + others
    return entropy


def _maximum(patterns: int, stated: float) -> Judgement:
    """Whether the largest entropy is as stated, rounded or cut off, and at 1 / patterns."""
    p = torch.linspace(0, 1, 600_001, dtype=torch.float64)  # 1/2 and 1/3 are on it
    value, place = (found.item() for found in largest_entropy(p, patterns).max(dim=0))
    at = p[int(place)].item()
    digits = {round(value, 2), floor(100 * value) / 100}
    return checked(
        stated in digits and abs(at - 1 / patterns) < 1e-5,
        f"the maximum is {value:.4f} = ln {patterns} at {at:.3f}, {stated} to two digits",
        cases=len(p),
    )


def maximum_of_two() -> Judgement:
    """Section 5.3.1.1: with two patterns the maximum is around 0.69, at probability 0.5."""
    return _maximum(2, 0.69)


def maximum_of_three() -> Judgement:
    """Section 5.3.1.1: with three patterns the maximum is 1.09 (cut off), at probability 1/3."""
    return _maximum(3, 1.09)


def half_near_maximum() -> Judgement:
    """Section 5.3.1.1: an entropy close to 0.69 means that a neuron is on in around 50 %."""
    rare = rarer_pattern(NEAR_MAXIMUM)
    return checked(
        rare >= AROUND_HALF,
        f"{NEAR_MAXIMUM} is a probability of {rare:.3f} or {1 - rare:.3f}",
        cases=1,
    )


def constant_at_low_entropy() -> str:
    """Section 5.3.3.1: what a mean entropy of 0.1 says of most neurons of a layer.

    By Markov's inequality at least half of the neurons have at most twice the mean.
    """
    bound = 2 * WORST_MODELS
    rare = rarer_pattern(bound) if bound < log(2) else 0.5
    return (
        f"If the mean over a layer is {WORST_MODELS:g}, at least half of its neurons have at most "
        f"{bound:g} (Markov's inequality), which is one status for {1 - rare:.1%} of the inputs."
    )
