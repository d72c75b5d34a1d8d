"""CReLU, Theorem 4.1 and its proof: complexities of finite classes, by all vectors of signs."""

from itertools import product
from math import sqrt

import torch
from torch import Tensor

from reactivate.filters.rademacher import complexity, crelu_complexity, sign_vectors
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

# d = 1, B = 1, one function: f(x_1) = 1, f(x_2) = -1
OPPOSITE = torch.tensor([[1.0, -1.0]])
LINEAR = torch.cat([OPPOSITE, -OPPOSITE])  # w x, |w| <= 1: a supremum is at w = 1 or w = -1
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
    return sampled(
        left <= right + ROUNDING and not violated,
        f"d = B = 1, F = {{f}}, f(x_1) = 1, f(x_2) = -1: left {left:.4f}, right {right:.4f}; for "
        f"all w x with |w| <= 1 at the same places the ratio is {ratio(LINEAR):.4f}; of "
        f"{len(ratios)} random finite classes {violated} violate it, the largest ratio is "
        f"{max(ratios):.3f}. The proof takes (S3) for (S4), but a^2 + b^2 is not (a - b)^2. With "
        f"a factor of sqrt(2) it holds for a single function, with one of 3/sqrt(2) = "
        f"{PROVED:.3f} for all classes",
        cases=1 + len(ratios),
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
    return sampled(
        max(gaps) <= ROUNDING,
        f"random finite classes and widths 1 to 3: the left side is at most {1 + max(gaps):.6f} "
        "times the right one",
        cases=len(cases),
    )
