"""Importance of a parameter: its weight and the entropy of its neurons, blended."""

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor

from reactivate.foundation.registry import unknown_name
from reactivate.patterns.protocols import ProtocolName, check_protocol
from reactivate.pruning.posterior import spread

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

# the blends of z-scores: the score of a measure that says nothing, and what is done with two
OF_SCORES: dict[str, tuple[float, Blend]] = {
    "normalised_product": (1.0, torch.mul),
    "sum": (0.0, torch.add),
}


def importance(
    weights: Tensor,
    entropies: Tensor,
    blend: str,
    protocol: ProtocolName = "document",
    kept: Tensor | None = None,
) -> Tensor:
    """Importance of the parameters of a layer that remain; the lowest are removed first.

    ``document``: the prior is ``|w|`` (printed as ``w``), the posterior the entropy of the neurons
    that the parameter feeds; means and deviations are those over the parameters that remain.
    ``authors_code``: the prior keeps its sign (but for the blend ``weight``), the harmonic mean
    has offsets, and the absolute value of the blend counts. Means and (unbiased) deviations are
    those over the whole layer, where masked weights are 0, and of entropies over its units.

    A measure that is the same for all parameters says nothing: it is a factor 1 of the products of
    scores, and 0 in their sum.

    Reference:
        Jiang 2024, section 5.4.2.3, Eq. 5.29 (PhD thesis, Lancaster); the author's program:
        OrangeBai/AP_Prune b477fcd.

    Args:
        weights: Parameters of the layer, ``(units, *)``.
        entropies: Entropy of the neurons of each unit, ``(units)``.
        blend: A key of :data:`BLENDS`.
        protocol: The formulas of the document, or those of the author's program.
        kept: Mask of the parameters that remain, shaped like ``weights``; all if None.

    Returns:
        float64 ``(remaining)``, in the order of the mask.

    Raises:
        ValueError: There is no such blend or protocol, or the protocol does not have the blend.

    Example:
        >>> importance(torch.tensor([-3.0, 1.0]), torch.tensor([0.1, 0.5]), "entropy_weighted")
        tensor([0.3000, 0.5000], dtype=torch.float64)
    """
    if blend not in BLENDS:
        raise unknown_name("blend", blend, list(BLENDS), WHERE)
    check_protocol(protocol)
    kept = torch.ones_like(weights, dtype=torch.bool) if kept is None else kept.bool()
    prior, posterior = weights.double() * kept, entropies.double()
    if protocol == "document" or blend == "weight":
        return BLENDS[blend](prior[kept].abs(), spread(posterior, prior)[kept])
    if blend == "standardised_product":
        raise ValueError(
            f"the author's program has no blend {blend!r}; accepted: another blend, or the "
            "protocol document. Change the call, or `pruning` of the recipe"
        )
    if blend == "harmonic_mean":
        posterior, prior = posterior + ENTROPY_OFFSET, prior + WEIGHT_OFFSET
    if blend in OF_SCORES:
        neutral, combine = OF_SCORES[blend]
        posterior, prior = (_scores(v, neutral, correction=1) for v in (posterior, prior))
        found = combine(prior, spread(posterior, prior))
    else:
        found = BLENDS[blend](prior, spread(posterior, prior))
    return found[kept].abs()


def _scores(values: Tensor, neutral: float, correction: int = 0) -> Tensor:
    """Distances from the mean in deviations, or ``neutral`` if all values are the same."""
    if _constant(values):
        return torch.full_like(values, neutral)
    return (values - values.mean()) / values.std(correction=correction)


def _between_0_and_1(values: Tensor) -> Tensor:
    """Values moved and scaled to the interval, or 1 if all are the same."""
    if _constant(values):
        return torch.ones_like(values)
    return (values - values.min()) / (values.max() - values.min())


def _constant(values: Tensor) -> bool:
    """Whether all values are the same."""
    return values.numel() == 0 or bool(values.min() == values.max())
