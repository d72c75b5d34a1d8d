"""CReLU, section 2.2 and Figure 3: what CReLU conserves, and the layer as a matrix."""

from fractions import Fraction

import sympy
import torch
from torch import Tensor
from torch.nn import functional

from reactivate.activations.crelu import CReLU
from reactivate.documents.crelu.figure3 import FILTERS, example
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import proved, refuted, sampled
from reactivate.judging.judgement import Judgement

LAYERS = 200  # drawn at random
LARGEST = 9  # of the numbers in them, which are whole
REGIONS = ((1, 1), (2, 1), (3, 1), (3, 2), (5, 3))  # kernels and strides of Figure 3's kind


def rectified(x: sympy.Expr) -> sympy.Expr:
    """``[x]_+`` of Definition 2.1, in symbols."""
    return sympy.Max(x, 0)


def responses_conserved() -> Judgement:
    """Section 2.2: the two numbers of Definition 2.1 tell the response, ``[x]_+ - [-x]_+``."""
    above, below = sympy.Symbol("x", positive=True), sympy.Symbol("x", negative=True)
    responses = [above, sympy.Integer(0), below]
    lost = [x for x in responses if rectified(x) - rectified(-x) != x]
    if lost:
        return refuted(f"[x]_+ - [-x]_+ is not x for {len(lost)} of the 3 signs of x")
    return proved("[x]_+ - [-x]_+ = x for x above, at and below 0, in symbols")


def printed_number(size: sympy.Expr, length: sympy.Expr, stride: sympy.Expr) -> sympy.Expr:
    """``n = (D - l) / s + 1``, as section 2.2 prints it."""
    return (size - length) / stride + 1


def number_of_shifts() -> Judgement:
    """Section 2.2: if s divides D - l, a filter of length l has ``(D - l) / s + 1`` shifts.

    The last of them, number n, ends with the input, ``(n - 1) s + l = D``; one more would not fit.
    """
    size, length, stride = sympy.symbols("D l s", positive=True)
    n = printed_number(size, length, stride)
    beyond = sympy.simplify((n - 1) * stride + length - size)
    if beyond != 0:
        return refuted(f"the last shift ends {beyond} beyond the input")
    return proved("the last shift ends where the input does, (n - 1) s + l = D, and s > 0")


def shift_matrix(filters: Tensor, size: int, stride: int) -> list[list[Fraction]]:
    """``W^T`` as section 2.2 defines it: ``w_i^j[(j - 1) s + k] = w_i[k]``, and 0 elsewhere.

    Args:
        filters: One filter per row, ``(K, l)``.
        size: Length of the input, D.
        stride: Stride s, which divides D - l.

    Example:
        >>> rows = shift_matrix(torch.tensor([[1.0, 2.0]]), size=4, stride=2)
        >>> [[int(entry) for entry in row] for row in rows]
        [[1, 2, 0, 0], [0, 0, 1, 2]]
    """
    length = filters.shape[1]
    rows = []
    for weights in filters.tolist():
        for start in range(0, size - length + 1, stride):
            row = [Fraction(0)] * size
            row[start : start + length] = map(Fraction, weights)
            rows.append(row)
    return rows


def g_of(responses: list[Fraction], filters: int) -> list[Fraction]:
    """``g = pool o CReLU`` of ``W^T x``: the maximum of either phase in each of the K blocks.

    Example:
        >>> [int(value) for value in g_of([Fraction(v) for v in (3, -1, -2, -5)], filters=2)]
        [3, 0, 1, 5]
    """
    n = len(responses) // filters
    blocks = [responses[start : start + n] for start in range(0, len(responses), n)]
    return [max(*block, Fraction(0)) for block in (*blocks, *([-v for v in b] for b in blocks))]


def layer_as_matrix() -> Judgement:
    """Section 2.2: convolution, CReLU and max-pooling are ``g(W^T x)``, of 2 K numbers."""
    random = generator("crelu", "layer as a matrix")
    same = 0
    for _ in range(LAYERS):
        filters, length, stride, n = (int(v) for v in torch.randint(1, 6, (4,), generator=random))
        size = length + (n - 1) * stride
        x, weights = (_whole(shape, random) for shape in ((size,), (filters, length)))
        matrix = shift_matrix(weights, size, stride)
        signal = [Fraction(value) for value in x.tolist()]
        product = [sum(a * b for a, b in zip(row, signal, strict=True)) for row in matrix]
        printed = g_of([Fraction(value) for value in product], filters)
        responses = functional.conv1d(x[None, None], weights[:, None], stride=stride)
        layer = functional.max_pool1d(CReLU()(responses), n).flatten()
        same += layer.tolist() == printed and len(printed) == 2 * filters
    regions = sum(_is_product(kernel, stride) for kernel, stride in REGIONS)
    cases = LAYERS + len(REGIONS)
    return sampled(
        same + regions == cases,
        f"whole numbers: of {LAYERS} layers with 1 to 5 filters {same} give the 2 K numbers of "
        f"g(W^T x), and of {len(REGIONS)} layers in two dimensions as in Figure 3 {regions}",
        cases=cases,
    )


def _is_product(kernel: int, stride: int) -> bool:
    """Whether a layer of Figure 3's kind gives the 2 K numbers of its own matrix."""
    made = example(kernel, stride)
    product = [Fraction(value) for value in (made.matrix @ made.x.flatten()).tolist()]
    found = made.features.flatten().tolist()
    return found == g_of(product, FILTERS) and len(found) == 2 * FILTERS


def _whole(shape: tuple[int, ...], random: torch.Generator) -> Tensor:
    return torch.randint(-LARGEST, LARGEST + 1, shape, generator=random).double()
