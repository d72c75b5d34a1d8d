"""A choice of a claim names its value and alternatives as the claim's function names readings."""

from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter5 import figures5_4_to_5_6_claims
from reactivate.experiment import loading
from reactivate.foundation.registry import load_function
from reactivate.judging.asked import BETWEEN
from reactivate.judging.questions import Readings

PUBLISHED = Path(__file__).parents[4] / "published"
MADE_UP = {  # values of exhibits that are not published
    "thesis/figure3_11": pd.DataFrame(
        {"column": name, "layer": layer, "step": step, "mean": 0.1, "variance": 1.0}
        for name in ("sigmoid", "tanh", "relu", "gelu")
        for layer in (3, 7, 11, 15)
        for step in range(8)
    ),
    "thesis/figure5_9": pd.DataFrame(
        {"seed": seed, "part": part, "layer": layer, "constant": 0.3}
        for seed in range(3)
        for part in ("train", "test")
        for layer in range(1, 17)
    ),
}
ELSEWHERE = figures5_4_to_5_6_claims.__name__  # test_pattern_readings.py compares their names
CLAIMS = {
    f"{paper}/{name}": claim
    for paper in loading.paper_names()
    for name, claim in loading.load_paper(paper).claims.items()
    if any(choice.alternatives for choice in claim.choices.values())
    and claim.check
    and (claim.check.function or claim.check.judge)
    and ELSEWHERE not in str(claim.check.judge)
}


def values(paper, exhibit):
    """The values of an exhibit at each scale at which they are published, or made up ones."""
    files = sorted(PUBLISHED.glob(f"*/{paper}/{exhibit}.csv"))
    return [pd.read_csv(file) for file in files] or [MADE_UP[f"{paper}/{exhibit}"]]


@cache
def computed(name):
    """Names of the readings that a claim's function returns, at each scale."""
    check = CLAIMS[name].check
    if check.function:
        return [[reading for reading, _ in load_function(check.function)().parts]]
    found = [load_function(check.judge)(own) for own in values(name.split("/")[0], check.exhibit)]
    return [list(each.found) if isinstance(each, Readings) else [] for each in found]


def plain(name):
    """A name without its case, spaces and punctuation."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


@pytest.mark.parametrize("name", CLAIMS)
def test_readings_are_made_of_what_choices_name(name):
    choices = CLAIMS[name].choices.values()
    named = {value for choice in choices for value in (choice.value, *choice.alternatives)}
    assert len({plain(value) for value in named}) == len(named)
    for readings in computed(name):
        parts = {part for reading in readings for part in reading.split(BETWEEN)}
        assert parts <= named
        for choice in choices:
            assert choice.value in parts or parts.isdisjoint(choice.alternatives)


def test_claims_with_readings_are_many():
    assert sum(any(computed(name)) for name in CLAIMS if CLAIMS[name].check.judge) > 30
