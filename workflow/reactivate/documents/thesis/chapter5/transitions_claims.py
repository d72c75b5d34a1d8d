"""Thesis, section 5.1.2: what a segment crosses, and similarity (Lemma 10, Theorem 3, Eq. 5.6)."""

from fractions import Fraction
from itertools import product

from torch import Tensor, nn

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.examples import VALLEY
from reactivate.documents.thesis.small_networks import codes, column, dense, normal, random_dense
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.breakpoints import encode
from reactivate.patterns.crossings import SegmentWalk, count_transitions
from reactivate.patterns.similarity import agreements

ACROSS = (-2.0, 2.0)  # ends of a segment through VALLEY
FEWER, MORE = (-0.5, 2.0), (-2.0, 2.0)  # X_1 and X_2 of Theorem 3, two inputs of VALLEY each
DEPTHS = (1, 2, 4, 9)
SEGMENTS = 25  # of each depth
NETWORKS = 20
STAIRS = dense(([[1.0], [1.0]], [0.0, -1.0]), ([[1.0, 1.0]], [0.0]))  # neurons x and x - 1
SHORT, LONG = (-1.0, 0.5), (-1.0, 2.0)  # the second crosses the regions of the first, and more
FROM, TO_FLOAT, TO_FIXED = 3.0, -1.0, 7.0  # two lines of one length through STAIRS


def segment(ends: tuple[float, float]) -> tuple[Tensor, Tensor]:
    """Both ends of a segment of a one-dimensional input space, ``(1, 1)`` each."""
    return column(ends[0]), column(ends[1])


def measured(network: nn.Sequential, x: Tensor, y: Tensor) -> tuple[int, int, int]:
    """Transitions between two points, neurons with a common pattern, and all neurons.

    Example:
        >>> measured(VALLEY, *segment(ACROSS))
        (3, 2, 3)
    """
    a, b = codes(network, x), codes(network, y)
    transitions = count_transitions(network, x, y).regions.item()
    return int(transitions), int(agreements(a, b).item()), a.shape[1]


def lemma10() -> Judgement:
    """Lemma 10: a straight line crosses the hyperplane of each neuron at most once."""
    crossings = SegmentWalk(VALLEY).crossings(*column(*ACROSS))
    places = (ACROSS[0] + (ACROSS[1] - ACROSS[0]) * crossings.t[crossings.layer == 1]).tolist()
    stream = generator("thesis", "lemma 10")
    again = 0
    for _ in range(NETWORKS):
        network = random_dense((8, 16, 16, 1), stream)
        again += SegmentWalk(network).crossings(*normal((2, 8), stream)).repeated > 0
    return judge(
        crossings.repeated == 0,
        "ReLU network with the neurons x, x + 10 and, above them, |x| - 1: the segment from "
        f"{ACROSS[0]:g} to {ACROSS[1]:g} crosses the hyperplane of |x| - 1 at "
        f"{' and '.join(f'{place:g}' for place in places)}; {again} of {NETWORKS} segments "
        "in random networks of 2 x 16 neurons cross some hyperplane again",
    )


def lemma10_first_layer() -> Judgement:
    """Lemma 10 for neurons of the first layer, whose hyperplanes are flat."""
    stream = generator("thesis", "lemma 10, first layer")
    again = crossed = 0
    for _ in range(NETWORKS):
        network = random_dense((8, 32, 1), stream)
        crossings = SegmentWalk(network).crossings(*normal((2, 8), stream))
        again, crossed = again + crossings.repeated, crossed + crossings.flips
    return judge(
        again == 0,
        f"{NETWORKS} segments in random networks with 32 neurons: {crossed} hyperplanes crossed, "
        f"{again} of them twice",
    )


def equation5_6() -> Judgement:
    """Proof of Theorem 3: transitions and common patterns add up to the neurons, almost surely."""
    stream = generator("thesis", "equation 5.6")
    shares = []
    for depth in DEPTHS:
        equal = 0
        for _ in range(SEGMENTS):
            network = random_dense((8, *(16,) * depth, 1), stream)
            transitions, common, neurons = measured(network, *normal((2, 1, 8), stream))
            equal += transitions + common == neurons
        shares.append(equal / SEGMENTS)
    low, high = encode(column(*ACROSS), (-1.0, 1.0)).flatten().tolist()
    return judge(
        all(share == 1 for share in shares),
        f"equal for {', '.join(f'{share:.0%}' for share in shares)} of {SEGMENTS} segments in "
        f"random ReLU networks with {', '.join(map(str, DEPTHS))} hidden layers of 16; and one "
        f"neuron with breakpoints -1, 1 that goes from pattern {low} to {high} has "
        f"{high - low} transitions and nothing in common, but is 1 neuron",
    )


def equation5_6_not_always() -> Judgement:
    """Section 5.1.2.1: Eq. 5.6 does not always hold."""
    transitions, common, neurons = measured(VALLEY, *segment(ACROSS))
    return judge(
        transitions + common != neurons,
        f"neurons x, x + 10 and |x| - 1 from {ACROSS[0]:g} to {ACROSS[1]:g}: {transitions} "
        f"transitions and {common} common patterns of {neurons} neurons",
    )


def expected(points: tuple[float, float]) -> tuple[Fraction, Fraction]:
    """Mean transitions and similarity of two independent draws from a set of two inputs.

    Example:
        >>> expected(MORE)
        (Fraction(3, 2), Fraction(5, 6))
    """
    pairs = [measured(VALLEY, *segment((a, b))) for a, b in product(points, repeat=2)]
    return (
        Fraction(sum(transitions for transitions, _, _ in pairs), len(pairs)),
        Fraction(sum(common for _, common, _ in pairs), len(pairs) * pairs[0][2]),
    )


def theorem3() -> Judgement:
    """Theorem 3: fewer transitions on average are the same as a higher similarity."""
    (few, similar), (many, other) = expected(FEWER), expected(MORE)
    return judge(
        (few <= many) == (similar >= other),
        f"neurons x, x + 10 and |x| - 1, two draws from the inputs {FEWER}: transitions {few} and "
        f"similarity {similar} on average; from {MORE}: {many} and {other}, more of both",
    )


def theorem3_last_line() -> Judgement:
    """End of the proof of Theorem 3: the segment in fewer regions has the lower similarity."""
    (few, common, neurons), (many, other, _) = (
        measured(STAIRS, *segment(ends)) for ends in (SHORT, LONG)
    )
    return judge(
        common <= other,
        f"neurons x and x - 1: the segment {SHORT} has {few} transition and the similarity "
        f"{Fraction(common, neurons)}, {LONG}, through one region more, {many} and "
        f"{Fraction(other, neurons)}; the inequality is reversed, Eq. 5.9 has it right",
    )


def more_float_neurons() -> Judgement:
    """Section 5.1.3: if line 2 fixes what line 1 fixes and more, it has more float neurons."""
    lines = [measured(STAIRS, *segment((FROM, end))) for end in (TO_FLOAT, TO_FIXED)]
    floats = [neurons - common for _, common, neurons in lines]  # one layer: no neuron comes back
    return judge(
        floats[1] > floats[0],
        f"neurons x and x - 1: line 1 from {FROM:g} to {TO_FLOAT:g} fixes neither, line 2 to "
        f"{TO_FIXED:g} both; float neurons {floats[0]} and {floats[1]}, transitions "
        f"{lines[0][0]} and {lines[1][0]}: more in line 1",
    )
