"""Thesis, section 4.2.6: Lipschitz bounds inside an activation region (Lemmas 5 and 6)."""

from torch import Tensor, nn

from reactivate.documents.thesis.small_networks import codes, normal, random_dense
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement
from reactivate.patterns.lipschitz import layer_bounds, product_bound
from reactivate.patterns.regions import patterns_of, same_region

MONOTONIC = (nn.ReLU, nn.Sigmoid, nn.Tanh)
SIZES = (4, 12, 12, 3)
NETWORKS = 2  # of each activation
ROUNDING = 1e-9


def steps(network: nn.Sequential, x: Tensor, y: Tensor) -> list[Tensor]:
    """Distances of two points at the input, after every hidden layer and at the output, ``(N)``.

    Example:
        >>> from reactivate.documents.thesis.small_networks import column, dense
        >>> network = dense(([[2.0]], [0.0]), ([[1.0]], [0.0]))
        >>> [step.item() for step in steps(network, column(1.0), column(2.0))]
        [1.0, 2.0, 2.0]
    """
    distances = [(x - y).norm(dim=1)]
    for module in network:
        x, y = module(x), module(y)
        if not isinstance(module, nn.Linear):
            distances.append((x - y).norm(dim=1))
    return [*distances, (x - y).norm(dim=1)]


def used(whole: bool) -> tuple[int, float]:
    """Pairs of points in one region, and the largest part of the bound that a pair uses.

    Args:
        whole: Whether the bound is the product of Lemma 6, else those of Lemma 5 for each layer.
    """
    stream = generator("thesis", "lemma 5")
    count, largest = 0, 0.0
    for activation in MONOTONIC:
        for _ in range(NETWORKS):
            network = random_dense(SIZES, stream, activation)
            x = normal((1, SIZES[0]), stream)
            y = x + 0.1 * normal((500, SIZES[0]), stream)
            y = y[same_region(codes(network, x), codes(network, y))]
            own = patterns_of(network, x)
            bounds = layer_bounds(network, SIZES[:1], {k: own.layer(k)[0] for k in own.layers})
            apart = steps(network, x, y)
            pairs = zip(apart, apart[1:], [layer.bound for layer in bounds], strict=False)
            if whole:
                pairs = zip(apart[:1], apart[-1:], [product_bound(bounds)], strict=True)
            count += len(y)
            for before, after, bound in pairs:
                moved = after > 0  # neurons that are all off have the bound 0, and reach it
                largest = max([largest, *(after[moved] / before[moved] / bound).tolist()])
    return count, largest


def _judge_bound(whole: bool) -> Judgement:
    count, largest = used(whole)
    names = ", ".join(activation.__name__ for activation in MONOTONIC)
    return sampled(
        largest <= 1 + ROUNDING,
        f"{count} pairs of points in one region, {len(MONOTONIC) * NETWORKS} random networks "
        f"({names}): at most {largest:.3f} of {'their product' if whole else 'their bound'} is "
        "used",
        cases=count,
    )


def lemma5() -> Judgement:
    """Eq. 4.18 bounds a layer with a monotonic activation."""
    return _judge_bound(whole=False)


def lemma6() -> Judgement:
    """Eq. 4.26: the product of the layers' constants bounds a network of monotonic activations."""
    return _judge_bound(whole=True)
