"""Thesis, Figure 6.5: fixed and float paths on a plane through an image."""

from math import sqrt

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.documents.thesis.chapter6.defences import by_defence
from reactivate.evidence.hardened import unit_images, unit_network
from reactivate.evidence.networks import NetworkRun
from reactivate.foundation.seeding import generator
from reactivate.patterns.paths import fixed_paths
from reactivate.patterns.preactivations import evaluating

BATCH = 125


def around_image(
    networks: list[NetworkRun], image: int, side: int, epsilon: float, eta: float
) -> pd.DataFrame:
    """Prediction and paths of the first output on a square around an image.

    Args:
        networks: A single one.
        image: Number of the image in the test part, from 0.
        side: Points along each side.
        epsilon: How far the square reaches: as far as noise that moves every pixel by so many
            255ths.
        eta: What is left of float paths in the reformed prediction.
    """

    def measure(run: NetworkRun) -> pd.DataFrame:
        x, _ = unit_images(run, image + 1)
        reach = epsilon / 255 * sqrt(x[image].numel())
        axes = directions(x[image], run.cell.dataset)
        return plane(unit_network(run), x[image], axes, reach, side, eta)

    return by_defence(networks, measure)


def directions(image: Tensor, dataset: str) -> Tensor:
    """Two random directions of length 1, at right angles, ``(2, *)``."""
    drawn = torch.randn(image.numel(), 2, generator=generator(dataset, "plane through an image"))
    axes: Tensor = torch.linalg.qr(drawn)[0]
    return axes.T.reshape(2, *image.shape).to(image)


def plane(
    network: nn.Module, image: Tensor, axes: Tensor, reach: float, side: int, eta: float
) -> pd.DataFrame:
    """First output, its fixed and float paths, and both with float paths times eta.

    Paths are fixed between the image and the point of the plane, as in SCRFP-2. ``u`` and ``v``
    are the Euclidean distances from the image along both axes.

    Args:
        network: Reads images from 0 to 1.
        image: Centre of the plane, ``(C, H, W)``.
        axes: Two directions, ``(2, C, H, W)``.
        reach: From the centre to each side.
        side: Points along each side.
        eta: Factor of the float paths.
    """
    steps = torch.linspace(-reach, reach, side, dtype=image.dtype)
    places = torch.cartesian_prod(steps, steps)
    points = image + torch.tensordot(places.to(image.device), axes, dims=1)
    outputs, fixed = [], []
    for part in torch.split(points, BATCH):
        with evaluating(network):
            outputs.append(network(part)[:, 0])
        fixed.append(fixed_paths(network, image.expand_as(part), part)[1][:, 0])
    prediction, steady = torch.cat(outputs).cpu(), torch.cat(fixed).cpu()
    floating = prediction - steady
    columns = {
        "u": places[:, 0],
        "v": places[:, 1],
        "prediction": prediction,
        "fixed": steady,
        "float": floating,
        "reformed": steady + eta * floating,
    }
    numbers = pd.DataFrame({name: value.numpy().round(6) for name, value in columns.items()})
    return numbers.assign(eta=eta)
