"""Thesis, section 5.3: statements on what a value of neuron entropy means."""

from math import log

import torch
from scipy.optimize import brentq
from torch import Tensor

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.patterns.entropy import entropy_of

AROUND_HALF = (0.45, 0.55)  # what "around 50 %" is taken to allow
ENTRY_LAYER = 0.62  # section 5.3.3.1
WORST_MODELS = 0.1
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


def _maximum(patterns: int) -> tuple[float, float]:
    """Largest entropy over a grid of probabilities of pattern 0, and its place."""
    p = torch.linspace(0, 1, 600_001, dtype=torch.float64)  # 1/2 and 1/3 are on it
    value, place = largest_entropy(p, patterns).max(dim=0)
    return value.item(), p[place].item()


def maximum_of_two() -> Judgement:
    """Section 5.3.1.1: with two patterns the maximum is around 0.69, at probability 0.5."""
    value, place = _maximum(2)
    return judge(
        round(value, 2) == 0.69 and abs(place - 1 / 2) < 1e-5,
        f"{value:.4f} = ln 2 at {place:.3f}",
    )


def maximum_of_three() -> Judgement:
    """Section 5.3.1.1: with three patterns the maximum is 1.09, at probability 1/3."""
    value, place = _maximum(3)
    return judge(
        round(value, 2) == 1.09 and abs(place - 1 / 3) < 1e-5,
        f"{value:.4f} = ln 3 at {place:.3f}: 1.10 to the printed digit, 1.09 is cut off",
    )


def half_near_maximum() -> Judgement:
    """Section 5.3.1.1: an entropy close to 0.69 means that a neuron is on in around 50 %."""
    rare = rarer_pattern(NEAR_MAXIMUM)
    return judge(
        AROUND_HALF[0] <= rare,
        f"{NEAR_MAXIMUM} is a probability of {rare:.3f} or {1 - rare:.3f}",
    )


def half_at_entry() -> Judgement:
    """Section 5.3.3.1: an entropy close to 0.62 means around 50 %."""
    rare = rarer_pattern(ENTRY_LAYER)
    half = two_patterns(AROUND_HALF[0])
    return judge(
        AROUND_HALF[0] <= rare,
        f"{ENTRY_LAYER} is a probability of {rare:.3f} or {1 - rare:.3f}; 45 to 55 % would be at "
        f"least {half:.3f}",
    )


def constant_at_low_entropy() -> Judgement:
    """Section 5.3.3.1: at 0.1 most neurons have the same status regardless of the input."""
    rare = rarer_pattern(WORST_MODELS)
    return judge(
        rare < 0.05,
        f"a neuron with entropy {WORST_MODELS} has its other status for {rare:.1%} of the inputs",
    )
