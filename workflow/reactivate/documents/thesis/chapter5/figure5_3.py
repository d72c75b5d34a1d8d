"""Thesis, Figure 5.3: pattern similarity of images with one label and with all labels."""

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.evidence.networks import NetworkRun, images, trained, untrained
from reactivate.foundation.seeding import generator
from reactivate.patterns.labels import mixed_labels, one_label
from reactivate.patterns.regions import patterns_of
from reactivate.patterns.similarity import all_pairs, distribution

# section 5.2.2.1
SEPARATIONS: dict[str, list[tuple[float, ...]]] = {
    "sigmoid": [(-0.25, 0.25), (-0.5, 0.5)],
    "relu": [(0.0,)],
}
THRESHOLDS = [number / 100 for number in range(101)]  # lambda


def subsets(networks: list[NetworkRun], count: int, label: int) -> pd.DataFrame:
    """Share of pairs more similar than lambda: one label and all, before and after training.

    Args:
        networks: Trained ones; they are also looked at as they were before.
        count: Images of each set, where there are as many.
        label: The label of the set with one label.
    """
    parts = []
    for run in networks:
        x, labels = images(run, "test")
        available = int((labels == label).sum())
        random = generator(run.cell.dataset, "combined images")
        sets = {
            "single": x[one_label(labels, label, min(count, available))],
            "combined": x[mixed_labels(labels, min(count, len(x)), random)],
        }
        for state, network in (("untrained", untrained(run)), ("trained", trained(run))):
            for breakpoints in SEPARATIONS[run.cell.activation]:
                for name, chosen in sets.items():
                    part = curve(network, chosen, breakpoints)
                    part.insert(0, "images", len(chosen))
                    part.insert(0, "set", name)
                    part.insert(0, "state", state)
                    part.insert(0, "separation", " ".join(map(str, breakpoints)))
                    part.insert(0, "seed", run.seed)
                    part.insert(0, "activation", run.cell.activation)
                    parts.append(part)
    return pd.concat(parts, ignore_index=True)


def curve(network: nn.Module, x: Tensor, breakpoints: tuple[float, ...]) -> pd.DataFrame:
    """Share of the pairs of different points whose similarity is larger than each threshold."""
    similarities = all_pairs(patterns_of(network, x, breakpoints).codes)
    first, second = torch.triu_indices(len(x), len(x), offset=1)
    shares = distribution(similarities[first, second], THRESHOLDS)
    return pd.DataFrame({"threshold": THRESHOLDS, "share": shares.numpy().round(6)})
