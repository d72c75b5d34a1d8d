"""Lemmas behind the CReLU paper's theorems, recomputed: singular values, Rademacher complexity."""

from fractions import Fraction
from itertools import product

import torch

from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

Values = tuple[Fraction, ...]  # of one function at the points of a sample
ROUNDING = 1e-9
# classes of functions, by their values: ReLU makes the first less complex, the second more
CLASSES = (((-1, -2),), ((-1, 2, 1), (1, 0, 1)))


def lemma_a_4(draws: int = 50) -> Judgement:
    """``s_min |x| <= |W^T x| <= s_max |x|`` for x in the range of W."""
    random = generator("lemma A.4")
    inside = 0
    for _ in range(draws):
        weight = torch.randn(6, 3, generator=random, dtype=torch.float64)
        weight = torch.cat([weight, weight[:, :1]], dim=1)  # dependent columns: rank 3 of 4
        values = torch.linalg.svdvals(weight)[:3]
        x = weight @ torch.randn(4, generator=random, dtype=torch.float64)
        length = float((weight.T @ x).norm() / x.norm())
        low, high = float(values.min()) * (1 - ROUNDING), float(values.max()) * (1 + ROUNDING)
        inside += low <= length <= high
    return sampled(
        inside == draws,
        f"matrices W of 6 x 4 and rank 3: it holds for {inside} of {draws} x in the range of W, "
        "with the singular values of W above zero",
        cases=draws,
    )


def rademacher(functions: list[Values]) -> Fraction:
    """Empirical Rademacher complexity of finitely many functions, over all signs.

    The supremum over functions stands where (S1) and (S5) have it.

    Args:
        functions: Values at the sample.

    Example:
        >>> rademacher([(Fraction(1), Fraction(-1))])
        Fraction(1, 1)
    """
    length = len(functions[0])
    signs = list(product((-1, 1), repeat=length))
    sums = [
        max(
            abs(Fraction(2, length) * sum(s * v for s, v in zip(sign, f, strict=True)))
            for f in functions
        )
        for sign in signs
    ]
    return sum(sums, Fraction()) / len(signs)


def lemma_b_1() -> Judgement:
    """Composition with an L-Lipschitz function multiplies the complexity by L."""
    classes = [[tuple(map(Fraction, f)) for f in each] for each in CLASSES]
    pairs = [(rademacher(each), rademacher(_rectified(each))) for each in classes]
    shown = "; ".join(
        f"{', '.join(map(str, each))} before {before}, after {after}"
        for each, (before, after) in zip(CLASSES, pairs, strict=True)
    )
    greater = sum(after > before for before, after in pairs)
    return sampled(
        all(before == after for before, after in pairs),
        f"ReLU is 1-Lipschitz; complexities of classes of functions before and after it: {shown}; "
        f"after it {greater} of {len(pairs)} is greater, so that Corollary B.3 fails too, as "
        '"at most" would. With a factor of 2, and rho(0) = 0, it is the contraction principle',
        cases=len(pairs),
    )


def _rectified(functions: list[Values]) -> list[Values]:
    return [tuple(max(value, Fraction()) for value in f) for f in functions]
