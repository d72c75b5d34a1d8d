"""Thesis, section 5.1.2: what a segment crosses, and similarity (Lemma 10, Theorem 3, Eq. 5.6)."""

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.examples import VALLEY
from reactivate.documents.thesis.generic import nudged
from reactivate.documents.thesis.segments import pieces
from reactivate.documents.thesis.small_networks import codes, column, normal, random_dense
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import not_run, proved, sampled
from reactivate.judging.judgement import Judgement
from reactivate.patterns.crossings import SegmentWalk, count_transitions
from reactivate.patterns.similarity import agreements

ACROSS = (-2.0, 2.0)  # ends of a segment through VALLEY
FEWER, MORE = (-0.5, 2.0), (-2.0, 2.0)  # centres of X_1 and X_2 of Theorem 3
DEVIATION = 0.05  # of the normal clouds around them
WIDE = 30.0  # beyond this VALLEY has no kinks
DEPTHS = (1, 2, 4)
SEGMENTS = 5  # of each depth
NETWORKS = 20


def measured(network: nn.Sequential, x: Tensor, y: Tensor) -> tuple[int, int, int]:
    """Transitions between two points, neurons with a common pattern, and all neurons.

    Example:
        >>> measured(VALLEY, column(-2.0), column(2.0))
        (3, 2, 3)
    """
    a, b = codes(network, x), codes(network, y)
    transitions = count_transitions(network, x, y).regions.item()
    return int(transitions), int(agreements(a, b).item()), a.shape[1]


def lemma10() -> Judgement:
    """Lemma 10: a line meets each hyperplane {x: W_z x + b_z = gamma_z} at most once.

    As printed W_z acts on the input, so that the set is flat, as it is for the first layer.
    """
    stream = generator("thesis", "lemma 10, first layer")
    again = crossed = 0
    for _ in range(NETWORKS):
        network = random_dense((8, 32, 1), stream)
        crossings = SegmentWalk(network).crossings(*normal((2, 8), stream))
        again, crossed = again + crossings.repeated, crossed + crossings.flips
    bent = SegmentWalk(VALLEY).crossings(*column(*ACROSS))
    places = (ACROSS[0] + (ACROSS[1] - ACROSS[0]) * bent.t[bent.layer == 1]).tolist()
    return sampled(
        again == 0,
        f"as printed, with W_z on the input x, W_z x is affine along a line: of {crossed} "
        f"hyperplanes that {NETWORKS} segments cross {again} are crossed again; with W_z on the "
        "inputs of a deeper neuron, as in the proof of Theorem 3, the set is bent: |x| - 1 is 0 "
        f"at {' and '.join(f'{place:g}' for place in places)}",
        cases=crossed,
    )


def equation5_6() -> Judgement:
    """Proof of Theorem 3: almost surely two adjacent regions differ in one neuron."""
    stream = generator("thesis", "equation 5.6")
    changes = []
    for depth in DEPTHS:
        for _ in range(SEGMENTS):
            network = random_dense((8, *(16,) * depth, 1), stream)
            x, y = normal((2, 8), stream)
            inner = SegmentWalk(network).crossings(x, y).t
            places = torch.cat([inner.new_zeros(1), inner, inner.new_ones(1)])
            middles = torch.lerp(x, y, ((places[1:] + places[:-1]) / 2).unsqueeze(1))
            patterns = codes(network, middles)
            changes += (patterns[1:] != patterns[:-1]).sum(dim=1).tolist()
    single = changes.count(1)
    return sampled(
        single == len(changes),
        f"{single} of {len(changes)} pairs of adjacent regions differ in one neuron, in random "
        f"ReLU networks with {', '.join(map(str, DEPTHS))} hidden layers of 16",
        cases=len(changes),
    )


def equation5_6_not_always() -> Judgement:
    """Section 5.1.2.1: Eq. 5.6 does not always hold; one example proves it."""
    transitions, common, neurons = measured(VALLEY, *column(*ACROSS).unsqueeze(1))
    reason = (
        f"neurons x, x + 10 and |x| - 1 from {ACROSS[0]:g} to {ACROSS[1]:g}: {transitions} "
        f"transitions and {common} common patterns of {neurons} neurons"
    )
    if transitions + common == neurons:
        return not_run("compute", f"no example was found: {reason}")
    return proved(reason)


def expected(network: nn.Sequential, centres: tuple[float, ...]) -> tuple[float, float]:
    """Mean transitions and similarity of two draws from normal clouds around some centres.

    With one input the regions are intervals, of which two are as many transitions apart as
    there are kinks between them.
    """
    parts = pieces(network, -WIDE, WIDE)
    ends = torch.tensor([-torch.inf, *(end for _, end, _ in parts[:-1]), torch.inf]).double()
    clouds = [torch.special.ndtr((ends - centre) / DEVIATION) for centre in centres]
    chance = torch.stack(clouds).mean(dim=0).diff()
    patterns = torch.stack([pattern for _, _, pattern in parts])
    alike = (patterns.unsqueeze(0) == patterns.unsqueeze(1)).double().mean(dim=2)
    place = torch.arange(len(parts))
    apart = (place.unsqueeze(0) - place.unsqueeze(1)).abs().double()
    return (chance @ apart @ chance).item(), (chance @ alike @ chance).item()


def theorem3() -> Judgement:
    """Theorem 3: almost surely, fewer transitions on average are the same as more similarity."""
    stream = generator("thesis", "theorem 3")
    broken = 0
    for network in (VALLEY, *(nudged(VALLEY, stream) for _ in range(NETWORKS - 1))):
        (few, similar), (many, other) = expected(network, FEWER), expected(network, MORE)
        broken += (few <= many) != (similar >= other)
    (few, similar), (many, other) = expected(VALLEY, FEWER), expected(VALLEY, MORE)
    return sampled(
        broken == 0,
        "neurons x, x + 10 and |x| - 1, two draws from normal clouds of deviation "
        f"{DEVIATION:g} around {FEWER}: transitions {few:.2f} and similarity {similar:.2f} on "
        f"average; around {MORE}: {many:.2f} and {other:.2f}; not equivalent for {broken} of "
        f"{NETWORKS} networks with weights near these, so not on a null set",
        cases=NETWORKS,
    )
