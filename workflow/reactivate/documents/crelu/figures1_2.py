"""CReLU, Figures 1 and 2: AlexNet's filters and their pairing filters, beside random ones."""

from collections.abc import Mapping

import pandas as pd
import torch
from torch import Tensor

from reactivate.documents.crelu.filters import load_filters
from reactivate.filters.alignment import chance_of_distance
from reactivate.filters.pairing import pair_filters, random_filters, unit_filters
from reactivate.foundation.seeding import generator

ALEXNET = "alexnet"
COLOURS = ("red", "green", "blue")  # of what conv1 reads
DIGITS = 5


def figure1() -> pd.DataFrame:
    """Every conv1 filter of AlexNet at unit length, its pairing filter and their correlation.

    The columns are the filter's number, its partner's, ``mu``, and its entries, named by colour,
    row and column.
    """
    weight = load_filters(ALEXNET)["conv1"].double()
    pairs = pair_filters(weight)
    _, channels, height, width = weight.shape
    names = [
        f"{COLOURS[colour]}_{y}_{x}"
        for colour in range(channels)
        for y in range(height)
        for x in range(width)
    ]
    said = {"filter": range(len(weight)), "partner": pairs.partners, "mu": pairs.correlations}
    entries = pd.DataFrame(unit_filters(weight).numpy(), columns=names)
    return pd.concat([pd.DataFrame(said), entries], axis=1).round(DIGITS)


def figure2(draws: int) -> pd.DataFrame:
    """Correlations with pairing filters in the five convolutions of AlexNet, and of random sets.

    Args:
        draws: Sets of random filters; the first is shown, all of them tell what chance gives.
    """
    return correlations(load_filters(ALEXNET), draws)


def correlations(layers: Mapping[str, Tensor], draws: int) -> pd.DataFrame:
    """One row per filter: its correlation with its pairing filter, and one of a random set.

    Columns: ``trained`` and ``random`` (of as many random filters of the same size; the two in a
    row have nothing to do with each other), and of the layer ``trained_mean``, ``random_mean`` and
    ``random_spread`` (mean and standard deviation, over random sets, of a set's mean),
    ``distance`` and ``chance`` (see :func:`reactivate.filters.alignment.chance_of_distance`).
    Layers of the same name and size are compared with the same random filters.

    Args:
        layers: Weights of convolutions by name.
        draws: Sets of random filters, at least 2.
    """
    parts = []
    for name, weight in layers.items():
        drawn = torch.stack([_chance(weight, name, draw) for draw in range(draws)])
        trained, means = pair_filters(weight.double()).correlations.cpu(), drawn.mean(dim=1)
        distance, chance = chance_of_distance(torch.cat([trained[None], drawn]))
        part = {
            "layer": name,
            "filter": range(len(weight)),
            "trained": trained,
            "random": drawn[0],
            "trained_mean": float(trained.mean()),
            "random_mean": float(means.mean()),
            "random_spread": float(means.std()),
            "distance": distance,
            "chance": chance,
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True).round(DIGITS)


def _chance(weight: Tensor, name: str, draw: int) -> Tensor:
    """Correlations of a set of random filters of the same size."""
    like = weight.double().cpu()
    return pair_filters(random_filters(like, generator("pairing", name, draw))).correlations
