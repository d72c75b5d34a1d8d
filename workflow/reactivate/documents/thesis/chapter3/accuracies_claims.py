"""Statements of the thesis's section 3.1.4, judged from the networks of Tables 3.2 and 3.3.

A network that is printed to stay at chance is compared as it is; of the others those that have
learned, beside the best network of their own table. Two networks that are printed at chance and
stay there are a tie, which is no loss.
"""

from functools import cache
from itertools import product

import pandas as pd

from reactivate.documents.shared.printed import printed_numbers
from reactivate.documents.shared.replicates import combined
from reactivate.documents.thesis.chapter3.tables3_2_3_3_claims import (
    CHANCE,
    OTHERS,
    SATURATED,
    SETTINGS,
    TABLES,
)
from reactivate.judging.effects import difference
from reactivate.judging.learned import Gate
from reactivate.judging.replicates import Effect, Runs

CLASSES = 10
FOUR = (*SATURATED, *OTHERS)


def rectified_are_better(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Accuracy of ReLU and of GeLU minus that of Sigmoid and of Tanh, wherever one can learn."""
    numbers, cases = _gated(numbers), {}
    for network, setting, better, worse in product(TABLES, SETTINGS, OTHERS, SATURATED):
        if not _both_stay_at_chance(numbers, network, setting, better, worse):
            first, second = (_runs(numbers, network, setting, name) for name in (better, worse))
            cases[f"{network} {setting}: {better}, {worse}"] = difference(
                first, second, paired=False
            )
    return cases


def sigmoid_is_worst(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Mean accuracy of another activation over the three modifications minus that of Sigmoid."""
    numbers, cases = _gated(numbers), {}
    for network in TABLES:
        means = {
            name: combined([_runs(numbers, network, setting, name) for setting in SETTINGS[1:]])
            for name in FOUR
        }
        for name in FOUR[1:]:
            cases[f"{network}: {name}"] = difference(means[name], means["sigmoid"], paired=False)
    return cases


def relu_needs_either(numbers: pd.DataFrame) -> dict[str, Effect]:
    """How far initialization and BN of another activation lie apart, minus how far ReLU's do."""
    numbers, cases = _gated(numbers), {}
    for network in TABLES:
        gaps = {name: _gap(numbers, network, name) for name in FOUR}
        for name in FOUR:
            if name != "relu":
                cases[f"{network}: {name}"] = difference(gaps[name], gaps["relu"], paired=False)
    return cases


def _gated(numbers: pd.DataFrame) -> pd.DataFrame:
    """The numbers with a column ``learned``: whether a network passes the gate of its table."""
    parts = []
    for _, table in numbers.groupby(numbers["column"].str.split("_").str[0]):
        best = table.groupby(["row", "column"])["top1"].mean().max()
        passed = [
            Gate(1 / CLASSES, best / 100, images).passes(top1 / 100)
            for top1, images in zip(table["top1"], table["images"], strict=True)
        ]
        parts.append(table.assign(learned=passed))
    return pd.concat(parts)


def _runs(numbers: pd.DataFrame, network: str, setting: str, activation: str) -> Runs:
    """Accuracy by seed; None for a network that has not learned, but is printed to."""
    own = _networks(numbers, network, setting, activation)
    has_to_learn = _printed(network)[setting][activation] > CHANCE
    return {
        int(seed): float(top1) if learned or not has_to_learn else None
        for seed, top1, learned in own[["seed", "top1", "learned"]].itertuples(index=False)
    }


def _both_stay_at_chance(
    numbers: pd.DataFrame, network: str, setting: str, *activations: str
) -> bool:
    printed = _printed(network)[setting]
    return all(
        printed[name] <= CHANCE and not _networks(numbers, network, setting, name)["learned"].any()
        for name in activations
    )


def _networks(numbers: pd.DataFrame, network: str, setting: str, activation: str) -> pd.DataFrame:
    """The runs of one cell of the two tables."""
    is_own = (numbers["row"] == activation) & (numbers["column"] == f"{network}_{setting}")
    return numbers[is_own]


def _gap(numbers: pd.DataFrame, network: str, activation: str) -> Runs:
    """By seed, how far accuracies with initialization alone and with BN alone lie apart."""
    arms = [_runs(numbers, network, setting, activation) for setting in ("init", "bn")]
    return combined(arms, lambda found: abs(found[0] - found[1]))


@cache
def _printed(network: str) -> dict[str, dict[str, float]]:
    return printed_numbers("thesis", TABLES[network])
