"""Invariance scores of filters: whether what fires one still does after a transformation.

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

# Of responses kept while thresholds are found; beside them there is one batch, and a copy of one
# layer's. At scale paper, 10000 images of CIFAR or 5000 of ImageNet take about a fifth of it.
LIMIT = 2**30  # bytes
# An image batch and, one at a time, the stimuli similar to it, by name.
Stimuli = tuple[Tensor, Iterable[tuple[str, Tensor]]]


class Highest:
    """The highest responses of each filter, kept while batches pass by.

    Args:
        count: How many of each filter.

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
    """How often the filters of a layer fire.

    Attributes:
        rate: The global firing rate that was asked for.
        responses: Images times places.
        fired: Of these, those that fire each filter, ``(filters)``.
        kept: Of the fired ones, those that fire it still, ``(filters)`` by stimulus.
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
    """What is compared with the threshold: negative responses are 0 for ReLU, positive for CReLU.

    Raises:
        ValueError: Of another activation nothing is printed.

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
    """For each filter the response that the share ``rate`` of its responses exceeds.

    Exact: of n responses the ``floor(rate n) + 1`` highest are kept, the lowest of which is the
    threshold. Equal responses leave fewer above it. All layers together keep at most
    :data:`LIMIT`.

    Args:
        network: Any with ReLU or CReLU modules; it is evaluated and left as it was.
        images: Batches, ``(N, C, H, W)``.
        count: How many images there are.
        rate: The global firing rate, G.
        layers: How many, from the input; 0 for all.

    Returns:
        By layer, in forward order, ``(filters)``.

    Raises:
        ValueError: A filter has too few responses, or more would have to be kept than the limit.
    """
    names = list(activations_of(network))[: layers or None]
    found: dict[str, Highest] = {}
    sizes: dict[str, int] = {}  # bytes, once all images have passed

    def visit(name: str, activation: nn.Module, response: Tensor) -> None:
        if name not in names:
            return
        if name not in found:
            found[name] = Highest(_kept(count * response[0, 0].numel(), rate))
            sizes[name] = found[name].count * response.shape[1] * response.element_size()
            _check_limit(sum(sizes.values()))
        found[name].update(strength(activation, response).transpose(0, 1).flatten(1))

    visit_batches(network, images, visit)
    return {name: highest.lowest() for name, highest in found.items()}


def _kept(responses: int, rate: float) -> int:
    above = floor(Fraction(str(rate)) * responses)
    if above < 1:
        raise ValueError(
            f"{responses} responses of a filter are too few for a firing rate of {rate:g}; "
            f"accepted: at least {round(1 / rate)}. Use more images in config/scales.yaml"
        )
    return above + 1


def _check_limit(size: int) -> None:
    if size > LIMIT:
        raise ValueError(
            f"the highest responses of the layers take {size} bytes or more; accepted: {LIMIT}, "
            "LIMIT in workflow/reactivate/filters/invariance.py. Use fewer images in config"
        )


def fires(network: nn.Module, x: Tensor, thresholds: dict[str, Tensor]) -> dict[str, Tensor]:
    """Where each filter fires for a batch, ``(N, filters, H, W)`` by layer."""
    found: dict[str, Tensor] = {}

    def visit(name: str, activation: nn.Module, response: Tensor) -> None:
        if name in thresholds:
            found[name] = strength(activation, response) > thresholds[name][:, None, None]

    with evaluating(network), watching(network, visit):
        network(x)
    return found


def firing(
    network: nn.Module,
    batches: Callable[[], Iterable[Stimuli]],
    count: int,
    rate: float = 0.01,
    layers: int = 0,
) -> dict[str, Firing]:
    """How often filters fire, and still fire at the same place for similar stimuli, by layer.

    Two passes over the images: one for the thresholds, one for the counts. Of the responses no
    more is kept than :func:`firing_thresholds` says, and where a batch fires.

    Reference:
        Shang et al. 2016, section 4.2 and section C of the supplement (arXiv:1603.05201);
        Goodfellow et al. 2009, section 4. What they leave open: see the module.

    Args:
        network: Any with ReLU or CReLU modules; it is evaluated and left as it was.
        batches: Called twice, gives the same batches; only the second time are the similar
            stimuli asked for.
        count: How many images there are.
        rate: The global firing rate, G.
        layers: How many, from the input; 0 for all.

    Example:
        >>> network = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU())
        >>> _ = nn.init.ones_(network[0].weight)
        >>> x = torch.linspace(-1, 1, 200).sin().reshape(2, 1, 10, 10)
        >>> found = firing(network, lambda: [(x, [("same", x)])], count=2, rate=0.05)
        >>> found["1"].local_rate()
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
    return where.sum(dim=(0, 2, 3))
