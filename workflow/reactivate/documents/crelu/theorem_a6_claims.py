"""CReLU, Theorem A.6: the share of a vector that a random subspace keeps."""

from math import isclose, sqrt

from reactivate.filters.projections import expected_share
from reactivate.judging.exact import checked, proved, refuted
from reactivate.judging.judgement import Judgement

# D_s of D; section 4.3 has K = 48 of D = 48 x 5 x 5, which leave 1152
PLACES = ((1, 2), (2, 10), (48, 1200), (1152, 1200))


def theorem_a6() -> Judgement:
    """Theorem A.6: ``E ||x_s|| / ||x|| = sqrt(D_s / D)``; Jensen's inequality makes it a bound."""
    means = {place: expected_share(*place) for place in PLACES}
    printed = {place: sqrt(place[0] / place[1]) for place in PLACES}
    shown = ", ".join(
        f"{part}/{total}: {means[part, total]:.4f} against {printed[part, total]:.4f}"
        for part, total in PLACES
    )
    return checked(
        all(isclose(means[place], printed[place], rel_tol=1e-9) for place in PLACES),
        f"mean share for D_s/D, by Gamma functions, against sqrt(D_s/D): {shown}; the root of the "
        "mean square is sqrt(D_s/D), the mean is below it",
        cases=len(PLACES),
    )


def projected_square() -> Judgement:
    """Proof of Theorem A.6: ``E ||z_s||^2 = D_s / D``."""
    shares = {place: expected_share(*place, power=2) for place in PLACES}
    odd = [place for place in PLACES if not isclose(shares[place], place[0] / place[1])]
    if odd:
        part, total = odd[0]
        return refuted(f"for D_s/D = {part}/{total} it is {shares[part, total]:.6f}")
    return proved(
        "the squares of the D entries of a random unit vector are identically distributed and "
        f"sum to 1; Gamma functions give the same for {len(PLACES)} pairs D_s, D"
    )
