"""Thesis, Algorithm 1: neuron entropy from counters of patterns, run as printed."""

from math import log

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement

COUNTED = 0  # what line 19 of Algorithm 1 adds to the counter


def entropy_of_counter(patterns: list[int], step: int) -> float:
    """Lines 14 to 24 of Algorithm 1 for one neuron: counts of patterns, frequencies, entropy.

    Args:
        patterns: Pattern of one neuron for each image.
        step: What line 19 adds to the counter of the pattern that is seen.

    Example:
        >>> round(entropy_of_counter([0, 1], step=1), 4)
        0.6931
    """
    counter = dict.fromkeys(range(2), 0)
    for pattern in patterns:
        counter[pattern] = counter[pattern] + step
    shares = [count / len(patterns) for count in counter.values()]
    return sum(-share * log(share) for share in shares if 0 < share < 1)


def counter_counts() -> Judgement:
    """Algorithm 1, line 19: the counter of a pattern is updated when it is seen."""
    volatile, dead = [0, 1] * 8, [1] * 16
    as_printed = [entropy_of_counter(patterns, COUNTED) for patterns in (volatile, dead)]
    counted = [entropy_of_counter(patterns, 1) for patterns in (volatile, dead)]
    return judge(
        as_printed == counted,
        "a neuron that is active half the time and one that always is: entropies "
        f"{as_printed[0]:.2f} and {as_printed[1]:.2f} as printed (nothing is added), "
        f"{counted[0]:.2f} and {counted[1]:.2f} with 1 added",
    )
