"""Tables of what neurons do at fixed moments of a training, without changing what is learnt."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from reactivate.patterns.breakpoints import breakpoints_of, checked, encode
from reactivate.patterns.entropy import PatternCounts, histogram, summarize
from reactivate.patterns.preactivations import preactivations_of, visit_batches
from reactivate.patterns.similarity import agreements
from reactivate.training.observing.scene import Scene
from reactivate.training.observing.weights import QUANTITIES, WeightSums, weight_layers

BATCH = 250  # images at a time
BINS = 20  # of the histogram of entropies, from 0 to the largest possible one
OF_ACTIVATIONS = (
    "pre_mean",
    "pre_variance",
    "post_mean",
    "post_variance",
    "similarity",
    "entropy_mean",
    "entropy_variance",
)
OF_WEIGHTS = tuple(f"{name}_{what}" for name in QUANTITIES for what in ("mean", "variance"))
OF_NETWORK = ("similarity", "distance_mean", "distance_variance")
Breakpoints = tuple[float, ...]


@dataclass
class Seen:
    """Patterns and pre-activations of one layer for all images of a scene."""

    counts: PatternCounts
    codes: dict[Breakpoints, list[Tensor]]  # by the breakpoints that tell patterns apart
    before: list[Tensor] = field(default_factory=list)
    after: list[Tensor] = field(default_factory=list)


class Recorder(nn.Module):
    """Looks at a network at fixed moments of its training.

    All it records is in buffers whose size is known from the start, so that they can be kept with
    the network's state and an interrupted run goes on to the same records.

    Args:
        network: The network that will be trained; it is evaluated and left as it was.
        scene: The images and pairs that are shown to it.
        moments: Numbers of finished steps at which to look, ascending; the last is the end.
        breakpoints: Sets of them, each of which takes the place of the activations' own for one
            more similarity of the whole network.
        each_step: Weights and gradients are means over all steps since the last record.
    """

    activations: Tensor
    weights: Tensor
    network: Tensor
    similarities: Tensor
    entropies: Tensor

    def __init__(
        self,
        network: nn.Module,
        scene: Scene,
        moments: list[int],
        breakpoints: Sequence[Sequence[float]] = (),
        each_step: bool = False,
    ) -> None:
        super().__init__()
        self.scene, self.each_step = scene, each_step
        self.breakpoints = [checked(points) for points in breakpoints]
        self.moments = dict(zip(moments, range(len(moments)), strict=True))
        self.layers = list(preactivations_of(network, scene.images[:1]))
        self.weight_names = list(weight_layers(network))
        self.sums = WeightSums(list(weight_layers(network).values()))
        shape = (len(moments), len(self.layers))
        for name, sizes in (
            ("activations", (*shape, len(OF_ACTIVATIONS))),
            ("weights", (len(moments), len(self.weight_names), len(OF_WEIGHTS))),
            ("network", (len(moments), len(OF_NETWORK))),
            ("similarities", (len(moments), len(self.breakpoints))),
            ("entropies", (*shape, BINS)),
        ):
            empty = torch.full(sizes, torch.nan, dtype=torch.float64)
            self.register_buffer(name, empty)

    def look(self, network: nn.Module, step: int) -> None:
        """Records weights, gradients and neurons before a step, if this is a moment to.

        Args:
            network: The network, with the gradients of the step that follows.
            step: Number of finished steps.
        """
        number = self.moments.get(step)
        if self.each_step or number is not None:
            self.sums.add(list(weight_layers(network).values()))
        if number is not None:
            self.weights[number] = self.sums.take().flatten(1)
            self._show(network, number)

    def look_last(self, network: nn.Module, step: int) -> None:
        """Records neurons after the last step, which no gradients follow, if this is a moment to.

        A training that diverged ends before the last moment.
        """
        number = self.moments.get(step)
        if number is not None:
            self._show(network, number)

    @parametrize.cached()
    def _show(self, network: nn.Module, number: int) -> None:
        """Shows the network the scene and keeps what its neurons do."""
        layers: dict[str, Seen] = {}
        outputs: list[Tensor] = []

        def visit(name: str, activation: nn.Module, z: Tensor) -> None:
            own, flat = breakpoints_of(activation), z.flatten(1)
            if name not in layers:
                layers[name] = Seen(PatternCounts(own), {p: [] for p in (own, *self.breakpoints)})
            seen = layers[name]
            seen.counts.update(flat)
            for points, codes in seen.codes.items():
                codes.append(encode(flat, points))
            missing = self.scene.samples - sum(map(len, seen.before))
            if missing > 0:
                seen.before.append(self._sample(z[:missing]))
                after = activation.forward(z[:missing].clone())  # without the hooks
                seen.after.append(self._sample(after))

        hook = network.register_forward_hook(lambda _, __, output: outputs.append(output))
        try:
            visit_batches(network, torch.split(self.scene.images, BATCH), visit)
        finally:
            hook.remove()
        first, second = self.scene.first, self.scene.second
        same, neurons = torch.zeros(1 + len(self.breakpoints), dtype=torch.float64), 0
        for layer, seen in enumerate(layers.values()):
            agreeing, size = self._agreeing(seen), seen.counts.counts[0].numel()
            same, neurons = same + agreeing, neurons + size
            self._keep(number, layer, seen, float(agreeing[0] / size))
        output = torch.cat(outputs).double()
        distance = (output[first] - output[second]).norm(dim=1)
        similarity, *others = (same / neurons).tolist()
        spread = float(distance.var(correction=0))
        whole = [similarity, float(distance.mean()), spread]
        self.network[number] = torch.tensor(whole, dtype=torch.float64)
        self.similarities[number] = torch.tensor(others, dtype=torch.float64)

    def _agreeing(self, seen: Seen) -> Tensor:
        """Neurons of a layer with one pattern for both images of a pair, in the mean of pairs.

        The first number is by the activation's own breakpoints, the others are by each set.
        """
        means: dict[Breakpoints, Tensor] = {}
        for points, parts in seen.codes.items():
            codes = torch.cat(parts)
            same = agreements(codes[self.scene.first], codes[self.scene.second])
            means[points] = same.double().mean().cpu()
        own = seen.counts.breakpoints
        return torch.stack([means[points] for points in (own, *self.breakpoints)])

    def _sample(self, values: Tensor) -> Tensor:
        """Evenly spread neurons of a layer, the same every time."""
        flat = values.flatten(1)
        chosen = torch.linspace(0, flat.shape[1] - 1, min(self.scene.neurons, flat.shape[1]))
        return flat[:, chosen.round().long().to(flat.device)].double()

    def _keep(self, number: int, layer: int, seen: Seen, similarity: float) -> None:
        row = []
        for values in (torch.cat(seen.before), torch.cat(seen.after)):
            row += [float(values.mean()), float(values.var(correction=0))]
        entropies = seen.counts.entropy()
        summary = summarize(entropies)
        row += [similarity, summary.mean, summary.variance]
        self.activations[number, layer] = torch.tensor(row, dtype=torch.float64)
        counts, _ = histogram(entropies, len(seen.counts.counts), BINS)
        self.entropies[number, layer] = counts.double()
