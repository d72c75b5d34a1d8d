"""Thesis, Figure 6.1: direction and scale of fixed and float paths under an attack."""

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.attacks.fgsm import fgsm
from reactivate.documents.thesis.chapter6.defences import by_defence
from reactivate.evidence.hardened import unit_images, unit_network
from reactivate.evidence.networks import NetworkRun
from reactivate.patterns.paths import path_change
from reactivate.patterns.protocols import PROTOCOLS

BATCH = 125


def path_changes(networks: list[NetworkRun], images: int, epsilon: float) -> pd.DataFrame:
    """Cosine similarity to the label and length of what paths change, by network and image.

    Args:
        networks: With different defences.
        images: How many of the test part.
        epsilon: Size of FGSM's step, in 255ths.
    """

    def measure(run: NetworkRun) -> pd.DataFrame:
        return of_network(unit_network(run), *unit_images(run, images), epsilon / 255)

    return by_defence(networks, measure)


def of_network(network: nn.Module, x: Tensor, labels: Tensor, epsilon: float) -> pd.DataFrame:
    """Changes in one network, a row for each protocol of paths and image.

    The columns are the number of the image, its label, and of fixed and float paths the cosine
    similarity to the label and the Euclidean length. The change is that from x to x': Eq. 6.9
    has the opposite sign, for which an attack on the label would give 1 and not the printed -1,
    and section 6.3.2 speaks of ``f(x') - f(x)``. A change of length 0 has no direction.

    Args:
        network: Reads images from 0 to 1.
        x: Images, ``(N, C, H, W)``.
        labels: ``(N)``.
        epsilon: Size of FGSM's step, for pixels from 0 to 1.
    """
    parts = []
    for start in range(0, len(x), BATCH):
        images, own = x[start : start + BATCH], labels[start : start + BATCH]
        attacked = fgsm(network, images, own, epsilon)
        for protocol in PROTOCOLS:
            changes = path_change(network, images, attacked, protocol)
            part = {"image": start + torch.arange(len(own)), "label": own}
            for name, change in zip(("fixed", "float"), changes, strict=True):
                part[f"cosine_{name}"] = to_label(-change, own)
                part[f"norm_{name}"] = torch.linalg.vector_norm(change, dim=1)
            frame = pd.DataFrame({key: value.cpu().numpy() for key, value in part.items()})
            frame.insert(0, "protocol", protocol)
            parts.append(frame)
    return pd.concat(parts, ignore_index=True).round(5)


def to_label(changes: Tensor, labels: Tensor) -> Tensor:
    """Cosine of the angle between changes of scores and the one-hot label; NaN for no change.

    Example:
        >>> to_label(torch.tensor([[-2.0, 0.0], [3.0, 4.0]]), torch.tensor([0, 1]))
        tensor([-1.0000,  0.8000])
    """
    lengths: Tensor = torch.linalg.vector_norm(changes, dim=1)
    return changes.gather(1, labels[:, None]).squeeze(1) / lengths
