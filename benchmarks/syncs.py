"""Kernels of a step, and how often it waits for the device: ours against the plain way.

Everything is counted on the meta device, where nothing is computed: counts are the same on a busy
machine, and say nothing of seconds. The plain way is a loop as in a tutorial or in the program
that a document comes with. Optimizers go from parameter to parameter here, in both; on a GPU ours
is fused, which cannot be counted.
"""

import sys
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from reactivate.attacks.ascent import direction, project
from reactivate.datasets.images import ImageData
from reactivate.defences.smoothadv import SmoothAdvTraining
from reactivate.defences.standardise import Standardised
from reactivate.experiment.loading import load_paper
from reactivate.layers import gmp
from reactivate.models import MODELS
from reactivate.smoothing.bases import Plain
from reactivate.smoothing.certify import certify_image
from reactivate.smoothing.fold import streamlined
from reactivate.smoothing.sampling import LARGE_BATCH, Sampling
from reactivate.training.classification import Classification
from reactivate.training.defending.strategy import Defending
from reactivate.training.inputs import ALONE, MemoryInputs
from reactivate.training.optimizers import make_optimizer
from reactivate.training.schedules import Clock
from reactivate.training.strategies import CrossEntropy, Strategy
from reactivate.training.tracing import META, Trace, count
from reactivate.training.trainer import Trainer
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, nll_loss
from torch.nn.utils import parametrize

from benchmarks.timing import report

SIGMA, CLASSES, BATCH, STEPS = 0.25, 10, 128, 4
CHUNKS_BAR, BN_BAR = 3.0, 4.5  # GmP's kernels: in pieces over ours, and ours over those of BN
RECIPE = "vgg16_120"
SAMPLING = Sampling(SIGMA, n0=100, n=10_000)
SMOOTHADV = SmoothAdvTraining(SIGMA, epsilon=0.5, steps=2, copies=2, warm_up=1)


class Stream(torch.Generator):
    """A random stream that says it is on the meta device, where torch has none."""

    def __new__(cls, device: str | torch.device = "cpu") -> "Stream":
        place = torch.device(device)
        stream = super().__new__(cls, "cpu" if place == META else place)
        stream.place = place
        return stream

    @property
    def device(self) -> torch.device:
        """The device that was asked for."""
        return self.place


def on_meta(name: str, **arguments: object) -> nn.Module:
    """A network without numbers."""
    with torch.device(META):
        return MODELS.load(name)(**arguments)


def epoch_of_ours(network: nn.Module, strategy: Strategy) -> Trace:
    """The trace of some steps of this package's trainer, inputs and sums included."""
    images = torch.randint(256, (STEPS * BATCH, 3, 32, 32), dtype=torch.uint8)
    labels = torch.arange(len(images)) % CLASSES
    recipe = load_paper("thesis").recipes[RECIPE]
    data = ImageData(images, labels, images, labels)
    inputs = MemoryInputs(data, recipe, ("benchmark", 0), META)
    clock = Clock(STEPS, STEPS, STEPS)
    task = Classification(strategy)
    trainer = Trainer(network, inputs, recipe, 0.1, clock, ("benchmark", 0), ALONE, task)
    if isinstance(network, Standardised):
        inputs.normalise = type(inputs.normalise)((0.0,) * 3)
    trainer._resume()
    return count(lambda: trainer._train(1))


def batches() -> list[tuple[Tensor, Tensor]]:
    """Batches as a ``DataLoader`` hands them out: in the host's memory."""
    return [(torch.rand(BATCH, 3, 32, 32), torch.arange(BATCH) % CLASSES) for _ in range(STEPS)]


Passes = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]  # of a batch: loss and scores


def plain_epoch(network: nn.Module, passes: Passes) -> Trace:
    """The trace of a loop that adds up loss and accuracy after every step."""
    optimizer = make_optimizer(load_paper("thesis").recipes[RECIPE], network, 0.1)
    loaded = batches()

    def epoch() -> None:
        shown = []
        for images, labels in loaded:
            x, y = images.to(META), labels.to(META)
            optimizer.zero_grad()
            loss, scores = passes(x, y)
            loss.backward()
            optimizer.step()
            right = (scores.argmax(1) == y).sum().item()
            shown.append((loss.item(), right / len(labels)))

    return count(epoch)


def plain_smoothadv(network: nn.Module, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Loss and scores as in the code of Salman et al., who draw noise on the device too."""
    noise = torch.randn(2, *x.shape, device=META) * SIGMA
    at = x
    for _ in range(2):
        at = at.detach().requires_grad_()
        scores = network((at + noise).flatten(0, 1)).reshape(2, len(y), -1)
        loss = nll_loss(scores.softmax(2).mean(0).log(), y, reduction="sum")
        (gradient,) = torch.autograd.grad(loss, at)
        at = project(at + 0.5 * direction(gradient, "l2"), x, 0.5, "l2").clamp(0, 1)
    scores = network((at.detach() + noise).flatten(0, 1))
    return cross_entropy(scores, y.repeat(2)), scores[: len(y)]


def plain_training(network: nn.Module, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Loss and scores of images as they are."""
    scores = network(x)
    return cross_entropy(scores, y), scores


def training() -> bool:
    """Waits of a training step of VGG16 on CIFAR-10."""
    ours = epoch_of_ours(on_meta("vgg16", classes=CLASSES, parameterization="bn"), CrossEntropy())
    network = on_meta("vgg16", classes=CLASSES, parameterization="bn")
    plain = plain_epoch(network, partial(plain_training, network))
    return told("training_waits_per_step", ours, plain, STEPS)


def defending() -> bool:
    """Waits of a step of SmoothAdv."""
    inner = on_meta("vgg16", classes=CLASSES, parameterization="bn")
    network = Standardised([0.5] * 3, [0.2] * 3, inner).to(META)
    ours = epoch_of_ours(network, Defending(SMOOTHADV))
    other = on_meta("vgg16", classes=CLASSES, parameterization="bn")
    plain = plain_epoch(other, partial(plain_smoothadv, other))
    return told("smoothadv_waits_per_step", ours, plain, STEPS)


def usual_votes(network: nn.Module, x: Tensor, draws: int, classes: int = CLASSES) -> np.ndarray:
    """Votes as in the code of Cohen et al., whose batches are of 400."""
    counts = np.zeros(classes, dtype=int)
    for first in range(0, draws, 400):
        batch = x.repeat((min(400, draws - first), 1, 1, 1))
        noise = torch.randn_like(batch) * SIGMA
        for label in network(batch + noise).argmax(1).cpu().numpy():
            counts[label] += 1
    return counts


def certifying() -> bool:
    """Waits of the certificate of one image, of 100 and 10,000 samples."""
    network = on_meta("vgg16", classes=CLASSES, parameterization="bn").eval()
    image, base = torch.rand(3, 32, 32), Plain(streamlined(network))
    ours = count(lambda: certify_image(base, image, 0, 0, SAMPLING, batch=LARGE_BATCH))

    def plain() -> None:
        with torch.no_grad():
            x = image.to(META)
            usual_votes(network, x, SAMPLING.n0).argmax()
            usual_votes(network, x, SAMPLING.n)

    return told("certificate_waits_per_image", ours, count(plain), 1)


def told(name: str, ours: Trace, plain: Trace, steps: int) -> bool:
    """Reports waits of ours over those of the plain way; a step shall have none.

    A certificate has one, when its votes are read; so has an epoch, after its steps.
    """
    return report(
        name,
        ours.waits / plain.waits,
        bar=0.0 if steps > 1 else 1 / plain.waits,
        peer="a loop as in a tutorial",
        ours=ours.waits / steps,
        plain=plain.waits / steps,
        kernels=len(ours.kernels) / steps,
        plain_kernels=len(plain.kernels) / steps,
        posted_copies=len(ours.posted) / steps,
    )


def resnet50_kernels(parameterization: str) -> int:
    """Kernels of forward and backward pass of ResNet-50 on 224 x 224, without the optimizer."""
    network = on_meta("resnet50", classes=1000, parameterization=parameterization)
    x = torch.zeros(2, 3, 224, 224, device=META)
    y = torch.zeros(2, dtype=torch.long, device=META)

    def step() -> None:
        with parametrize.cached():
            loss = cross_entropy(network(x), y)
        loss.backward()

    return len(count(step).kernels)


def in_pieces(function: Callable[..., Tensor], *tensors: Tensor) -> Tensor:
    """The work of GmP as on a CPU: pieces that fit a cache."""
    rows = max(1, gmp.CHUNK // tensors[0].shape[-1])
    parts = zip(*(torch.split(tensor, rows) for tensor in tensors), strict=True)
    return torch.cat([function(*part) for part in parts])


def kernels_of_gmp() -> bool:
    """Kernels of a step of ResNet-50 with GmP: in pieces over ours, and ours over BN."""
    ours, normalised = resnet50_kernels("gmp"), resnet50_kernels("bn")
    whole = gmp._by_rows
    try:
        gmp._by_rows = in_pieces
        pieces = resnet50_kernels("gmp")
    finally:
        gmp._by_rows = whole
    extra = {"gmp": ours, "gmp_in_pieces": pieces, "bn": normalised}
    return all(
        [
            report(
                "gmp_kernels_in_pieces_over_whole",
                pieces / ours,
                CHUNKS_BAR,
                "higher",
                peer="GmP in pieces",
            ),
            report(
                "gmp_kernels_over_bn",
                ours / normalised,
                BN_BAR,
                peer="batch normalisation",
                **extra,
            ),
        ]
    )


MEASUREMENTS = (training, defending, certifying, kernels_of_gmp)


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.manual_seed(0)
    torch.Generator = Stream  # type: ignore[misc]
    passed = [measure() for measure in MEASUREMENTS]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
