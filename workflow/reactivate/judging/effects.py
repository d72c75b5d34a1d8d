"""The effect: what a comparison states, as one number per replicate, positive as stated."""

import math
from collections.abc import Callable, Mapping, Sequence

from reactivate.judging.replicates import Effect, Runs


def difference(
    stated: Runs, other: Runs, *, paired: bool, lower_is_better: bool = False, grain: float = 0.0
) -> Effect:
    """Effect of "this arm is better than the other", by the difference of their numbers.

    Args:
        stated: Runs of the arm that the document puts ahead.
        other: Runs of the arm that it is compared with.
        paired: Whether a replicate of both arms shares a split, data or a network.
        lower_is_better: Whether the better arm is the one with the smaller number.
        grain: The smallest step of the number, such as one test image.
    """
    sign = -1.0 if lower_is_better else 1.0
    return _between(stated, other, lambda x: sign * x, paired, grain)


def log_difference(
    stated: Runs, other: Runs, *, paired: bool, lower_is_better: bool = True, grain: float = 0.0
) -> Effect:
    """Effect for losses, RMSE and norms: the difference of logs, positive as stated.

    The grain is one of logs.

    Raises:
        ValueError: A number has no logarithm.
    """
    for x in (*stated.values(), *other.values()):
        if x is not None and x <= 0:
            raise ValueError(
                f"the log of {x} is not defined; accepted: positive losses, errors and norms. "
                "Compare by difference() instead"
            )
    sign = -1.0 if lower_is_better else 1.0
    return _between(stated, other, lambda x: sign * math.log(x), paired, grain)


def trend(
    places: Sequence[float], curves: Mapping[int, Sequence[float] | None], *, rising: bool = True
) -> Effect:
    """Effect of "it rises (or falls) with ...": Spearman's rho of each replicate's curve.

    The grain is the smallest step of rho. A curve without any change has neither trend: 0.

    Args:
        places: Where the curves are measured, such as widths or epochs.
        curves: Replicate -> its number at each place; None where the network did not learn.
        rising: Whether the document says that it rises.
    """
    sign = 1.0 if rising else -1.0
    k = len(places)
    if k < 2 or any(curve is not None and len(curve) != k for curve in curves.values()):
        raise ValueError(
            f"curves of {[None if c is None else len(c) for c in curves.values()]} numbers at "
            f"{k} places; accepted: two places or more, one number for each. Correct the curves"
        )
    ordered = [curves[replicate] for replicate in sorted(curves)]
    rhos = tuple(None if curve is None else sign * spearman(places, curve) for curve in ordered)
    return Effect(rhos, grain=12 / (k**3 - k))


def share(cases: Mapping[int, Sequence[bool] | None]) -> Effect:
    """Effect of "most", "generally", "tend": each replicate's share of cases, minus a half.

    Args:
        cases: Replicate -> whether each case is as stated; None where the network did not learn.
    """
    ordered = [cases[replicate] for replicate in sorted(cases)]
    sizes = [len(found) for found in ordered if found is not None]
    if 0 in sizes:
        raise ValueError(
            "a replicate has no cases; accepted: one case or more. Leave the replicate out"
        )
    shares = tuple(None if found is None else sum(found) / len(found) - 0.5 for found in ordered)
    return Effect(shares, grain=1 / min(sizes) if sizes else 0.0)


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Spearman's rank correlation; 0 if one of the two is constant.

    Example:
        >>> spearman([1, 2, 3, 4], [0.1, 0.4, 0.9, 1.6])
        1.0
    """
    a, b = _ranks(xs), _ranks(ys)
    centre = (len(xs) + 1) / 2
    joint = sum((x - centre) * (y - centre) for x, y in zip(a, b, strict=True))
    spreads = math.prod(sum((x - centre) ** 2 for x in ranks) for ranks in (a, b))
    return joint / math.sqrt(spreads) if spreads else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    """Rank of each value, from 1; equal values share the mean of theirs."""
    ordered = sorted(values)
    first = {x: place for place, x in reversed(list(enumerate(ordered, start=1)))}
    return [first[x] + (ordered.count(x) - 1) / 2 for x in values]


def _between(
    stated: Runs, other: Runs, change: Callable[[float], float], paired: bool, grain: float
) -> Effect:
    """Two arms in the order of their replicates; of pairs only those that both arms have."""
    shared = sorted(set(stated) & set(other))
    arms = [
        tuple(
            None if (x := arm[replicate]) is None else change(x)
            for replicate in (shared if paired else sorted(arm))
        )
        for arm in (stated, other)
    ]
    return Effect(arms[0], arms[1], paired, grain)
