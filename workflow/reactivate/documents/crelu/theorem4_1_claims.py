"""CReLU, Theorem 4.1 and its proof: complexities of finite classes, by all vectors of signs."""

from itertools import product
from math import isclose, sqrt

import torch
from torch import Tensor

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.filters.rademacher import complexity, crelu_complexity, sign_vectors
from reactivate.foundation.seeding import generator

# d = 1, B = 1, one function: f(x_1) = 1, f(x_2) = -1
OPPOSITE = torch.tensor([[1.0, -1.0]])
# two functions whose positive parts are more complex than they are
LIFTED = torch.tensor([[-1.0, 2.0, 1.0], [1.0, 0.0, 1.0]])
CLASSES = 300
ROUNDING = 1e-12
PROVED = 3 / sqrt(2)  # see theorem_4_1


def random_classes() -> list[Tensor]:
    """Finite classes with normal values: 1 to 8 functions of 2 to 6 examples."""
    random = generator("crelu", "theorem 4.1")
    sizes = [(1 + number % 8, 2 + number % 5) for number in range(CLASSES)]
    return [torch.randn(*size, generator=random, dtype=torch.float64) for size in sizes]


def ratio(values: Tensor) -> float:
    """Left over right side of Theorem 4.1: the same for all widths ``d_in`` and norms ``B``.

    Example:
        >>> round(ratio(OPPOSITE), 4)
        1.4142
    """
    return crelu_complexity(values) / complexity(values)


def theorem_4_1() -> Judgement:
    r"""Theorem 4.1: ``R(H o rho_c o G) <= sqrt(d) B R(F)``.

    Per function, with p and n the sums ``2/L sum_i sigma_i max(+-f(x_i), 0)``, the left side is
    ``sqrt(d) B E sup sqrt(p^2 + n^2)`` and the right one has ``|p - n|``. What can be proved:

    - ``p^2 + n^2 = ((p - n)^2 + (p + n)^2) / 2``, so the left side is at most
      ``sqrt(d) B (R(F) + R(|F|)) / sqrt(2)``; and ``R(|F|) <= 2 R(F)`` (Ledoux & Talagrand 1991,
      Theorem 4.12). The theorem holds with the factor 3 / sqrt(2).
    - For a single function p and n are independent and symmetric, so ``E |p - n|`` is
      ``E max(|p|, |n|)``: it holds with the factor sqrt(2), which the counter-example needs.
    """
    left, right = crelu_complexity(OPPOSITE), complexity(OPPOSITE)
    ratios = [ratio(values) for values in random_classes()]
    violated = sum(value > 1 + ROUNDING for value in ratios)
    return judge(
        left <= right + ROUNDING and not violated,
        f"d = B = 1, F = {{f}}, f(x_1) = 1, f(x_2) = -1: {left:.4f} > {right:.4f}; of {CLASSES} "
        f"random finite classes {violated} violate it, the largest ratio is {max(ratios):.3f}. "
        f"Proved: with a factor of 3/sqrt(2) = {PROVED:.3f} for all classes, "
        f"of sqrt(2) for a single function",
    )


def crelu_step() -> Judgement:
    """(S3) = (S4): CReLU can be left out of the l2 norm."""
    cases = [OPPOSITE, *random_classes()]
    apart = [ratio(values) - 1 for values in cases]
    equal = sum(isclose(gap, 0, abs_tol=ROUNDING) for gap in apart)
    return judge(
        equal == len(cases),
        f"a^2 + b^2 is not (a - b)^2: for f(x_1) = 1, f(x_2) = -1 (S3) is "
        f"{crelu_complexity(OPPOSITE):.4f} and (S4) {complexity(OPPOSITE):.4f}; equal for {equal} "
        f"of {len(cases)} classes, (S3) larger for {sum(gap > ROUNDING for gap in apart)}",
    )


def relu_bound() -> Judgement:
    """Corollary B.3: ``R(H o ReLU o G) <= sqrt(d) B R(F)``."""
    left, right = complexity(LIFTED.relu()), complexity(LIFTED)
    cases = random_classes()
    violated = sum(complexity(v.relu()) > complexity(v) + ROUNDING for v in cases)
    return judge(
        left <= right + ROUNDING and not violated,
        f"d = B = 1, F of values {_shown(LIFTED)}: {left:.4f} > {right:.4f}; violated by "
        f"{violated} of {CLASSES} random finite classes. With the absolute value of Definition "
        "B.1, Lemma B.1 is not even 'at most'; with a factor of 2, and rho(0) = 0, it is the "
        "contraction principle (Ledoux & Talagrand 1991, Theorem 4.12), and the corollary holds",
    )


def linear_complexity(values: Tensor, width: int) -> float:
    """``R(H o G)`` for ``||W||_2 <= 1``, over all choices of ``width`` functions side by side.

    Example:
        >>> round(linear_complexity(OPPOSITE, 4), 4)
        2.0
    """
    sums = sign_vectors(values.shape[1]) @ values.double().T * (2 / values.shape[1])
    choices = torch.tensor(list(product(range(len(values)), repeat=width)))
    return float(sums[:, choices].norm(dim=2).amax(dim=1).mean())


def layer_bound() -> Judgement:
    """Proposition B.2: ``R(H o G) <= sqrt(d) B R(F)``."""
    cases = [(v, width) for v in random_classes()[:40] for width in (1, 2, 3)]
    gaps = [linear_complexity(v, d) / (sqrt(d) * complexity(v)) - 1 for v, d in cases]
    return judge(
        max(gaps) <= ROUNDING,
        f"for {len(cases)} random finite classes and widths 1 to 3, always with equality (up to "
        f"{max(map(abs, gaps)):.0e})",
    )


def _shown(values: Tensor) -> str:
    return ", ".join(f"({', '.join(f'{v:g}' for v in row)})" for row in values.tolist())
