"""Lemmas behind the CReLU paper's theorems, recomputed: singular values, Rademacher complexity."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import torch

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator

Values = tuple[Fraction, ...]  # of one function at the points of a sample
ROUNDING = 1e-9


def lemma_a_4(draws: int = 50) -> Judgement:
    """``s_min |x| <= |W^T x| <= s_max |x|`` for x in the range of W."""
    random = generator("lemma A.4")
    inside, outside = 0, 0
    for _ in range(draws):
        weight = torch.randn(6, 3, generator=random, dtype=torch.float64)
        weight = torch.cat([weight, weight[:, :1]], dim=1)  # dependent columns: rank 3 of 4
        values = torch.linalg.svdvals(weight)[:3]
        lengths = []
        for x in (weight @ _normal(4, random), _normal(6, random)):
            lengths.append(float((weight.T @ x).norm() / x.norm()))
        low, high = float(values.min()) * (1 - ROUNDING), float(values.max()) * (1 + ROUNDING)
        inside += low <= lengths[0] <= high
        outside += low <= lengths[1] <= high
    return judge(
        inside == draws,
        f"matrices of 6 x 4 and rank 3: holds for {inside} of {draws} x in the range of W with "
        f"its singular values above zero (V, which is printed, is a space), and for {outside} of "
        f"{draws} other x",
    )


def _normal(size: int, random: torch.Generator) -> torch.Tensor:
    return torch.randn(size, generator=random, dtype=torch.float64)


def rademacher(functions: list[Values], over: Callable[..., Fraction] = max) -> Fraction:
    """Empirical Rademacher complexity of finitely many functions, over all signs.

    Args:
        functions: Values at the sample.
        over: The supremum; or the sum that Definition B.1 prints in its place.

    Example:
        >>> rademacher([(Fraction(1), Fraction(-1))])
        Fraction(1, 1)
    """
    length = len(functions[0])
    signs = list(product((-1, 1), repeat=length))
    sums = [
        over(
            [
                abs(Fraction(2, length) * sum(s * v for s, v in zip(sign, f, strict=True)))
                for f in functions
            ]
        )
        for sign in signs
    ]
    return sum(sums, Fraction()) / len(signs)


def definition_b_1() -> Judgement:
    """The complexity with the printed sum over functions is that with their supremum."""
    f = (Fraction(1), Fraction(-1))
    negative = (Fraction(-1), Fraction(1))
    greatest, summed = (rademacher([f, negative], over) for over in (max, sum))
    return judge(
        greatest == summed,
        f"F = {{f, -f}}, f = (1, -1) at two points: supremum {greatest}, printed sum {summed}; "
        "a class with infinitely many functions would have none",
    )


def lemma_b_1() -> Judgement:
    """Composition with an L-Lipschitz function multiplies the complexity by L."""
    smaller = [_values(-1, -2)]
    larger = [_values(-1, 2, 1), _values(1, 0, 1)]
    pairs = [(rademacher(each), rademacher(_rectified(each))) for each in (smaller, larger)]
    (before, after), (others, rectified) = pairs
    return judge(
        all(first == second for first, second in pairs),
        f"ReLU is 1-Lipschitz: after {{(-1, -2)}} the complexity is {after}, before it {before}; "
        f"after {{(-1, 2, 1), (1, 0, 1)}} it is {rectified}, before it {others}: neither equal "
        "nor at most (also in Corollary B.3), as the complexity has an absolute value",
    )


def _values(*numbers: int) -> Values:
    return tuple(map(Fraction, numbers))


def _rectified(functions: list[Values]) -> list[Values]:
    return [tuple(max(value, Fraction()) for value in f) for f in functions]
