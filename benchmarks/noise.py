"""Noise of a certificate: the cost of its keyed streams, and what an image sends and reads.

Seconds are of this machine's CPU, where a stream draws as ``torch.randn`` does; no GPU was timed.
Bytes and waits are counted on the meta device for an image of ImageNet. The rivals are the loop of
Cohen et al. (locuslab/smoothing), and noise that is drawn in the host's memory and copied.
"""

import sys
from functools import partial
from time import process_time

import torch
from reactivate.foundation.seeding import generator
from reactivate.smoothing.bases import Plain
from reactivate.smoothing.certify import certify_image
from reactivate.smoothing.noise import BLOCK, normal_batches
from reactivate.smoothing.sampling import LARGE_BATCH, Sampling
from reactivate.training.tracing import META, Trace, count
from torch import Tensor

from benchmarks.syncs import Stream, on_meta, usual_votes
from benchmarks.timing import ratio, report, seconds

STREAM_BAR = 1.25  # time of keyed streams over that of one stream
CIFAR, IMAGENET = (3, 32, 32), (3, 224, 224)
SAMPLES = {CIFAR: 4000, IMAGENET: 200}
SAMPLING = Sampling(0.25, n0=100, n=10_000)
CLASSES = 1000


def keyed(shape: tuple[int, ...], samples: int, batch: int) -> None:
    """Draws samples from streams that are keyed by block, as certificates do."""
    for _ in normal_batches(torch.empty(shape), samples, ["benchmark"], batch):
        pass


def single(shape: tuple[int, ...], samples: int, batch: int) -> None:
    """Draws samples from one stream, whose numbers depend on the batches before."""
    stream = generator("benchmark")
    for first in range(0, samples, batch):
        torch.randn(min(batch, samples - first), *shape, generator=stream)


def drawing(name: str, shape: tuple[int, ...]) -> bool:
    """The time of keyed streams over that of one stream, and milliseconds for a sample."""
    samples = SAMPLES[shape]
    ours, plain = (partial(way, shape, samples, BLOCK) for way in (keyed, single))
    measured = ratio(ours, plain, repeats=9, warmup=1, clock=process_time)
    each = min(seconds(ours, process_time) for _ in range(3)) / samples
    return report(
        name,
        measured,
        STREAM_BAR,
        peer="one stream",
        cpu_milliseconds_per_sample=round(1000 * each, 4),
    )


def moved_votes(network: torch.nn.Module, x: Tensor, draws: int) -> list[int]:
    """Votes with noise that a CPU draws and that is copied, batch by batch."""
    total = torch.zeros(CLASSES, dtype=torch.long, device=META)
    for noise in normal_batches(torch.empty(x.shape), draws, ["benchmark"], BLOCK):
        labels = network(noise.to(META) * SAMPLING.sigma + x).argmax(1)
        total += (labels[:, None] == torch.arange(CLASSES, device=META)).sum(0)
    return total.tolist()


def traces() -> dict[str, Trace]:
    """Traces of the certificate of one image, by the way in which it is sampled."""
    network = on_meta("resnet14", classes=CLASSES, parameterization="bn").eval()
    image, base = torch.rand(IMAGENET), Plain(network)

    @torch.no_grad()
    def both(vote: object) -> None:
        x = image.to(META)
        vote(network, x, SAMPLING.n0)
        vote(network, x, SAMPLING.n)

    few = Sampling(SAMPLING.sigma, n0=BLOCK, n=BLOCK)  # noise of more would really be drawn
    return {
        "ours": count(lambda: certify_image(base, image, 0, 0, SAMPLING, batch=LARGE_BATCH)),
        "cohen": count(lambda: both(partial(usual_votes, classes=CLASSES))),
        "moved": count(lambda: both(lambda net, x, _: moved_votes(net, x, few.n))),
    }


def traffic() -> bool:
    """Bytes that an image sends and reads, and how often it waits: ours over the rivals."""
    found = traces()
    ours, cohen, moved = (found[name] for name in ("ours", "cohen", "moved"))
    image = 4 * torch.Size(IMAGENET).numel()
    drawn = image * (SAMPLING.n0 + SAMPLING.n)  # what copying all samples would send
    copied = sum(moved.sends) - image
    assert copied == image * 2 * BLOCK  # every sample once
    sent = sum(ours.sends) + sum(ours.posted)
    return all(
        [
            report(
                "bytes_sent_per_image_over_copied_noise",
                sent / (drawn + image),
                bar=image / (drawn + image),
                peer="noise that is drawn on the host",
                ours=sent,
                copied_noise=drawn + image,
                cohen=sum(cohen.sends),
            ),
            report(
                "bytes_read_per_image_over_cohen",
                sum(ours.reads) / sum(cohen.reads),
                bar=2 * CLASSES * 8 / sum(cohen.reads),
                peer="the loop of Cohen et al.",
                ours=sum(ours.reads),
                cohen=sum(cohen.reads),
            ),
            report(
                "waits_per_image_over_cohen",
                ours.waits / cohen.waits,
                bar=1 / cohen.waits,
                peer="the loop of Cohen et al.",
                ours=ours.waits,
                cohen=cohen.waits,
            ),
        ]
    )


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    passed = [
        drawing("keyed_streams_over_one_stream_cifar", CIFAR),
        drawing("keyed_streams_over_one_stream_imagenet", IMAGENET),
    ]
    torch.Generator = Stream  # type: ignore[misc]
    return 0 if all([*passed, traffic()]) else 1


if __name__ == "__main__":
    sys.exit(main())
