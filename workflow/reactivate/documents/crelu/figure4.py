"""CReLU Figure 4: invariance scores of the convolutions of CReLU and ReLU networks."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.datasets.augment import rotate, shift
from reactivate.evidence.networks import NetworkRun, trained
from reactivate.filters.invariance import Firing, Stimuli, firing
from reactivate.foundation.seeding import generator
from reactivate.patterns.preactivations import activations_of
from reactivate.training.inputs import Inputs, MemoryInputs

BATCH = 50
CORNERS = ("top left", "top right", "bottom left", "bottom right")
SHIFTS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def invariances(
    networks: list[NetworkRun],
    images: int,
    pictures: int,
    layers: int,
    picture_layers: int,
    rate: float,
    degrees: float,
    pixels: int,
) -> pd.DataFrame:
    """A row per network and convolution, with the mean score over its filters.

    Images of CIFAR are shifted; of ImageNet (recipes with ``pictures``) the corners are cut.

    Args:
        networks: Their rows are named ``dataset_network``.
        images: How many test images, of those that are shifted.
        pictures: How many, drawn at random, of those that are cut.
        layers: How many convolutions, from the input, of networks for images that are shifted.
        picture_layers: The same, for those that are cut.
        rate: The global firing rate.
        degrees: Angle of the rotation, counter-clockwise.
        pixels: Length of the shifts.

    Returns:
        Columns dataset, data (which it is at this scale), network, seed, layer, pools (max-pooling
        layers before it), images, filters, silent (filters that never fire), rate (at which the
        filters fire), score, and flip, rotation and translation (scores of these alone).
    """
    parts = []
    for run in networks:
        cut = run.settings.recipe.pictures is not None
        chosen = choose(run, pictures if cut else images)
        scores = of_network(
            trained(run),
            partial(stimuli, run, chosen, cut, degrees, pixels),
            len(chosen),
            rate,
            picture_layers if cut else layers,
        )
        parts.append(_named(run, scores))
    return pd.concat(parts, ignore_index=True)


def _named(run: NetworkRun, scores: pd.DataFrame) -> pd.DataFrame:
    """Scores with the dataset and the network they are of in the first columns."""
    network = run.place[0]
    scores.insert(0, "dataset", network.split("_", 1)[0])
    scores.insert(1, "data", run.cell.dataset)
    scores.insert(2, "network", network)
    scores.insert(3, "seed", run.seed)
    return scores


def of_network(
    network: nn.Module,
    batches: Callable[[], Iterable[Stimuli]],
    images: int,
    rate: float,
    layers: int,
) -> pd.DataFrame:
    """Scores of one network, a row for each of its first convolutions."""
    measured = firing(network, batches, images, rate, layers)
    pools = pools_before(network)
    rows = [
        {"layer": number, "pools": pools[name], "images": images, **_summary(layer)}
        for number, (name, layer) in enumerate(measured.items(), start=1)
    ]
    return pd.DataFrame(rows)


def _summary(layer: Firing) -> dict[str, float]:
    fired = layer.fired > 0
    shifts = [name for name in layer.kept if name not in ("flip", "rotation")]
    families = {"score": [], "flip": ["flip"], "rotation": ["rotation"], "translation": shifts}
    return {
        "filters": len(fired),
        "silent": int((~fired).sum()),
        "rate": round(float(layer.global_rate().mean()), 6),
        **{name: round(_mean(layer.score(*asked)[fired]), 4) for name, asked in families.items()},
    }


def _mean(scores: Tensor) -> float:
    return float(scores.mean())  # NaN if no filter fires


def pools_before(network: nn.Module) -> dict[str, int]:
    """Max-pooling layers before each activation of a network that is a sequence.

    Example:
        >>> pools_before(nn.Sequential(nn.ReLU(), nn.MaxPool2d(2), nn.ReLU()))
        {'0': 0, '2': 1}
    """
    activations, pools, before = activations_of(network), 0, {}
    for name, module in network.named_modules():
        pools += isinstance(module, nn.MaxPool2d)
        if name in activations:
            before[name] = pools
    return before


def choose(run: NetworkRun, count: int) -> Tensor:
    """Numbers of images of the test part, drawn at random, in increasing order; or all there are.

    A scale that trains with a fraction of the images has the same fraction of test images.
    """
    total = run.inputs.count("test")
    order = torch.randperm(total, generator=generator(run.cell.dataset, "invariance"))
    return order[:count].sort().values


def stimuli(
    run: NetworkRun, chosen: Tensor, cut: bool, degrees: float, pixels: int
) -> Iterator[Stimuli]:
    """Batches of the chosen test images, each with what is similar to them."""
    for views in _views(run.inputs, chosen, cut):
        yield views[:, 0], similar(views, degrees, pixels)


def _views(inputs: Inputs, chosen: Tensor, cut: bool) -> Iterator[Tensor]:
    """The middle of each chosen image and, if they are cut, its corners, ``(N, views, ...)``."""
    count = 10 if cut else 1
    order = list(range(count))
    if cut:  # corners come after the middle in memory, before it where torchvision cuts
        order = [0, 1, 2, 3, 4] if isinstance(inputs, MemoryInputs) else [4, 0, 1, 2, 3]
    for batch in inputs.measured("test", count, chosen, size=BATCH * count):
        views = batch.x.reshape(-1, count, *batch.x.shape[1:])
        yield views[:, order]


def similar(views: Tensor, degrees: float, pixels: int) -> Iterator[tuple[str, Tensor]]:
    """Flip, rotation and translations of images, one at a time.

    What comes in from outside the image is 0 after normalisation: the mean colour.

    Args:
        views: Images, ``(N, 1, C, H, W)``; or ``(N, 5, C, H, W)`` with the corners of larger ones.
        degrees: Angle of the rotation, counter-clockwise; to the nearest pixel.
        pixels: Length of the shifts of images without corners.
    """
    x = views[:, 0]
    yield "flip", x.flip(3)
    yield "rotation", rotate(x, torch.full((len(x),), degrees, device=x.device))
    if views.shape[1] > 1:
        yield from zip(CORNERS, views[:, 1:].unbind(1), strict=True)
        return
    for name, (down, right) in SHIFTS.items():
        moves = (torch.full((len(x),), pixels * move, device=x.device) for move in (down, right))
        yield name, shift(x, pixels, *moves)
