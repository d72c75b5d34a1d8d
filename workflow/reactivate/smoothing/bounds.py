"""Bounds of a probability from counted votes, and certified radii, never rounded up."""

from decimal import ROUND_FLOOR, Decimal

from scipy.special import betaincinv, ndtri

DIGITS = 6  # decimals of a radius; what is beyond is cut off


def lower_bound(successes: int, draws: int, alpha: float) -> float:
    """Lower bound of a probability after so many successes; one-sided Clopper-Pearson.

    The true probability is below it with probability at most ``alpha``. It is the probability p
    at which ``successes`` or more have the probability alpha.

    Reference:
        Clopper & Pearson 1934; ``LowerConfBound`` of Cohen et al. 2019, section 3.2
        (arXiv:1902.02918).

    Args:
        successes: Draws that were successes.
        draws: Number of all draws.
        alpha: Probability of being wrong.

    Example:
        >>> round(lower_bound(990, 1000, 0.001), 4)
        0.976
    """
    if not 0 <= successes <= draws or draws < 1:
        raise ValueError(
            f"{successes} successes of {draws} draws cannot be; accepted: 0 to the number of "
            "draws, which is at least 1. Change the call"
        )
    check_alpha(alpha)
    return float(betaincinv(successes, draws - successes + 1, alpha)) if successes else 0.0


def certified_radius(sigma: float, p_lower: float) -> float:
    """Distance within which the most likely class stays the same: ``sigma Phi^-1(p_lower)``.

    Where the class has at least the probability p_lower under noise N(0, sigma^2 I), it is the
    most likely one for every input within this distance (l2). Rounded down to :data:`DIGITS`
    decimals.

    Reference:
        Cohen et al. 2019, Theorem 1 with ``p_B = 1 - p_A`` (arXiv:1902.02918).

    Args:
        sigma: Standard deviation of the noise.
        p_lower: Lower bound of the probability, from 1/2 on.

    Example:
        >>> certified_radius(0.5, 0.9)
        0.640775
    """
    check_sigma(sigma)
    if not 0.5 <= p_lower < 1:
        raise ValueError(
            f"p_lower is {p_lower}, which certifies no radius; accepted: at least 0.5 and below "
            "1. Abstain where the bound is lower"
        )
    return rounded_down(sigma * float(ndtri(p_lower)))


def largest_radius(sigma: float, n: int, alpha: float) -> float:
    """The radius if all n samples agree: ``sigma Phi^-1(alpha^(1/n))``; no certificate has more.

    Example:
        >>> largest_radius(1.0, n=10_000, alpha=0.001)
        3.198577
    """
    p_lower = lower_bound(n, n, alpha)
    return certified_radius(sigma, p_lower) if p_lower >= 0.5 else 0.0


def rounded_down(radius: float, digits: int = DIGITS) -> float:
    """The largest number with so many decimals that is not above the radius.

    Example:
        >>> rounded_down(0.2499999), rounded_down(0.25), rounded_down(0.0499, digits=2)
        (0.249999, 0.25, 0.04)
    """
    return float(Decimal(radius).quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR))


def check_alpha(alpha: float) -> None:
    """Raises unless alpha can be the probability of an error."""
    if not 0 < alpha < 1:
        raise ValueError(
            f"alpha is {alpha}; accepted: above 0 and below 1, as it is the probability that a "
            "certificate is wrong. Change alpha of the certification"
        )


def check_sigma(sigma: float) -> None:
    """Raises unless sigma can be the deviation of noise."""
    if not 0 < sigma < float("inf"):
        raise ValueError(
            f"sigma is {sigma}; accepted: above 0, as it is the standard deviation of the noise "
            "for pixels from 0 to 1. Change sigma of the certification"
        )
