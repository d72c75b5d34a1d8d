"""Thesis, Figures 6.2 and 6.6: neurons that noise around an image flips."""

from collections.abc import Iterator
from functools import partial

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.documents.thesis.chapter6.defences import by_defence
from reactivate.documents.thesis.chapter6.noise import noise
from reactivate.evidence.hardened import unit_images, unit_network
from reactivate.evidence.networks import NetworkRun
from reactivate.evidence.pieces import Keep, computed
from reactivate.patterns.paths import float_masks, float_shares
from reactivate.patterns.preactivations import preactivations_of

BATCH = 125


def float_by_layer(
    networks: list[NetworkRun], images: int, samples: int, epsilon: float
) -> pd.DataFrame:
    """Figure 6.2: share of neurons that are float around an image, by defence and layer.

    Args:
        networks: With different defences.
        images: How many of the test part.
        samples: Noisy copies of each image, every pixel of them ``epsilon`` away.
        epsilon: In 255ths.
    """

    def measure(run: NetworkRun) -> pd.DataFrame:
        x, _ = unit_images(run, images)
        noisy = run.cell.dataset, samples, epsilon / 255
        return layers_of(unit_network(run), x, *noisy, keep=run.piece)

    return by_defence(networks, measure)


def layers_of(
    network: nn.Module,
    x: Tensor,
    dataset: str,
    samples: int,
    epsilon: float,
    keep: Keep = computed,
) -> pd.DataFrame:
    """Mean and deviation over images of the share of float neurons, by layer, counted from 0.

    Noisy copies are not cut to the range of pixels. What ``keep`` has of an image is not computed.
    """

    def cloud(number: int) -> Iterator[Tensor]:
        image = x[number]
        yield image[None]
        for signs in noise("sign", dataset, number, image, samples):
            yield image + epsilon * signs

    def one(number: int) -> dict[str, float]:
        return float_shares(network, cloud(number))

    shares = pd.DataFrame([keep(str(number), partial(one, number)) for number in range(len(x))])
    sizes = [z[0].numel() for z in preactivations_of(network, x[:1]).values()]
    return pd.DataFrame(
        {
            "layer": range(len(sizes)),
            "neurons": sizes,
            "float_share": shares.mean().round(6).to_numpy(),
            "deviation": shares.std(ddof=0).round(6).to_numpy(),
        }
    )


def fixed_under_noise(networks: list[NetworkRun], images: int, sigmas: str) -> pd.DataFrame:
    """Figure 6.6: share of neurons that are fixed between an image and a noisy copy.

    Args:
        networks: Trained with different noise.
        images: How many of the test part, one copy of each.
        sigmas: Standard deviations of the noise, separated by blanks.
    """

    def measure(run: NetworkRun) -> pd.DataFrame:
        network, (x, _) = unit_network(run), unit_images(run, images)
        parts = []
        for sigma in map(float, sigmas.split()):
            share = fixed_shares(network, x, run.cell.dataset, sigma).numpy().round(6)
            columns = {"sigma": sigma, "image": range(len(x)), "fixed_share": share}
            parts.append(pd.DataFrame(columns))
        return pd.concat(parts, ignore_index=True)

    return by_defence(networks, measure)


def fixed_shares(network: nn.Module, x: Tensor, dataset: str, sigma: float) -> Tensor:
    """Share of all neurons that are fixed between each image and its noisy copy, ``(N)``."""
    shares = []
    for start in range(0, len(x), BATCH):
        images = x[start : start + BATCH]
        drawn = [
            next(noise("normal", dataset, start + number, image, 1))
            for number, image in enumerate(images)
        ]
        masks = float_masks(network, images, images + sigma * torch.cat(drawn)).values()
        floating = torch.cat([mask.flatten(1) for mask in masks], dim=1)
        shares.append(1 - floating.double().mean(dim=1).cpu())
    return torch.cat(shares)
