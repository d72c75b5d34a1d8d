"""Thesis, sections 5.3.1 and 5.3.2: what entropy implies (Theorems 5, 6 and 7)."""

from itertools import combinations
from math import pi
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from reactivate.documents.thesis.chapter5.entropy_claims import two_patterns
from reactivate.documents.thesis.generic import nearby
from reactivate.documents.thesis.planar_regions import rectangle, regions
from reactivate.documents.thesis.small_networks import dense, normal
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement
from reactivate.patterns.entropy import entropy_of

# Theorem 5: networks that learn to tell three normal clouds in the plane apart
TRAINED, HIDDEN, CLASSES = 24, 16, 3
STEPS, BATCH, RATE = 1000, 64, 0.1
DRAWS = 20_000  # pairs of inputs
APART = 0.05  # entropies that differ by less are not compared
ERRORS = 5  # standard errors by which distances must differ
# Theorem 6: three lines through data that are uniform on a square, almost parallel near its
# centre, or across each other
SUM = ([[1.0, 1.0, 1.0]], [0.0])
STRIPS = dense(([[1.0, 0.01], [1.0, -0.01], [1.0, 0.02]], [-0.05, 0.0, 0.05]), SUM)
CROSSES = dense(([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [0.5, 0.5, 0.3]), SUM)
SQUARE, PLANE = rectangle(-1.0, 1.0), rectangle(-1e5, 1e5)
PAIRS = 5
# Theorem 7: probabilities with which the neurons of a network are on; higher entropy first
AS_PRINTED = (0.5, 0.4), (0.1, 0.2)
AS_MEANT = (0.13, 0.13), (0.5, 0.0001)  # of the latter half is as good as dead
NEURONS, RANDOM = 16, 40


class Metrics(NamedTuple):
    """What Theorem 5 compares, of networks that were trained alike, ``(networks)`` each."""

    entropy: Tensor  # summed over neurons
    distance: Tensor  # mean of |f(x) - f(x')|
    error: Tensor  # standard error of the mean
    accuracy: Tensor


def labelled(shape: tuple[int, ...], stream: torch.Generator) -> tuple[Tensor, Tensor]:
    """Points of normal clouds around the corners of a triangle, and which corner it is."""
    labels = torch.randint(CLASSES, shape, generator=stream)
    angle = 2 * pi * labels.double() / CLASSES
    corners = 1.6 * torch.stack([angle.cos(), angle.sin()], dim=-1)
    return corners + normal(corners.shape, stream), labels


def trained() -> Metrics:
    """Networks of one architecture, trained by one algorithm on one distribution of data."""
    stream = generator("thesis", "theorem 5")
    weights = [
        normal((TRAINED, 2, HIDDEN), stream),
        torch.zeros(TRAINED, 1, HIDDEN, dtype=torch.float64),
        normal((TRAINED, HIDDEN, CLASSES), stream) * (2 / HIDDEN) ** 0.5,
        torch.zeros(TRAINED, 1, CLASSES, dtype=torch.float64),
    ]

    def outputs(x: Tensor) -> tuple[Tensor, Tensor]:
        z = torch.baddbmm(weights[1], x, weights[0])
        return z, torch.baddbmm(weights[3], z.relu(), weights[2])

    for weight in weights:
        weight.requires_grad_()
    for _ in range(STEPS):
        x, labels = labelled((TRAINED, BATCH), stream)
        loss = cross_entropy(outputs(x)[1].flatten(0, 1), labels.flatten()) * TRAINED
        for weight, slope in zip(weights, torch.autograd.grad(loss, weights), strict=True):
            weight.data -= RATE * slope
    with torch.no_grad():
        x, labels = labelled((DRAWS,), stream)
        (z, one), (_, other) = outputs(_all(x)), outputs(_all(labelled((DRAWS,), stream)[0]))
        on = (z > 0).double().mean(dim=1)
        apart = (one - other).norm(dim=2)
        return Metrics(
            entropy_of(torch.stack([on, 1 - on])).sum(dim=1),
            apart.mean(dim=1),
            apart.std(dim=1) / DRAWS**0.5,
            (one.argmax(dim=2) == labels).double().mean(dim=1),
        )


def _all(x: Tensor) -> Tensor:
    """The same points for every network."""
    return x.expand(TRAINED, *x.shape)


def compared(found: Metrics) -> tuple[int, int, float]:
    """Pairs of networks with different entropies, those against the theorem, and their mean gap.

    The gap is the distance of the network with the lower entropy minus that of the other; a pair
    is against the theorem if it is positive by five standard errors.
    """
    lower, higher = (found.entropy.unsqueeze(1) < found.entropy - APART).nonzero().T
    gaps = found.distance[lower] - found.distance[higher]
    errors = torch.hypot(found.error[lower], found.error[higher])
    return len(gaps), int((gaps > ERRORS * errors).sum()), gaps.mean().item()


def theorem5() -> str:
    """Theorem 5, with the distance that its proof speaks of: lower entropy, closer predictions."""
    found = trained()
    pairs, against, mean = compared(found)
    least = found.accuracy.min().item()
    return (
        f"Of {TRAINED} ReLU networks 2-{HIDDEN}-{CLASSES} trained alike on three normal clouds, "
        f"to an accuracy of {least:.0%} or more, {against} of {pairs} pairs whose "
        f"entropies differ by more than {APART:g} have the opposite order by more than {ERRORS} "
        f"standard errors; in the mean of all pairs the lower entropy has {mean:+.2f} of distance."
    )


class OnSquare(NamedTuple):
    """What Theorem 6 and the sentence after it compare, of one network on uniform data."""

    entropy: float  # summed over neurons
    regions: int
    shared: float  # probability that two inputs have the same pattern


def on_square(network: nn.Sequential) -> OnSquare:
    """Entropy, regions and shared patterns for inputs that are uniform on a square.

    The share of a region is that of its area, exact to rounding.

    Example:
        >>> halves = dense(([[1.0, 0.0]], [0.0]), ([[1.0]], [0.0]))
        >>> [round(value, 4) for value in on_square(halves)]
        [0.6931, 2, 0.5]
    """
    parts = regions(network, SQUARE)
    areas = torch.tensor([part.area for part in parts], dtype=torch.float64)
    shares = areas / areas.sum()
    on = shares @ torch.tensor([part.pattern for part in parts], dtype=torch.float64)
    entropy = sum(two_patterns(p) for p in on.tolist())
    return OnSquare(entropy, len(parts), (shares**2).sum().item())


def theorem6() -> Judgement:
    """Theorem 6: higher summed entropy, more linear regions on the support of the data.

    And the sentence after it, from which it is drawn: higher entropy, a lower probability that
    two inputs share a pattern.
    """
    stream = generator("thesis", "theorem 6")
    networks = (nearby(network, PAIRS, stream) for network in (STRIPS, CROSSES))
    found = [(on_square(one), on_square(other)) for one, other in zip(*networks, strict=True)]
    higher = [(a, b) if a.entropy > b.entropy else (b, a) for a, b in found]
    fewer = sum(a.regions < b.regions for a, b in higher)
    oftener = sum(a.shared > b.shared for a, b in higher)
    (most, few, often), (least, many, seldom) = higher[0]
    everywhere = [len(regions(network, PLANE)) for network in (STRIPS, CROSSES)]
    return sampled(
        fewer == oftener == 0,
        f"x uniform on [-1, 1]^2, three neurons: with almost parallel lines near the centre the "
        f"summed entropy is {most:.3f}, with {few} linear regions on the square, and a pattern is "
        f"shared with probability {often:.3f}; with lines across each other {least:.3f}, {many} "
        f"and {seldom:.3f}. The higher entropy has fewer regions in {fewer} and shares more often "
        f"in {oftener} of {PAIRS} pairs of networks with weights near these; in the whole plane, "
        f"the support of normal data, they have {everywhere[0]} and {everywhere[1]}",
        cases=PAIRS,
    )


def of_neurons(on: tuple[float, ...]) -> tuple[float, float]:
    """Mean entropy and similarity of ReLU neurons that are on with these probabilities.

    A neuron x_j + b_j of standard normal inputs is on with any probability between 0 and 1.

    Example:
        >>> [round(value, 3) for value in of_neurons((0.5,))]
        [0.693, 0.5]
    """
    mean = sum(two_patterns(p) for p in on) / len(on)
    return mean, sum(p**2 + (1 - p) ** 2 for p in on) / len(on)


def reversed_share() -> float:
    """Share of pairs of random networks where higher entropy goes with lower similarity."""
    stream = generator("thesis", "theorem 7")
    on = torch.special.ndtr(normal((RANDOM, NEURONS), stream))
    pairs = list(combinations([of_neurons(tuple(row)) for row in on.tolist()], 2))
    return sum((a[0] > b[0]) == (a[1] < b[1]) for a, b in pairs) / len(pairs)


def theorem7() -> Judgement:
    """Theorem 7: higher mean entropy, higher similarity; or lower, as the words before it have."""
    (more, low), (less, high) = map(of_neurons, AS_PRINTED)
    (even, alike), (uneven, other) = map(of_neurons, AS_MEANT)
    as_printed, as_meant = more > less and low < high, even > uneven and alike > other
    return sampled(
        not (as_printed and as_meant),
        "the printed sign is a slip, as lines 2402 and 2471 show, and is not held against the "
        f"theorem ({AS_PRINTED[0]} and {AS_PRINTED[1]}, the probabilities with which two neurons "
        f"are on, have entropy {more:.3f} > {less:.3f} and similarity {low:.2f} < {high:.2f}). "
        f"The sign that is meant is right for {reversed_share():.0%} of pairs of random networks, "
        f"but not for all: with neurons that are on with probability {AS_MEANT[0]} entropy is "
        f"{even:.3f}, with a half that is as good as dead, {AS_MEANT[1]}, {uneven:.3f}, and "
        f"similarity is {alike:.3f} > {other:.3f}",
        cases=2,
    )
