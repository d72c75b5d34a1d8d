"""SCRFP-2 against two streams and plain smoothing, and certification against the usual loop.

One function per measurement; each prints its lines and says whether its bars are met. Times are
processor time of this process on one thread, so a busy machine changes them little.
"""

import sys
from functools import partial

import numpy as np
import torch
from reactivate.models.flops import count_operations
from reactivate.models.vgg import VGG16
from reactivate.patterns.preactivations import preactivations_of
from reactivate.smoothing.bases import Plain, Repressed
from reactivate.smoothing.fold import streamlined
from reactivate.smoothing.repression import changing, masked_activations
from reactivate.smoothing.sampling import BATCH, count_votes
from torch import Tensor, nn

from benchmarks.timing import Action, ratio, report

TWO_STREAMS_BAR, PLAIN_BAR, LOOP_BAR = 2.0, 1.05, 1.5
SIGMA, ETA2, DRAWS, CLASSES = 0.25, 0.1, 1000, 10  # the least n of a scale but smoke
SIDE = 1024  # of the matrices whose product is the limit
REPEATS = 7
timed = partial(ratio, repeats=REPEATS, warmup=1)


def vgg16() -> nn.Module:
    """VGG16 at a quarter of its width; statistics of noisy inputs, so about half is active."""
    network = VGG16(width=0.25)
    with torch.no_grad():
        for _ in range(10):
            network(torch.rand(50, 3, 32, 32) + SIGMA * torch.randn(50, 3, 32, 32))
    return network.eval()


class TwoStreams:
    """Algorithm 3 as it is written: a clean stream beside every noisy copy."""

    def __init__(self, network: nn.Module) -> None:
        self.network = network
        self.masked = masked_activations(network)

    def around(self, x: Tensor):
        return lambda noisy, _: self.classify(torch.cat([x.expand_as(noisy), noisy]))

    def classify(self, streams: Tensor) -> Tensor:
        def before(_: str, __: nn.Module, z: Tensor) -> Tensor:
            z_c, z_n = z.chunk(2)
            floating = (z_c > 0) != (z_n > 0)
            return torch.cat([z_c, z_n - z_n * floating * ETA2])

        with changing(self.network, self.masked, before):
            return self.network(streams).chunk(2)[1]


def float_share(network: nn.Module, x: Tensor) -> float:
    """Share of neurons with another pattern for a noisy copy."""
    noisy = x + SIGMA * torch.randn(20, *x.shape)
    clean, other = preactivations_of(network, x[None]), preactivations_of(network, noisy)
    floating = sum(((clean[k] > 0) != (other[k] > 0)).sum().item() for k in clean)
    return floating / sum(z.numel() for z in other.values())


def scrfp2() -> bool:
    """The time of two streams over that with the clean stream kept, and that over plain."""
    network = streamlined(vgg16())
    x = torch.rand(3, 32, 32)

    def run(base):
        return lambda: count_votes(base, x, SIGMA, DRAWS, ["benchmark"])

    kept, plain = run(Repressed(network, ETA2)), run(Plain(network))
    extra = {"float_share": round(float_share(network, x), 3), "samples": DRAWS, "batch": BATCH}
    others = {
        name: round(timed(run(Repressed(network, ETA2, name)), plain, repeats=3), 3)
        for name in ("authors_code", "sound")
    }
    return all(
        [
            report(
                "scrfp2_two_streams_over_kept_clean_stream",
                timed(run(TwoStreams(network)), kept),
                TWO_STREAMS_BAR,
                "higher",
                peer="Algorithm 3 written out, two streams",
                **extra,
            ),
            report(
                "scrfp2_over_plain_smoothing",
                timed(kept, plain),
                PLAIN_BAR,
                peer="plain smoothing",
                limit=share_of_peak(network, kept),
                **extra,
                **{f"{name}_over_plain": value for name, value in others.items()},
            ),
        ]
    )


def share_of_peak(network: nn.Module, action: Action) -> float:
    """Operations per second of the votes over those of a product of large matrices."""
    matrix = torch.rand(SIDE, SIDE)
    work = 2 * count_operations(network, (3, 32, 32)).multiply_adds * DRAWS
    return work / (2 * SIDE**3) / timed(action, lambda: matrix @ matrix)


def usual_loop(network: nn.Module, x: Tensor) -> np.ndarray:
    """Sampling as in the code of Cohen et al.: a loop over batches, and over predictions."""
    counts = np.zeros(CLASSES, dtype=int)
    left = DRAWS
    with torch.no_grad():
        while left > 0:
            size = min(BATCH, left)
            left -= size
            batch = x.repeat((size, 1, 1, 1))
            predictions = network(batch + torch.randn_like(batch) * SIGMA).argmax(1)
            for label in predictions.cpu().numpy():
                counts[label] += 1
    return counts


def certification() -> bool:
    """The time of the usual loop over that of ours, for the same network."""
    network = vgg16()
    base, x = Plain(streamlined(network)), torch.rand(3, 32, 32)
    measured = timed(
        lambda: usual_loop(network, x),
        lambda: count_votes(base, x, SIGMA, DRAWS, ["benchmark"]),
    )
    return report(
        "usual_loop_over_folded_batches",
        measured,
        LOOP_BAR,
        "higher",
        peer="a loop as in the code of Cohen et al.",
        limit=share_of_peak(network, lambda: count_votes(base, x, SIGMA, DRAWS, ["benchmark"])),
        samples=DRAWS,
        batch=BATCH,
    )


MEASUREMENTS = (scrfp2, certification)


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    passed = [measure() for measure in MEASUREMENTS]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
