"""Thesis, sections 5.3.1 and 5.3.2: what entropy implies (Theorems 5, 6 and 7)."""

from fractions import Fraction
from itertools import combinations

from torch import Tensor, nn

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.chapter5.entropy_claims import two_patterns
from reactivate.documents.thesis.planar_regions import Region, rectangle, regions
from reactivate.documents.thesis.small_networks import codes, dense, normal, random_dense, shown
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.entropy import PatternCounts
from reactivate.patterns.similarity import expectation

NETWORKS = 30
SIZES = (4, 16, 1)
CLASSES = 10
# One neuron relu(x - c) times an output weight, x uniform on [0, 1]: (c, weight).
RARE_BUT_LARGE, OFTEN_BUT_SMALL = (Fraction(9, 10), Fraction(20)), (Fraction(1, 2), Fraction(1))
# Three lines through the unit square, on which x is uniform: side by side, or across each other.
SUM = [[1.0, 1.0, 1.0]], [0.0]
STRIPS = dense(([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], [-0.48, -0.5, -0.52]), SUM)
CROSSES = dense(([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [-0.3, -0.3, -0.8]), SUM)
# Probabilities with which the neurons of a network are on: higher entropy first.
HIGHER, LOWER = (0.5,), (0.1,)
EVENLY, UNEVENLY = (0.115, 0.115), (0.5, 0.0)


def mean_distance(corner: Fraction, weight: Fraction) -> Fraction:
    """``E |f(x) - f(x')|`` of ``f = weight * relu(x - corner)``, x uniform on [0, 1].

    With s = 1 - corner: both beyond the corner, s^2 times s/3; one of them, 2 s (1 - s) times s/2.

    Example:
        >>> mean_distance(Fraction(0), Fraction(1))
        Fraction(1, 3)
    """
    s = 1 - corner
    return abs(weight) * (s**3 / 3 + s**2 * (1 - s))


def theorem5() -> Judgement:
    """Theorem 5 as printed: expectations of ``f(x) - f(x')`` for two independent inputs."""
    stream = generator("thesis", "theorem 5")
    x = normal((200, SIZES[0]), stream)
    means = []
    for _ in range(NETWORKS):
        output = random_dense(SIZES, stream)(x)
        means.append((output.unsqueeze(0) - output.unsqueeze(1)).mean().abs().item())
    return judge(
        max(means) < 1e-12,
        f"both sides are 0 for every network ({shown(max(means))} in {NETWORKS} random ones, over "
        "all pairs of 200 inputs), so the inequality holds and says nothing: a norm is missing",
    )


def theorem5_distance() -> Judgement:
    """Theorem 5 as its proof means it: lower entropy, closer predictions."""
    low, high = (
        (two_patterns(float(1 - corner)), mean_distance(corner, weight))
        for corner, weight in (RARE_BUT_LARGE, OFTEN_BUT_SMALL)
    )
    return judge(
        low[1] <= high[1],
        f"one neuron, x uniform on [0, 1]: 20 relu(x - 0.9) has entropy {low[0]:.3f} and "
        f"E|f(x) - f(x')| = {float(low[1]):.3f}, relu(x - 0.5) {high[0]:.3f} and "
        f"{float(high[1]):.3f}; {agreeing(1):.0%} of pairs of random networks have the order "
        "that is claimed",
    )


def same_class() -> Judgement:
    """Section 5.3.1.1: with more than two classes the same label is the likelier one."""
    shares = [Fraction(1, CLASSES)] * CLASSES
    same = sum(share**2 for share in shares)
    return judge(
        same > 1 - same,
        f"{CLASSES} balanced classes: P(y = y') = {same}, P(y != y') = {1 - same}; the same "
        "label needs a class with more than half of the data to be likelier",
    )


def final_metrics(network: nn.Sequential, x: Tensor) -> tuple[float, float, float]:
    """Summed entropy of the neurons, mean distance of outputs, and similarity of a sample."""
    counts = PatternCounts((0.0,))
    counts.update(network[0](x))
    output = network(x)
    distance = (output.unsqueeze(0) - output.unsqueeze(1)).abs().mean().item()
    return counts.entropy().sum().item(), distance, expectation(codes(network, x))


def agreeing(quantity: int) -> float:
    """Share of pairs of random networks where higher entropy goes with more of a quantity.

    Args:
        quantity: 1 for the distance of outputs, 2 for similarity; see :func:`measures`.
    """
    stream = generator("thesis", "entropy of random networks")
    x = normal((200, SIZES[0]), stream)
    networks = [final_metrics(random_dense(SIZES, stream, bias=1.0), x) for _ in range(NETWORKS)]
    pairs = list(combinations(networks, 2))
    return sum((a[0] > b[0]) == (a[quantity] > b[quantity]) for a, b in pairs) / len(pairs)


def square(network: nn.Sequential) -> tuple[float, list[Region]]:
    """Summed entropy of three neurons for x uniform on the unit square, and the regions there."""
    parts = regions(network, rectangle(0.0, 1.0))
    on = [sum(part.area for part in parts if part.pattern[j]) for j in range(3)]
    return sum(two_patterns(p) for p in on), parts


def theorem6() -> Judgement:
    """Theorem 6: higher entropy, more linear regions."""
    (more, few), (less, many) = square(STRIPS), square(CROSSES)
    return judge(
        more > less and len(few) > len(many),
        f"x uniform on the unit square, three neurons: lines x = 0.48, 0.5, 0.52 have entropy "
        f"{more:.3f} and {len(few)} regions, lines x = 0.3, y = 0.3, x + y = 0.8 {less:.3f} and "
        f"{len(many)}; and in the whole plane any three lines in general position make 7",
    )


def shared_pattern() -> Judgement:
    """After Theorem 6: higher entropy, a lower probability that two inputs share a pattern."""
    (more, few), (less, many) = square(STRIPS), square(CROSSES)
    same, other = (sum(part.area**2 for part in parts) for parts in (few, many))
    return judge(
        more > less and same < other,
        f"lines x = 0.48, 0.5, 0.52 in the unit square: entropy {more:.3f}, shared with "
        f"probability {same:.3f}; lines x = 0.3, y = 0.3, x + y = 0.8: {less:.3f} and {other:.3f}",
    )


def of_neurons(on: tuple[float, ...]) -> tuple[float, float]:
    """Mean entropy and similarity of ReLU neurons that are on with these probabilities.

    Example:
        >>> [round(value, 3) for value in of_neurons((0.5,))]
        [0.693, 0.5]
    """
    entropy = sum(two_patterns(p) for p in on) / len(on)
    return entropy, sum(p**2 + (1 - p) ** 2 for p in on) / len(on)


def theorem7() -> Judgement:
    """Theorem 7: higher mean entropy, higher similarity."""
    (more, low), (less, high) = of_neurons(HIGHER), of_neurons(LOWER)
    even, uneven = of_neurons(EVENLY), of_neurons(UNEVENLY)
    return judge(
        more > less and low > high,
        f"neurons on with probability {HIGHER[0]} and {LOWER[0]}: entropy {more:.3f} > "
        f"{less:.3f}, similarity {low:.2f} < {high:.2f}: reversed, as in {1 - agreeing(2):.0%} of "
        f"pairs of random networks; but not always, {EVENLY} and {UNEVENLY} have entropy "
        f"{even[0]:.3f} > {uneven[0]:.3f} and similarity {even[1]:.3f} > {uneven[1]:.3f}",
    )
