"""Thesis, Figure 5.2: distance, similarity and transitions of pairs of images."""

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.evidence.networks import NetworkRun, images, trained
from reactivate.patterns.breakpoints import is_piecewise_linear
from reactivate.patterns.crossings import count_transitions
from reactivate.patterns.preactivations import activations_of, evaluating
from reactivate.patterns.regions import patterns_of
from reactivate.patterns.similarity import all_pairs
from reactivate.patterns.transitions import INTERIOR, estimate_transitions


def pairs(networks: list[NetworkRun], count: int, interior: int = INTERIOR) -> pd.DataFrame:
    """Prediction distance, pattern similarity and transitions of all pairs of the first images.

    Args:
        networks: Trained ones, one for each activation and seed.
        count: Images of the test part.
        interior: Points between the two ends of a segment at which patterns are compared.
    """
    parts = []
    for run in networks:
        x, labels = images(run, "test", count)
        numbers = of_network(trained(run), x, labels, interior)
        numbers.insert(0, "activation", run.cell.activation)
        numbers.insert(1, "seed", run.seed)
        parts.append(numbers)
    return pd.concat(parts, ignore_index=True)


def of_network(network: nn.Module, x: Tensor, labels: Tensor, interior: int) -> pd.DataFrame:
    """All pairs of some points in one network.

    The columns are the numbers of both points (from 0), whether they have the same label, the
    Euclidean distance of the outputs before the softmax, the pattern similarity, and how often
    the pattern and single neurons change on the segment between the points: from point to point
    of the printed estimate, and for piecewise-linear networks exactly.
    """
    first, second = torch.triu_indices(len(x), len(x), offset=1)
    with evaluating(network):
        outputs = network(x)
    distance = (outputs[first] - outputs[second]).double().norm(dim=1)
    similarity = all_pairs(patterns_of(network, x).codes)[first, second]
    sampled = estimate_transitions(network, x[first], x[second], interior)
    numbers = pd.DataFrame(
        {
            "first": first,
            "second": second,
            "same_label": labels[first] == labels[second],
            "distance": distance.numpy().round(6),
            "similarity": similarity.numpy().round(6),
            "transitions_printed": sampled.regions,
            "flips_sampled": sampled.flips,
        }
    )
    exact = pd.array([pd.NA] * len(numbers), dtype="Int64")
    numbers["transitions_exact"], numbers["flips_exact"] = exact, exact
    if all(is_piecewise_linear(unit) for unit in activations_of(network).values()):
        counted = count_transitions(network, x[first], x[second])
        numbers["transitions_exact"] = pd.array(counted.regions.numpy(), dtype="Int64")
        numbers["flips_exact"] = pd.array(counted.flips.numpy(), dtype="Int64")
    return numbers
