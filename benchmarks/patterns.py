"""Similarity against scipy, entropy against the forward pass, toy networks at once.

One function per measurement; each prints its line and says whether its bar is met.
"""

import sys
from time import process_time

import torch
from reactivate.documents.thesis.chapter3 import toy
from reactivate.models import MODELS
from reactivate.patterns.breakpoints import breakpoints_of
from reactivate.patterns.entropy import PatternCounts
from reactivate.patterns.preactivations import activations_of, preactivations_of
from reactivate.patterns.similarity import all_pairs, count_agreements
from scipy.spatial.distance import pdist, squareform
from torch import nn

from benchmarks.timing import ratio, report

SIMILARITY_BAR, ENTROPY_BAR, TOY_BAR = 20.0, 0.5, 30.0
POINTS, NEURONS = 300, 100_000
TOY_NETWORKS, TOY_EPOCHS = 10_000, 2_000  # half of them ReLU, half Sigmoid
TIMED_EPOCHS = 5  # all epochs cost the same


def similarity_of_all_pairs() -> bool:
    """The time of scipy's distances of all pairs over that of packed bits, the same numbers."""
    codes = torch.randint(0, 2, (POINTS, NEURONS), dtype=torch.int8)
    flags = codes.bool().numpy()
    different = squareform(pdist(flags, "hamming") * NEURONS).round()
    equal = bool((NEURONS - count_agreements(codes).numpy() == different).all())
    measured = ratio(
        lambda: pdist(flags, "hamming"),
        lambda: all_pairs(codes),
        **{"repeats": 7, "warmup": 1, "clock": process_time},
    )
    extra = {"points": POINTS, "neurons": NEURONS, "equal": equal}
    good = report(
        "all_pairs_scipy_over_packed_bits",
        measured,
        SIMILARITY_BAR,
        "higher",
        peer="scipy's pdist",
        **extra,
    )
    return good and equal


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
    return report(
        "entropy_counting_over_vgg16_forward", measured, ENTROPY_BAR, peer="a forward pass"
    )


def toy_grid() -> bool:
    """The time of training one toy network of each kind, scaled to all, over that of the batch."""
    training = toy.Training()
    x = training.inputs(torch.float32).unsqueeze(1)
    y = toy.objective(x)
    kinds = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid}
    starts = {
        name: toy.initialize(toy.Model(name, 10, 10), TOY_NETWORKS // 2, torch.float32)
        for name in kinds
    }

    def loop() -> None:
        for activation in kinds.values():
            network = nn.Sequential(nn.Linear(1, 10), activation(), nn.Linear(10, 1, bias=False))
            optimizer = torch.optim.SGD(network.parameters(), lr=toy.RATE)
            for _ in range(TIMED_EPOCHS):
                for i in torch.randperm(len(x)).tolist():
                    optimizer.zero_grad()
                    (network(x[i]) - y[i]).square().sum().backward()
                    optimizer.step()

    def batch() -> None:
        for name, start in starts.items():
            toy.train(name, start, [TIMED_EPOCHS], training)

    measured = ratio(loop, batch, repeats=7, warmup=1) * TOY_NETWORKS / len(kinds)
    return report(
        "toy_grid_loop_over_batch",
        measured,
        TOY_BAR,
        "higher",
        peer="a torch loop over networks",
        networks=TOY_NETWORKS,
        epochs=TOY_EPOCHS,
        networks_timed_in_loop=len(kinds),
        epochs_timed=TIMED_EPOCHS,
    )


MEASUREMENTS = (similarity_of_all_pairs, entropy_of_vgg16, toy_grid)


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    passed = [measure() for measure in MEASUREMENTS]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
