"""CReLU, Theorem A.6: the share of a vector that a random subspace keeps."""

from math import isclose, sqrt

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.filters.projections import drawn_shares, expected_share
from reactivate.foundation.seeding import generator

# D_s of D; 48 of 48 x 5 x 5 and 96 of 96 x 5 x 5 are those of section 4.3
PLACES = ((1, 2), (2, 10), (48, 1200), (96, 2400))
DRAWN = ((1, 2), (2, 10))
DRAWS = 20000
ERRORS = 4.0  # standard errors that a mean of draws may be off


def theorem_a6() -> Judgement:
    """Theorem A.6: ``E ||x_s|| / ||x|| = sqrt(D_s / D)``; Jensen's inequality makes it a bound."""
    means = {place: expected_share(*place) for place in PLACES}
    printed = {place: sqrt(place[0] / place[1]) for place in PLACES}
    shown = ", ".join(
        f"{part}/{total}: {means[part, total]:.4f} against {printed[part, total]:.4f}"
        for part, total in PLACES
    )
    drawn = ", ".join(
        f"{_draw(part, total, power=1)[0]:.4f} for {part}/{total}" for part, total in DRAWN
    )
    below = all(means[place] < printed[place] for place in PLACES)
    return judge(
        all(isclose(means[place], printed[place], rel_tol=1e-9) for place in PLACES),
        f"{shown}, by Gamma functions; the mean of {DRAWS} random subspaces is {drawn}; "
        f"{'an upper bound everywhere' if below else 'not even a bound'}",
    )


def projected_square() -> Judgement:
    """Proof of Theorem A.6: ``E ||z_s||^2 = D_s / D``."""
    exact = all(
        isclose(expected_share(part, total, power=2), part / total, rel_tol=1e-9)
        for part, total in PLACES
    )
    measured = {place: _draw(*place, power=2) for place in DRAWN}
    near = all(
        abs(mean - place[0] / place[1]) < ERRORS * error
        for place, (mean, error) in measured.items()
    )
    shown = ", ".join(
        f"{mean:.4f} ± {error:.4f} for {part}/{total}"
        for (part, total), (mean, error) in measured.items()
    )
    return judge(
        exact and near,
        f"exactly, by Gamma functions; the mean of {DRAWS} random subspaces is {shown}",
    )


def _draw(part: int, total: int, power: int) -> tuple[float, float]:
    """Mean and standard error over random subspaces."""
    random = generator("crelu", "theorem a.6", part, total)
    shares = drawn_shares(part, total, DRAWS, random) ** power
    return float(shares.mean()), float(shares.std() / sqrt(DRAWS))
