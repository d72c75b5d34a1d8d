"""Reach: quantities that a setting cannot produce, such as radii beyond what draws certify."""

from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import UNREACHABLE


def radius_cap(draws: int, alpha: float, sigma: float) -> float:
    """Largest radius that randomized smoothing certifies with this many draws, all of one class.

    Then the lower confidence bound of the class is alpha^(1/draws), and the radius is
    sigma times its normal quantile.

    Example:
        >>> round(radius_cap(100, 0.001, 0.25), 3)
        0.375
    """
    from scipy.special import ndtri  # not needed by those who only read verdicts

    return sigma * max(0.0, float(ndtri(alpha ** (1 / draws))))


def beyond_reach(needed: float, cap: float, what: str) -> Judgement | None:
    """Judgement of a claim that needs more than the setting can produce; None if it can.

    Args:
        needed: The quantity that the claim is about, such as a radius.
        cap: The largest that the setting can produce.
        what: Name of the quantity, for people.
    """
    if needed <= cap:
        return None
    return Judgement(
        UNREACHABLE,
        f"{what} {needed:.4g} is above {cap:.4g}, the largest that this setting can produce",
        would_change=f"a setting that can produce {what} {needed:.4g}",
    )
