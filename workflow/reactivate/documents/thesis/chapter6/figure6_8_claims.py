"""Effects of the thesis' statements (section 6.5.2) on Figure 6.8, from its curves."""

from math import isnan

import pandas as pd

from reactivate.documents.thesis.chapter6.single import difference, once
from reactivate.judging.asked import crossed
from reactivate.judging.exact import not_comparable
from reactivate.judging.judgement import Judgement
from reactivate.judging.learned import Gate
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

CHANCE = 0.1
PLAIN = "smooth_0125"
REPRESSED = {  # method -> the same network without repression
    "scrfp2_000_010_0125": PLAIN,
    "scrfp2_001_010_0125": "scrfp2_001_000_0125",
    "scrfp2_002_010_0125": "scrfp2_002_000_0125",
}
LARGER = (0.25, 0.2)  # radii from which on they are larger ones, in a figure that ends at 0.4
MARGINS = (0.3, 0.15, 0.6)  # points that are comparable; the section names gains from 0.3 on
FAR = 0.25
ROUNDING = 1e-9
UNREACHED = not_comparable("unreachable", "no method certifies any image at so large a radius")


def training_gains(curves: pd.DataFrame) -> Readings:
    """Reforming float paths in training gains around 3 to 5 points at larger radii."""
    return Readings(
        {
            crossed(f"eta 1 of {eta}", f"above radius {start:g}"): _gain(
                curves, {f"scrfp2_{name}_000_0125": PLAIN}, start, paired=False
            )
            for eta, name in (("0.02", "002"), ("0.01", "001"))
            for start in LARGER
        }
    )


def repression_gains(curves: pd.DataFrame) -> Readings:
    """Repressing float paths gains around 5 points, in the mean over the three networks."""
    return Readings(
        {
            f"above radius {start:g}": _gain(curves, REPRESSED, start, paired=True)
            for start in (LARGER[0], 0.0)
        }
    )


def comparable_near_zero(curves: pd.DataFrame) -> Readings:
    """Close to radius 0 all variants are comparable with the benchmark, and ahead at 0.25."""
    wide, grain = _learned(curves), _grain(curves)
    start, far = (wide[wide.index <= radius + ROUNDING].iloc[-1] for radius in (0.0, FAR))
    variants = [method for method in wide.columns if method != PLAIN]
    ahead = {
        f"{name} at {FAR:g}": difference(_seen(far, name), _seen(far, PLAIN), grain=grain)
        if (far > 0).any()
        else UNREACHED
        for name in variants
    }

    def near(name: str, margin: float) -> Effect:
        own, plain = _seen(start, name), _seen(start, PLAIN)
        if own is None or plain is None:
            return Effect((None,))
        return once(margin - abs(own - plain), grain)

    return Readings(
        {
            f"within {margin:g} points": {
                **{f"{name} at 0": near(name, margin) for name in variants},
                **ahead,
            }
            for margin in MARGINS
        }
    )


def _gain(
    curves: pd.DataFrame, pairs: dict[str, str], start: float, *, paired: bool
) -> Effect | Judgement:
    """Mean accuracy over radii and methods, minus that of what they are compared with.

    Radii at which no method certifies any image are left out: the draws may not reach them.
    """
    wide = _learned(curves)
    reached = wide[(wide > 0).any(axis=1) & (wide.index > start)]
    if reached.empty:
        return UNREACHED
    means = reached.mean()
    arms = [[_seen(means, name) for name in names] for names in (pairs, pairs.values())]
    stated, other = (
        None if None in arm else sum(x for x in arm if x is not None) / len(arm) for arm in arms
    )
    return difference(stated, other, paired=paired, grain=_grain(curves))


def _seen(numbers: "pd.Series[float]", name: str) -> float | None:
    """A method's number; None if its network has not learned."""
    number = float(numbers[name])
    return None if isnan(number) else number


def _grain(curves: pd.DataFrame) -> float:
    """One image, in points."""
    return 100 / float(curves["images"].tolist()[0])


def _learned(curves: pd.DataFrame) -> pd.DataFrame:
    """Accuracy by radius and method as the document certifies; NaN where nothing was learned."""
    own = curves[curves["protocol"] == "document"]
    wide = own.pivot(index="radius", columns="method", values="accuracy")
    clean = {str(name): float(wide[name].tolist()[0]) / 100 for name in wide.columns}
    gate = Gate(CHANCE, max(clean.values()), int(own["images"].tolist()[0]))
    learned = [name for name, share in clean.items() if gate.passes(share)]
    return wide[learned].reindex(columns=wide.columns)
