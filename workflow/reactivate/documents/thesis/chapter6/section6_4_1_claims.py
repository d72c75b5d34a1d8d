"""Thesis, section 6.4.1: the confidence with which a certificate holds."""

from scipy.stats import binom

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.smoothing.bounds import lower_bound

ALPHA = 0.001  # sections 6.5.2 and 6.5.3
DRAWS, PROBABILITY = 400, 0.8
CONFIDENCE = ALPHA  # "with a confidence level of alpha", section 6.4.1


def coverage(p: float, draws: int, alpha: float) -> float:
    """Probability that the lower bound of a certificate is not above the true probability."""
    right = (k for k in range(draws + 1) if lower_bound(k, draws, alpha) <= p)
    return float(sum(binom.pmf(k, draws, p) for k in right))


def confidence_level() -> Judgement:
    """Section 6.4.1: the certificate holds with a confidence level of alpha."""
    holds = coverage(PROBABILITY, DRAWS, ALPHA)
    return judge(
        abs(holds - CONFIDENCE) < ALPHA,
        f"with alpha {ALPHA:g} and {DRAWS} draws of a class of probability {PROBABILITY:g} the "
        f"lower bound holds with probability {holds:.4f}, that is 1 - alpha at least",
    )
