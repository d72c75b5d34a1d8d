"""Static PSC: statements on its delimiter and on the SVD alternative, recomputed."""

import sympy
import torch
from torch import nn

from reactivate.activations.gate import PhaseGate, collapse, gate_of, gates
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import proved, refuted, sampled
from reactivate.judging.judgement import Judgement
from reactivate.models.flops import count_parameters

SIZES = range(1, 9)  # M of the enumeration
N, M = sympy.symbols("N M", positive=True)
PRINTED_RANK = N * M / (2 * (N + M))


def splits(outputs: int, codes: int) -> list[tuple[int, ...]]:
    """Gates of every one-hot delimiter of ``outputs + 1`` entries whose one is among the first.

    Example:
        >>> splits(outputs=2, codes=3)
        [(1, 1), (0, 1), (0, 0)]
    """
    return [tuple(gates(one_hot).int().tolist()) for one_hot in torch.eye(outputs + 1)[:codes]]


def every_split() -> Judgement:
    """The place of the one delimits the branches, and takes M + 1 entries (sum over j <= i)."""
    fewer, enough = ({m: len(set(splits(m, m + more))) for m in SIZES} for more in (0, 1))
    return sampled(
        all(fewer[m] < enough[m] == m + 1 for m in SIZES),
        "with the sum over j <= i, which footnote 7 needs, M places of the one give "
        f"{', '.join(map(str, fewer.values()))} splits for M = {SIZES[0]} to {SIZES[-1]}, and "
        f"M + 1 places give {', '.join(map(str, enough.values()))}: all that there are",
        cases=sum(m + 1 for m in SIZES),
    )


def collapsed_size() -> Judgement:
    """A trained gate leaves as many parameters as the positive branch alone."""
    inputs, outputs = 16, 12
    plain = inputs * outputs
    counts = set()
    for place in range(outputs + 1):
        layer = PhaseGate.attach(nn.Linear(2 * inputs, outputs, bias=False))
        with torch.no_grad():
            gate_of(layer).logits[place] = 1.0
        counts.add(count_parameters(collapse(layer)))
    return sampled(
        counts == {plain},
        f"N = {inputs}, M = {outputs}: all {outputs + 1} splits collapse to "
        f"{', '.join(map(str, sorted(counts)))} weights; the positive branch alone has {plain}",
        cases=outputs + 1,
    )


def balanced_parameters() -> Judgement:
    """Two factorised weights of rank NM / (2(N + M)) have NM numbers."""
    total = sympy.simplify(2 * (M * PRINTED_RANK + PRINTED_RANK * N))
    said = f"two pairs of factors, M x r and r x N, have 2 r (N + M) = {total} numbers"
    return proved(said) if total == N * M else refuted(said)


def svd_freedom() -> Judgement:
    """``2r = NM / (N + M)`` is strictly less than ``min{N, M}``."""
    gaps = [sympy.simplify(side - 2 * PRINTED_RANK) for side in (N, M)]
    said = f"N - 2r = {gaps[0]} and M - 2r = {gaps[1]}"
    if not all(gap.is_positive for gap in gaps):
        return refuted(said)
    return proved(f"{said}, both above 0: 2r is below the smaller of N and M")


def degrees_of_freedom(n: int, m: int, positives: int) -> int:
    """Summed rank of the gated branches of a random layer with N inputs and M outputs.

    Example:
        >>> degrees_of_freedom(n=3, m=6, positives=3)
        6
    """
    weight = torch.randn(m, n, generator=generator("psc", n, m), dtype=torch.float64)
    branches = (weight[:positives], weight[positives:])
    return sum(int(torch.linalg.matrix_rank(b)) for b in branches if len(b))


def gating_freedom() -> str:
    """Ranks of the gated branches, summed, beside the printed ``min{N, M}``."""
    n, m = 3, 6
    wide = {degrees_of_freedom(n, m, positives) for positives in range(m + 1)}
    narrow = {degrees_of_freedom(m, n, positives) for positives in range(n + 1)}
    return (
        f"Summed over both branches, the rank is at most {max(narrow)} for N = {m} and M = {n}, "
        f"and at most {max(wide)} for N = {n} and M = {m}, by the split; the collapsed M x N "
        f"weight has rank min{{N, M}} = {min(n, m)} in both, as printed."
    )
