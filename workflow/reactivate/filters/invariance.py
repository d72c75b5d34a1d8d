"""Invariance scores of filters: how often what fires one still does when it is transformed.

The definitions are those of Goodfellow et al. 2009, section 4: a unit fires when its response
exceeds a threshold at which it fires G of the time (the global firing rate); of the stimuli
similar to one that fires it, it fires for the share L (the local firing rate); the invariance
score is L / G. Shang et al. 2016, section C of the supplement, say how this is done for
convolutions. What they leave open is decided as follows.

- G counts all images and all places: a filter of a map of 32 x 32 has 1024 responses per image.
- All places that fire count in L. "The same spatial location" is the same row and column of the
  map, also after a flip.
- Each stimulus counts the same in L, and the original image is not one of them.
- CReLU's response is its absolute value for the firing itself too, not for the threshold alone.
- The score is divided by the rate asked for. A ReLU filter that is positive less often fires less
  often at any threshold; divided by its own rate, one that fires once would outweigh a layer.
- A filter that never fires has no score.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import torch
from torch import Tensor, nn

from reactivate.activations.crelu import CReLU
from reactivate.patterns.preactivations import (
    activations_of,
    evaluating,
    visit_batches,
    watching,
)

# Most bytes of responses that are kept for thresholds; beside them there is one batch, and a copy
# of one layer's. 10000 images of CIFAR or 5000 of ImageNet take about a fifth of it.
LIMIT = 2**30  # bytes
# An image batch and, one at a time, the stimuli similar to it, by name.
Stimuli = tuple[Tensor, Iterable[tuple[str, Tensor]]]


class Highest:
    """The highest responses of each filter, kept while batches pass by.

    Args:
        count: Number of responses of each filter that are kept.

    Example:
        >>> highest = Highest(2)
        >>> highest.update(torch.tensor([[3.0, 1.0, 2.0]]))
        >>> highest.update(torch.tensor([[0.0, 9.0]]))
        >>> highest.lowest()
        tensor([3.])
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.values: Tensor | None = None

    def update(self, responses: Tensor) -> None:
        """Adds responses, ``(filters, any number)``."""
        if self.values is not None:
            responses = torch.cat([self.values, responses], dim=1)
        count = min(self.count, responses.shape[1])
        self.values = responses.topk(count, dim=1, sorted=False).values

    def lowest(self) -> Tensor:
        """The lowest of those kept, ``(filters)``."""
        assert self.values is not None
        return self.values.amin(dim=1)


@dataclass(frozen=True)
class Firing:
    """Counts of how often the filters of a layer fire.

    Attributes:
        rate: The global firing rate that was asked for.
        responses: Responses of a filter: images times places.
        fired: Responses that fire each filter, ``(filters)``.
        kept: Places that fire each filter for the image and for a stimulus similar to it,
            ``(filters)`` by stimulus.
    """

    rate: float
    responses: int
    fired: Tensor
    kept: dict[str, Tensor]

    def global_rate(self) -> Tensor:
        """Share of responses that fire each filter; at most ``rate``, ``(filters)``."""
        return self.fired.double() / self.responses

    def local_rate(self, *stimuli: str) -> Tensor:
        """Share of stimuli (of all, by default) that still fire; NaN if none fires, ``(filters)``.

        Example:
            >>> kept = {"flip": torch.tensor([2]), "left": torch.tensor([1])}
            >>> Firing(0.01, 400, torch.tensor([4]), kept).local_rate()
            tensor([0.3750], dtype=torch.float64)
        """
        asked = [self.kept[name] for name in stimuli or self.kept]
        return torch.stack(asked).double().mean(dim=0) / self.fired

    def score(self, *stimuli: str) -> Tensor:
        """Local over global firing rate: 1 / ``rate`` if nothing changes, ``(filters)``."""
        return self.local_rate(*stimuli) / self.rate


def strength(activation: nn.Module, response: Tensor) -> Tensor:
    """Strength of responses: negative ones count as 0 for ReLU, by their size for CReLU.

    Raises:
        ValueError: The activation is another, for which the paper prints no rule.

    Example:
        >>> z = torch.tensor([-2.0, 1.0])
        >>> strength(nn.ReLU(), z), strength(CReLU(), z)
        (tensor([0., 1.]), tensor([2., 1.]))
    """
    if isinstance(activation, nn.ReLU):
        return response.clamp(min=0)
    if isinstance(activation, CReLU):
        return response.abs()
    raise ValueError(
        f"{type(activation).__name__} has no rule for firing; accepted: ReLU, CReLU. "
        "Choose a network with these in config/papers"
    )


def firing_thresholds(
    network: nn.Module, images: Iterable[Tensor], count: int, rate: float = 0.01, layers: int = 0
) -> dict[str, Tensor]:
    """Threshold of each filter, which the share ``rate`` of its responses exceeds.

    It is exact: of n responses the ``floor(rate n) + 1`` highest are kept, the lowest of which is
    the threshold. Equal responses leave fewer above it. All layers together keep at most
    :data:`LIMIT`.

    Args:
        network: Any with ReLU or CReLU modules; it is evaluated and left as it was.
        images: Batches, ``(N, C, H, W)``.
        count: Number of all images.
        rate: The global firing rate, G.
        layers: Number of layers from the input on; 0 for all.

    Returns:
        Thresholds by layer, in forward order, ``(filters)`` each.

    Raises:
        ValueError: A filter has too few responses, or more would have to be kept than the limit.
    """
    names = list(activations_of(network))[: layers or None]
    highest: dict[str, Highest] = {}
    sizes: dict[str, int] = {}  # bytes, once all images have passed

    def visit(name: str, activation: nn.Module, response: Tensor) -> None:
        if name not in names:
            return
        if name not in highest:
            highest[name] = Highest(_kept(count * response[0, 0].numel(), rate))
            sizes[name] = highest[name].count * response.shape[1] * response.element_size()
            _check_limit(sum(sizes.values()))
        highest[name].update(strength(activation, response).transpose(0, 1).flatten(1))

    visit_batches(network, images, visit)
    return {name: kept.lowest() for name, kept in highest.items()}


def _kept(responses: int, rate: float) -> int:
    """Number of the highest responses that must be kept to know the threshold of a rate."""
    above = floor(Fraction(str(rate)) * responses)
    if above < 1:
        raise ValueError(
            f"{responses} responses of a filter are too few for a firing rate of {rate:g}; "
            f"accepted: at least {round(1 / rate)}. Use more images in config/scales.yaml"
        )
    return above + 1


def _check_limit(size: int) -> None:
    """Raises if the kept responses take more memory than is allowed."""
    if size > LIMIT:
        raise ValueError(
            f"the highest responses of the layers take {size} bytes or more; accepted: {LIMIT}, "
            "LIMIT in workflow/reactivate/filters/invariance.py. Use fewer images in config"
        )


def fires(network: nn.Module, x: Tensor, thresholds: dict[str, Tensor]) -> dict[str, Tensor]:
    """Masks of the places where each filter fires, ``(N, filters, H, W)`` by layer."""
    fired: dict[str, Tensor] = {}

    def visit(name: str, activation: nn.Module, response: Tensor) -> None:
        if name in thresholds:
            fired[name] = strength(activation, response) > thresholds[name][:, None, None]

    with evaluating(network), watching(network, visit):
        network(x)
    return fired


def firing(
    network: nn.Module,
    batches: Callable[[], Iterable[Stimuli]],
    count: int,
    rate: float = 0.01,
    layers: int = 0,
) -> dict[str, Firing]:
    """Counts of how often filters fire, and still do so for similar stimuli, by layer.

    It takes two passes over the images: one for the thresholds, one for the counts. Of the
    responses no more is kept than :func:`firing_thresholds` says, and where a batch fires. To
    fire still is to fire at the same place.

    Reference:
        Shang et al. 2016, section 4.2 and section C of the supplement (arXiv:1603.05201);
        Goodfellow et al. 2009, section 4. The module says what they leave open.

    Args:
        network: Any with ReLU or CReLU modules; it is evaluated and left as it was.
        batches: Called twice, gives the same batches; only the second time are the similar
            stimuli asked for.
        count: Number of all images.
        rate: The global firing rate, G.
        layers: Number of layers from the input on; 0 for all.

    Example:
        >>> network = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU())
        >>> _ = nn.init.ones_(network[0].weight)
        >>> x = torch.linspace(-1, 1, 200).sin().reshape(2, 1, 10, 10)
        >>> layers = firing(network, lambda: [(x, [("same", x)])], count=2, rate=0.05)
        >>> layers["1"].local_rate()
        tensor([1., 1.], dtype=torch.float64)
    """
    thresholds = firing_thresholds(network, (x for x, _ in batches()), count, rate, layers)
    responses = dict.fromkeys(thresholds, 0)
    fired = {name: torch.zeros_like(t, dtype=torch.int64) for name, t in thresholds.items()}
    kept: dict[str, dict[str, Tensor]] = {name: {} for name in thresholds}
    for original, similar in batches():
        before = fires(network, original, thresholds)
        for name, where in before.items():
            responses[name] += len(where) * where[0, 0].numel()
            fired[name] += _tally(where)
        for stimulus, x in similar:
            for name, where in fires(network, x, thresholds).items():
                both = _tally(where & before[name])
                kept[name][stimulus] = kept[name].get(stimulus, 0) + both
    return {name: Firing(rate, responses[name], fired[name], kept[name]) for name in thresholds}


def _tally(where: Tensor) -> Tensor:
    """Number of marked places of each filter, over all images."""
    return where.sum(dim=(0, 2, 3))
