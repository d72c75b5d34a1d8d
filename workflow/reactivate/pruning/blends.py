"""Importance of a parameter: its weight and the entropy of its neurons, blended."""

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor

from reactivate.foundation.registry import unknown_name
from reactivate.patterns.protocols import ProtocolName, check_protocol

PruningProtocol = Literal["document", "authors_code"]  # whose formulas
Blend = Callable[[Tensor, Tensor], Tensor]  # prior, posterior -> importance

WHERE = "workflow/reactivate/pruning/blends.py"
# what the author's program adds before it divides
ENTROPY_OFFSET, WEIGHT_OFFSET = 1e-8, 1e-4


def weight(prior: Tensor, posterior: Tensor) -> Tensor:
    """Importance by the prior alone: the benchmark."""
    return prior


def entropy_weighted(prior: Tensor, posterior: Tensor) -> Tensor:
    """Importance as the prior times the posterior."""
    return prior * posterior


def harmonic_mean(prior: Tensor, posterior: Tensor) -> Tensor:
    """Half the harmonic mean, ``1 / (1 / posterior + 1 / prior)``; 0 where one of them is 0."""
    return 1 / (1 / posterior + 1 / prior)


def normalised_product(prior: Tensor, posterior: Tensor) -> Tensor:
    """Product of z-scores, as printed: two strongly negative ones rank as important."""
    return _scores(prior, neutral=1.0) * _scores(posterior, neutral=1.0)


def standardised_product(prior: Tensor, posterior: Tensor) -> Tensor:
    """Product of prior and posterior, each moved and scaled to the interval from 0 to 1."""
    return _between_0_and_1(prior) * _between_0_and_1(posterior)


def summed(prior: Tensor, posterior: Tensor) -> Tensor:
    """Sum of z-scores: in the author's program, not among the printed formulas."""
    return _scores(prior, neutral=0.0) + _scores(posterior, neutral=0.0)


BLENDS: dict[str, Blend] = {
    "weight": weight,
    "entropy_weighted": entropy_weighted,
    "harmonic_mean": harmonic_mean,
    "normalised_product": normalised_product,
    "standardised_product": standardised_product,
    "sum": summed,
}


def importance(
    weights: Tensor, entropies: Tensor, blend: str, protocol: ProtocolName = "document"
) -> Tensor:
    """Importance of the parameters of a layer; the lowest are removed first.

    ``document``: the prior is ``|w|`` (printed as ``w``), the posterior the entropy of the neurons
    that the parameter feeds. ``authors_code``: the prior keeps its sign (but for the blend
    ``weight``), the harmonic mean has offsets, and the absolute value of the blend counts.

    A measure that is the same for all parameters says nothing: it is a factor 1 of the products of
    scores, and 0 in their sum.

    Reference:
        Jiang 2024, section 5.4.2.3, Eq. 5.29 (PhD thesis, Lancaster); the author's program:
        OrangeBai/AP_Prune b477fcd.

    Args:
        weights: Parameters that remain, any shape.
        entropies: Entropy of each parameter's neurons, shaped like ``weights``.
        blend: A key of :data:`BLENDS`.
        protocol: The formulas of the document, or those of the author's program.

    Returns:
        float64, shaped like ``weights``.

    Raises:
        ValueError: There is no such blend or protocol, or the protocol does not have the blend.

    Example:
        >>> importance(torch.tensor([-3.0, 1.0]), torch.tensor([0.1, 0.5]), "entropy_weighted")
        tensor([0.3000, 0.5000], dtype=torch.float64)
    """
    if blend not in BLENDS:
        raise unknown_name("blend", blend, list(BLENDS), WHERE)
    check_protocol(protocol)
    prior, posterior = weights.double(), entropies.double()
    if protocol == "document" or blend == "weight":
        return BLENDS[blend](prior.abs(), posterior)
    if blend == "standardised_product":
        raise ValueError(
            f"the author's program has no blend {blend!r}; accepted: another blend, or the "
            "protocol document. Change the call, or `pruning` of the recipe"
        )
    if blend == "harmonic_mean":
        posterior, prior = posterior + ENTROPY_OFFSET, prior + WEIGHT_OFFSET
    return BLENDS[blend](prior, posterior).abs()


def _scores(values: Tensor, neutral: float) -> Tensor:
    """Distances from the mean in deviations, or ``neutral`` if all values are the same."""
    if _constant(values):
        return torch.full_like(values, neutral)
    return (values - values.mean()) / values.std(correction=0)


def _between_0_and_1(values: Tensor) -> Tensor:
    """Values moved and scaled to the interval, or 1 if all are the same."""
    if _constant(values):
        return torch.ones_like(values)
    return (values - values.min()) / (values.max() - values.min())


def _constant(values: Tensor) -> bool:
    """Whether all values are the same."""
    return values.numel() == 0 or bool(values.min() == values.max())
