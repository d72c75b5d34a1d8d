"""Thesis, sections 5.1.1 and 5.3.1.1: what is said of Definitions 5 and 6 beside them."""

from itertools import product

import torch

from reactivate.judging.exact import checked, proved, refuted
from reactivate.judging.judgement import Judgement
from reactivate.patterns.entropy import entropy_of

NEURONS, PATTERNS, POINTS = 4, 3, 12


def intersection_share(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Equation 5.3: common pairs of neuron and pattern, divided by the number of neurons.

    Example:
        >>> intersection_share((0, 1, 1, 2), (0, 0, 1, 1))
        0.5
    """
    return len(set(enumerate(one)) & set(enumerate(other))) / len(one)


def proportion(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Share of neurons that have the same pattern for both points."""
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def similarity_is_proportion() -> Judgement:
    """Section 5.1.1: Equation 5.3 is the share of neurons that have the same pattern for both."""
    every = list(product(range(PATTERNS), repeat=NEURONS))
    pairs = list(product(every, repeat=2))
    wrong = sum(intersection_share(*pair) != proportion(*pair) for pair in pairs)
    return checked(
        wrong == 0,
        f"all pairs of patterns of {NEURONS} neurons with {PATTERNS - 1} breakpoints: {wrong} "
        "exceptions",
        cases=len(pairs),
    )


def zero_entropy() -> Judgement:
    """Section 5.3.1.1: if the entropy of a neuron is 0, its pattern is the same for any data.

    No term ``-p log p`` is negative, and it is 0 for p = 0 and p = 1 only; shares add up to 1.
    """
    shares = [
        counts for counts in product(range(POINTS + 1), repeat=PATTERNS) if sum(counts) == POINTS
    ]
    entropy = entropy_of(torch.tensor(shares).T)
    single = torch.tensor([max(counts) == POINTS for counts in shares])
    wrong = int(((entropy == 0) != single).sum())
    if wrong:
        return refuted(f"{wrong} of {len(shares)} distributions", len(shares))
    return proved(
        "-p log p is 0 for p = 0 and p = 1 only, and positive between: the sum is 0 only if one "
        f"pattern has the probability 1, as for {int(single.sum())} of the {len(shares)} "
        f"distributions of {POINTS} points over {PATTERNS} patterns"
    )
