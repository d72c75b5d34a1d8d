"""Networks of Figures 2 and 3 as replicates of comparisons, one for each draw of weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from reactivate.documents.gmp.looks import LOOKS
from reactivate.documents.gmp.rates import OWN_RATE, RATES
from reactivate.judging.effects import log_difference, spearman
from reactivate.judging.learned import keep_learned
from reactivate.judging.replicates import Effect

OTHERS = ("sp", "wn", "bn")
LARGE_RATE = max(RATES)
AT_LARGE_RATE = dict.fromkeys(OWN_RATE, LARGE_RATE)
GRAIN = 12 / (len(OWN_RATE) ** 3 - len(OWN_RATE))  # the smallest step of a rank correlation


@dataclass(frozen=True)
class Networks:
    """The networks of a figure, of which only those that learned are compared.

    Args:
        frame: Numbers of the figure.
        score: Quantity by which it is told whether a network learned.
        has_learned: Whether a network with this score did.
    """

    frame: pd.DataFrame
    score: str
    has_learned: Callable[[float], bool]

    def runs(self, quantity: str, name: str, rate: float) -> dict[int, float | None]:
        """One number of every network of a parameterization and rate, by seed."""
        learned = {s: self.has_learned(x) for s, x in self._all(self.score, name, rate).items()}
        return keep_learned(self._all(quantity, name, rate), learned)

    def by_other(
        self, quantity: str, rates: Mapping[str, float]
    ) -> dict[str, tuple[dict[int, float | None], dict[int, float | None]]]:
        """Runs of GmP and of each other parameterization, at the rates given for them."""
        gmp = self.runs(quantity, "gmp", rates["gmp"])
        return {label(name): (gmp, self.runs(quantity, name, rates[name])) for name in OTHERS}

    def gmp_is_lower(self, quantity: str, rates: Mapping[str, float]) -> dict[str, Effect]:
        """Log of a quantity of each other parameterization minus that of GmP."""
        return {
            name: log_difference(gmp, other, paired=False)
            for name, (gmp, other) in self.by_other(quantity, rates).items()
        }

    def goes_with_distance(self, quantity: str, sign: int) -> Effect:
        """Rank correlation of a quantity with the distance of inputs to the nearest location.

        It is taken over the parameterizations of a seed, each at its own rate.

        Args:
            quantity: What is compared with the distance.
            sign: -1 if it is to fall where the distance rises.
        """
        seeds = self._all(quantity, "gmp", OWN_RATE["gmp"])
        distances, values = (
            [self.runs(column, name, rate) for name, rate in OWN_RATE.items()]
            for column in ("distance_to_location", quantity)
        )
        rhos = []
        for seed in seeds:
            found = [run[seed] for run in values]
            learned = [x for x in found if x is not None]
            far = [x for run in distances if (x := run[seed]) is not None]
            whole = len(learned) == len(found)
            rhos.append(sign * spearman(far, learned) if whole else None)
        return Effect(tuple(rhos), grain=GRAIN)

    def _all(self, quantity: str, name: str, rate: float) -> dict[int, float]:
        rows = self.frame[self.frame["quantity"] == quantity]
        rows = rows[(rows["parameterization"] == name) & (rows["rate"] == rate)]
        rows = rows.sort_values("seed")
        return {int(seed): float(x) for seed, x in zip(rows["seed"], rows["value"], strict=True)}


def label(name: str) -> str:
    """The name of a parameterization in words."""
    return LOOKS[name].label
