"""Thesis, chapter 5: numbers of the experiments, and what its own table shows."""

from itertools import combinations

from reactivate.documents.shared.printed import printed_numbers
from reactivate.judging.exact import checked
from reactivate.judging.judgement import Judgement
from reactivate.patterns.transitions import INTERIOR

POINTS, PAIRS, SEGMENT = 50, 1225, 514  # section 5.2.1.1


def pairs_and_points() -> Judgement:
    """Section 5.2.1.1: 50 points make 1225 pairs, 512 points between two make 514."""
    pairs = len(list(combinations(range(POINTS), 2)))
    points = INTERIOR + 2
    found = f"{POINTS} points make {pairs} pairs, {INTERIOR} points and two ends {points}"
    return checked((pairs, points) == (PAIRS, SEGMENT), found, cases=2)


def gelu_in_table5_1() -> str:
    """Whether Table 5.1 has GeLU first, ReLU second, and Sigmoid and Tanh below."""
    table = printed_numbers("thesis", "table5_1")
    said, agree = [], 0
    for column in table["gelu"]:
        first, second = (table[name][column] for name in ("gelu", "relu"))
        third = max(table[name][column] for name in ("sigmoid", "tanh"))
        agree += first > second > third
        said.append(
            f"on {column} ReLU is {first - second:.2f} behind GeLU and {second - third:.2f} ahead"
        )
    return (
        f"Table 5.1 has this order on {agree} of {len(said)} data sets: {'; '.join(said)} of the "
        "better of Sigmoid and Tanh"
    )
