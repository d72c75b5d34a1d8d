"""Masks on the parameters of a network: the lowest scores go first, by whole numbers."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils import prune

from reactivate.pruning.targets import WEIGHT, Target


def start_masks(targets: Sequence[Target]) -> None:
    """Puts masks of ones on all targets that have none; what the network computes stays.

    From now on ``weight_orig`` is trained, ``weight_mask`` is kept with the state, and
    ``weight`` is their product.

    Example:
        >>> from reactivate.pruning.targets import find_targets
        >>> network = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
        >>> start_masks(find_targets(network, torch.zeros(1, 2)))
        >>> sorted(network[0].state_dict())
        ['bias', 'weight_mask', 'weight_orig']
    """
    for target in targets:
        if not prune.is_pruned(target.module):
            prune.identity(target.module, WEIGHT)  # type: ignore[no-untyped-call]
            # torch flattens masks as views, which channels last do not allow
            setattr(target.module, f"{WEIGHT}_mask", target.mask.contiguous())


def mask_lowest(targets: Sequence[Target], scores: Sequence[Tensor], gone: int) -> None:
    """Masks the parameters with the lowest scores until ``gone`` of all are masked.

    The targets are one group: a layer of its own for the same share of every layer, or all
    layers for one threshold. Among equal scores the smaller weight goes first, so where entropy
    says nothing, weight decides; then the earlier one.

    Args:
        targets: Targets that have masks.
        scores: Scores of the parameters that remain in each target, ``(remaining)``, in the order
            of its mask.
        gone: Parameters of the group that are masked afterwards; if more are, nothing changes.
    """
    kept = [target.mask.bool() for target in targets]
    size = sum(mask.numel() for mask in kept)
    amount = gone - (size - sum(int(mask.sum()) for mask in kept))
    if amount <= 0:
        return
    weights = [t.stored.detach()[mask].abs() for t, mask in zip(targets, kept, strict=True)]
    ranks = ranked(torch.cat(list(scores)), torch.cat(weights))
    own = torch.split(ranks, [int(mask.sum()) for mask in kept])
    given = {}
    for target, mask, rank in zip(targets, kept, own, strict=True):
        full = torch.zeros(mask.shape, dtype=torch.float64, device=mask.device)
        given[target.module, WEIGHT] = full.masked_scatter_(mask, rank)
    prune.global_unstructured(
        list(given), prune.L1Unstructured, importance_scores=given, amount=amount
    )


def ranked(scores: Tensor, weights: Tensor) -> Tensor:
    """Place of every score in ascending order, from 1; among equal scores, by the weight.

    Example:
        >>> ranked(torch.tensor([0.5, 0.0, 0.0]), torch.tensor([1.0, 3.0, 2.0]))
        tensor([3., 2., 1.], dtype=torch.float64)
    """
    order = weights.argsort(stable=True)
    order = order[scores[order].argsort(stable=True)]
    places = torch.empty(len(order), dtype=torch.float64, device=scores.device)
    places[order] = torch.arange(1, len(order) + 1, dtype=torch.float64, device=scores.device)
    return places


def make_permanent(network: nn.Module) -> None:
    """Removes all masks; what they masked is 0."""
    for module in network.modules():
        if hasattr(module, f"{WEIGHT}_mask"):
            prune.remove(module, WEIGHT)  # type: ignore[no-untyped-call]


def detach_products(network: nn.Module) -> None:
    """Cuts masked weights off the graph of the last forward pass, so that they can be copied."""
    for module in network.modules():
        if hasattr(module, f"{WEIGHT}_mask"):
            setattr(module, WEIGHT, getattr(module, WEIGHT).detach())
