"""SCRFP-2 against two streams and plain smoothing, and certification against the usual loop.

One function per measurement; each prints its lines and says whether its bars are met. Times are
processor time of this process on one thread, so a busy machine changes them little.

The usual loop comes first, with memory as a new process has it. It allocates more than ours, so it
gains where freed memory is kept, as stages of this package do: then it takes 1.4 times as long.
SCRFP-2 comes second, with memory as the stages have it.
"""

import sys
from functools import partial

import numpy as np
import torch
from reactivate.models.flops import count_operations
from reactivate.models.vgg import VGG16
from reactivate.patterns.preactivations import preactivations_of
from reactivate.smoothing.bases import VARIANTS, Base, Classifier, Plain, Repressed
from reactivate.smoothing.fold import streamlined
from reactivate.smoothing.repression import changing, masked_activations
from reactivate.smoothing.sampling import BATCH, count_votes
from reactivate.training.memory import keep_freed_memory
from torch import Tensor, nn

from benchmarks.timing import Action, least, ratio, report

TWO_STREAMS_BAR, PLAIN_BAR, LOOP_BAR = 2.0, 1.05, 1.5
SIGMA, ETA2, CLASSES = 0.25, 0.1, 10
BATCHES = 10  # of a certificate with n = 1,000, the least n of a scale but smoke
SIDE = 1024  # of the matrices whose product is the limit
REPEATS = 40  # of a batch


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


class Prepared:
    """A base whose work for the input itself is already done."""

    def __init__(self, base: Base, x: Tensor) -> None:
        self.network, self.classify = base.network, base.around(x)

    def around(self, _: Tensor) -> Classifier:
        return self.classify


def batch_of(base: Base, x: Tensor) -> Action:
    """The votes of one batch."""
    return lambda: count_votes(base, x, SIGMA, BATCH, ["benchmark"])


@torch.no_grad()
def scrfp2() -> bool:
    """The time of two streams over that with the clean stream kept, and that over plain.

    What is compared are certificates of n = 1,000 samples: as many batches, and what is done for
    an image once. Freed memory is kept, as the stages of this package keep it.
    """
    keep_freed_memory()
    network, x = streamlined(vgg16()), torch.rand(3, 32, 32)
    bases = {name: Repressed(network, ETA2, name) for name in VARIANTS}
    once = [partial(base.around, x) for base in bases.values()]
    batches = [batch_of(Prepared(base, x), x) for base in bases.values()]
    others = [batch_of(Plain(network), x), batch_of(TwoStreams(network), x)]
    found = least(*once, *batches, *others, repeats=REPEATS)
    made, passed, (plain, two) = found[:3], found[3:6], found[6:]
    kept, authors, sound = ((a + BATCHES * b) / BATCHES for a, b in zip(made, passed, strict=True))
    extra = {"float_share": round(float_share(network, x), 3), "samples": BATCHES * BATCH}
    return all(
        [
            report(
                "scrfp2_two_streams_over_kept_clean_stream",
                two / kept,
                TWO_STREAMS_BAR,
                "higher",
                peer="Algorithm 3 written out, two streams",
                **extra,
            ),
            report(
                "scrfp2_over_plain_smoothing",
                kept / plain,
                PLAIN_BAR,
                peer="plain smoothing",
                limit=share_of_peak(network, batches[0]),
                authors_code_over_plain=round(authors / plain, 3),
                sound_over_plain=round(sound / plain, 3),
                **extra,
            ),
        ]
    )


def share_of_peak(network: nn.Module, batch: Action) -> float:
    """Operations per second of a batch over those of a product of large matrices."""
    matrix = torch.rand(SIDE, SIDE)
    work = count_operations(network, (3, 32, 32)).multiply_adds * BATCH
    product, votes = least(lambda: matrix @ matrix, batch, repeats=REPEATS)
    return work / votes / (SIDE**3 / product)


def usual_loop(network: nn.Module, x: Tensor) -> np.ndarray:
    """A batch as in the code of Cohen et al.: a loop over predictions counts."""
    counts = np.zeros(CLASSES, dtype=int)
    with torch.no_grad():
        batch = x.repeat((BATCH, 1, 1, 1))
        predictions = network(batch + torch.randn_like(batch) * SIGMA).argmax(1)
        for label in predictions.cpu().numpy():
            counts[label] += 1
    return counts


def certification() -> bool:
    """The time of the usual loop over that of ours, for the same network."""
    network, x = vgg16(), torch.rand(3, 32, 32)
    ours = batch_of(Plain(streamlined(network)), x)
    return report(
        "usual_loop_over_folded_batches",
        ratio(lambda: usual_loop(network, x), ours, repeats=REPEATS),
        LOOP_BAR,
        "higher",
        peer="a loop as in the code of Cohen et al.",
        limit=share_of_peak(network, ours),
        batch=BATCH,
    )


MEASUREMENTS = (certification, scrfp2)


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    passed = [measure() for measure in MEASUREMENTS]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
