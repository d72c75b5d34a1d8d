"""Activation patterns: similarity against the loop over pairs, entropy against the forward pass.

One function per measurement; each prints its line and says whether its bar is met.
"""

import sys
from itertools import combinations, islice

import torch
from reactivate.models import MODELS
from reactivate.patterns.breakpoints import breakpoints_of
from reactivate.patterns.entropy import PatternCounts
from reactivate.patterns.preactivations import activations_of, preactivations_of
from reactivate.patterns.similarity import all_pairs, pair_similarity
from timing import ratio, report

SIMILARITY_BAR, ENTROPY_BAR = 30.0, 0.5
POINTS, NEURONS = 1_000, 100_000
TIMED_PAIRS = 5_000  # of the loop, whose whole would take minutes


def similarity_of_all_pairs() -> bool:
    """The time of a loop over pairs, scaled from some of them to all, over that of products."""
    codes = torch.randint(0, 2, (POINTS, NEURONS), dtype=torch.int8)
    pairs = POINTS * (POINTS - 1) // 2
    timed = list(islice(combinations(range(POINTS), 2), 0, pairs, pairs // TIMED_PAIRS))

    def loop() -> list[float]:
        return [float(pair_similarity(codes[i], codes[j])) for i, j in timed]

    measured = ratio(loop, lambda: all_pairs(codes), repeats=3, warmup=1) * pairs / len(timed)
    return report(
        "all_pairs_similarity_loop_over_products",
        measured,
        SIMILARITY_BAR,
        "higher",
        points=POINTS,
        neurons=NEURONS,
        pairs=pairs,
        pairs_timed_in_loop=len(timed),
    )


def entropy_of_vgg16() -> bool:
    """The time of counting the patterns of VGG16 at a quarter of its width over its own."""
    network = MODELS.load("vgg16")(width=0.25).eval()
    x = torch.randn(64, 3, 32, 32)
    found = preactivations_of(network, x)
    modules = activations_of(network)
    layers = [(PatternCounts(breakpoints_of(modules[name])), z) for name, z in found.items()]

    def count() -> None:
        for counts, z in layers:
            counts.update(z)

    @torch.no_grad()
    def forward() -> None:
        network(x)

    measured = ratio(count, forward, repeats=12)
    return report("entropy_counting_over_vgg16_forward", measured, ENTROPY_BAR)


MEASUREMENTS = (similarity_of_all_pairs, entropy_of_vgg16)


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    passed = [measure() for measure in MEASUREMENTS]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
