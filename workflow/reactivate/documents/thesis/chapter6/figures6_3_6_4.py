"""Thesis, Figures 6.3 and 6.4: local Lipschitz constants and prediction distances."""

from functools import partial

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.attacks.fgsm import fgsm
from reactivate.documents.thesis.chapter6.defences import by_defence
from reactivate.documents.thesis.chapter6.noise import noise
from reactivate.evidence.hardened import unit_images, unit_network
from reactivate.evidence.networks import NetworkRun
from reactivate.patterns.lipschitz import local_lipschitz
from reactivate.patterns.preactivations import evaluating


def distances(
    networks: list[NetworkRun], images: int, samples: int, epsilon: float
) -> pd.DataFrame:
    """Figure 6.3: constants and distances of predictions around every image.

    Args:
        networks: With different defences.
        images: How many of the test part.
        samples: Noisy copies of each image, every pixel of them at most ``epsilon`` away.
        epsilon: Size of the noise and of FGSM's step, in 255ths.
    """
    return _of_networks(networks, images, samples, epsilon, attacked=True)


def constants(
    networks: list[NetworkRun], images: int, samples: int, epsilon: float
) -> pd.DataFrame:
    """Figure 6.4: constants around every image; see :func:`distances`."""
    return _of_networks(networks, images, samples, epsilon, attacked=False)


def _of_networks(
    networks: list[NetworkRun], images: int, samples: int, epsilon: float, attacked: bool
) -> pd.DataFrame:
    def measure(run: NetworkRun) -> pd.DataFrame:
        network, (x, labels) = unit_network(run), unit_images(run, images)

        def one(number: int) -> dict[str, float]:
            image = x[number], labels[number], run.cell.dataset, number
            return around(network, *image, samples, epsilon / 255, attacked)

        rows = [run.piece(str(number), partial(one, number)) for number in range(len(x))]
        return pd.DataFrame(rows)

    return by_defence(networks, measure)


def around(
    network: nn.Module,
    image: Tensor,
    label: Tensor,
    dataset: str,
    number: int,
    samples: int,
    epsilon: float,
    attacked: bool,
) -> dict[str, float]:
    """Mean and variance over noisy copies of one image.

    The local constant is the spectral norm of the Jacobian at the copy (Eq. 4.28). The distance
    is the Euclidean one between the scores of the copy and of its FGSM example. Copies are cut to
    the range of pixels, since attacks start from images.

    Args:
        network: Reads images from 0 to 1.
        image: ``(C, H, W)``.
        label: Its label.
        dataset: Names the stream of noise, with the number of the image.
        number: Number of the image.
        samples: Copies, at least 2.
        epsilon: Size of noise and attack, for pixels from 0 to 1.
        attacked: Whether distances are measured too.
    """
    lengths, steps = [], []
    for drawn in noise("uniform", dataset, number, image, samples):
        copies = (image + epsilon * drawn).clamp(0, 1)
        lengths.append(local_lipschitz(network, copies))
        if attacked:
            moved = fgsm(network, copies, label.expand(len(copies)), epsilon)
            with evaluating(network):
                steps.append((network(copies) - network(moved)).norm(dim=1))
    moments: dict[str, float] = {"image": number, **_moments("lipschitz", torch.cat(lengths))}
    return {**moments, **_moments("distance", torch.cat(steps))} if attacked else moments


def _moments(name: str, values: Tensor) -> dict[str, float]:
    """Mean and variance with six digits."""
    moments = {"mean": values.double().mean(), "variance": values.double().var()}
    return {f"{name}_{key}": float(f"{float(value):.6g}") for key, value in moments.items()}
