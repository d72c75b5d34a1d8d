"""CIFAR networks with ReLU, dynamic and static PSC: their parameters and test accuracy."""

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.documents.psc.networks import gates_of, networks
from reactivate.evidence.networks import NetworkRun, images, trained
from reactivate.evidence.observed import Observations
from reactivate.models.collapsed import collapsed, compressed
from reactivate.models.flops import count_parameters
from reactivate.models.psc_resnet import PscResNet
from reactivate.training.metrics import accuracies

BATCH = 500
WHOLE = "psc_whole"  # dynamic PSC in place of ReLU, without fewer filters to make up for it
GATED, COMPRESSED, UNCHANGED = "gates removed", "SVD", "nothing"


def accuracy(runs: Observations, images: int) -> pd.DataFrame:
    """Parameters and test accuracy of every network, as trained and as it is used afterwards.

    Static PSC is used without its closed connections; dynamic PSC with twice the weights is
    compressed by SVD, untrained since; the others stay as they are.

    Args:
        runs: Trained networks, by variant (row), dataset (column) and seed.
        images: Test images that are looked at, at most.

    Returns:
        Columns row, column, seed, parameters, top1 (percent), after (what is done to the network
        then), parameters_after, top1_after, predictions_changed (share) and largest_change (of an
        output).
    """
    rows = []
    for run in networks(runs):
        network = trained(run)
        after, used = finished(run.place[0], network)
        scores, labels = outputs(run, network, images)
        then = scores if used is network else outputs(run, used, images)[0]
        rows.append(
            {
                "row": run.place[0],
                "column": run.place[1],
                "seed": run.seed,
                "parameters": count_parameters(network),
                "top1": accuracies(scores, labels)["top1"],
                "after": after,
                "parameters_after": count_parameters(used),
                "top1_after": accuracies(then, labels)["top1"],
                "predictions_changed": (scores.argmax(1) != then.argmax(1)).double().mean().item(),
                "largest_change": (scores - then).abs().max().item(),
            }
        )
    return pd.DataFrame(rows)


def finished(row: str, network: nn.Module) -> tuple[str, nn.Module]:
    """The name of what is done to a trained network, and the network that is used then."""
    if gates_of(network):
        return GATED, collapsed(network)
    if row == WHOLE and isinstance(network, PscResNet):
        return COMPRESSED, compressed(network).eval()
    return UNCHANGED, network


@torch.no_grad()
def outputs(run: NetworkRun, network: nn.Module, count: int) -> tuple[Tensor, Tensor]:
    """Outputs for the first test images, and the labels."""
    x, labels = images(run, "test", count)
    return torch.cat([network(batch) for batch in torch.split(x, BATCH)]), labels
