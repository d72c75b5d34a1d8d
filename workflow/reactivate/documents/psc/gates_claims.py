"""Static PSC: statements on its delimiter and on the SVD alternative, recomputed."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import torch
from torch import Tensor, nn

from reactivate.activations.gate import PhaseGate, collapse, gate_of, gates
from reactivate.activations.low_rank import LowRankPhaseConv
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.models.flops import count_parameters

OUTPUTS = 4  # M of the enumeration


def printed_gates(delimiter: Tensor) -> Tensor:
    """Gates ``g_i = sum_{j < i} s_j``, as printed, ``(M)``.

    Example:
        >>> printed_gates(torch.tensor([0.0, 1.0, 0.0, 0.0]))
        tensor([0., 0., 1.])
    """
    return torch.cat([delimiter.new_zeros(1), delimiter[:-2].cumsum(dim=0)])


def splits(rule: Callable[[Tensor], Tensor], outputs: int, codes: int) -> list[tuple[int, ...]]:
    """Gates of every one-hot delimiter of ``outputs + 1`` entries whose one is among the first."""
    return [tuple(rule(one_hot).int().tolist()) for one_hot in torch.eye(outputs + 1)[:codes]]


def every_split() -> Judgement:
    """The printed gate sum reaches all M + 1 splits."""
    reached = splits(printed_gates, OUTPUTS, OUTPUTS + 1)
    corrected = splits(gates, OUTPUTS, OUTPUTS + 1)
    twice = [code for code in set(reached) if reached.count(code) > 1]
    return judge(
        len(set(reached)) == OUTPUTS + 1,
        f"M = {OUTPUTS}: j < i reaches {len(set(reached))} of {OUTPUTS + 1} splits, "
        f"{(1,) * OUTPUTS} never and {', '.join(map(str, twice))} twice; "
        f"j <= i reaches {len(set(corrected))}",
    )


def delimiter_size() -> Judgement:
    """Footnote 7: the delimiter needs M + 1 entries (with the gate sum that works)."""
    fewer, enough = (len(set(splits(gates, OUTPUTS, OUTPUTS + more))) for more in (0, 1))
    return judge(
        fewer < enough == OUTPUTS + 1,
        f"M = {OUTPUTS}, sum over j <= i: {OUTPUTS} codes give {fewer} splits, "
        f"{OUTPUTS + 1} give all {enough}",
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
    return judge(
        counts == {plain},
        f"N = {inputs}, M = {outputs}: all {outputs + 1} splits collapse to "
        f"{', '.join(map(str, sorted(counts)))} weights; the positive branch alone has {plain}",
    )


def decomposition_shapes() -> Judgement:
    """The shapes printed under ``U Sigma V*`` fit together."""
    outputs, inputs = 6, 4
    fits = _multiplies((outputs, inputs), (outputs, outputs), (inputs, inputs))
    true = [tuple(f.shape) for f in torch.linalg.svd(torch.ones(outputs, inputs))]
    return judge(
        fits,
        f"M = {outputs}, N = {inputs}: U {outputs}x{inputs}, Sigma {outputs}x{outputs} and V* "
        f"{inputs}x{inputs} do not multiply; the SVD has U {true[0][0]}x{true[0][1]}, "
        f"Sigma {outputs}x{inputs}, V* {true[2][0]}x{true[2][1]}",
    )


def _multiplies(*shapes: tuple[int, int]) -> bool:
    return all(a[1] == b[0] for a, b in pairwise(shapes))


def balanced_parameters() -> Judgement:
    """Two factorised weights of rank NM / (2(N + M)) have NM numbers."""
    sizes = []
    for n, m in ((64, 64), (96, 288), (48, 144), (512, 512)):
        rank = Fraction(n * m, 2 * (n + m))
        with torch.device("meta"):
            layer = LowRankPhaseConv(2 * n, m, kernel_size=1, bias=False)
        sizes.append((n, m, rank, 2 * rank * (n + m) == n * m == count_parameters(layer)))
    shown = ", ".join(f"{n}x{m}: r = {rank}" for n, m, rank, _ in sizes)
    return judge(all(ok for *_, ok in sizes), f"2 r (N + M) = NM for {shown}")


def degrees_of_freedom(n: int, m: int, positives: int) -> int:
    """Summed rank of the gated branches of a random layer with N inputs and M outputs.

    Example:
        >>> degrees_of_freedom(n=3, m=6, positives=3)
        6
    """
    weight = torch.randn(m, n, generator=generator("psc", n, m), dtype=torch.float64)
    branches = (weight[:positives], weight[positives:])
    return sum(int(torch.linalg.matrix_rank(b)) for b in branches if len(b))


def gating_freedom() -> Judgement:
    """The gating approach's degrees of freedom are printed as min(N, M)."""
    n, m = 3, 6
    wide = {degrees_of_freedom(n, m, positives) for positives in range(m + 1)}
    narrow = {degrees_of_freedom(m, n, positives) for positives in range(n + 1)}
    return judge(
        wide == narrow == {min(n, m)},
        f"N = {n}, M = {m}: between {min(wide)} and {max(wide)} depending on the split, not "
        f"{min(n, m)}; N = {m}, M = {n}: always {min(narrow)}, as printed",
    )


def svd_freedom() -> Judgement:
    """NM / (N + M) is strictly less than what gating has, whatever the split."""
    sizes = [(n, m) for n in range(1, 9) for m in range(1, 9)]
    least = {
        (n, m): min(degrees_of_freedom(n, m, positives) for positives in range(m + 1))
        for n, m in sizes
    }
    holds = all(Fraction(n * m, n + m) < dof for (n, m), dof in least.items())
    return judge(holds, f"for all {len(sizes)} pairs N, M <= 8 and all splits")
