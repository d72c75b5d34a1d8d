"""Tables of what neurons do at fixed moments of a training, without changing what is learnt."""

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from reactivate.patterns.breakpoints import breakpoints_of, encode
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


@dataclass
class Seen:
    """Patterns and pre-activations of one layer for all images of a scene."""

    counts: PatternCounts
    codes: list[Tensor] = field(default_factory=list)
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
        each_step: Weights and gradients are means over all steps since the last record.
    """

    activations: Tensor
    weights: Tensor
    network: Tensor
    entropies: Tensor

    def __init__(
        self, network: nn.Module, scene: Scene, moments: list[int], each_step: bool = False
    ) -> None:
        super().__init__()
        self.scene, self.each_step = scene, each_step
        self.moments = dict(zip(moments, range(len(moments)), strict=True))
        self.layers = list(preactivations_of(network, scene.images[:1]))
        self.weight_names = list(weight_layers(network))
        self.sums = WeightSums(list(weight_layers(network).values()))
        shape = (len(moments), len(self.layers))
        for name, sizes in (
            ("activations", (*shape, len(OF_ACTIVATIONS))),
            ("weights", (len(moments), len(self.weight_names), len(OF_WEIGHTS))),
            ("network", (len(moments), len(OF_NETWORK))),
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
            points = breakpoints_of(activation)
            seen = layers.setdefault(name, Seen(PatternCounts(points)))
            seen.counts.update(z.flatten(1))
            seen.codes.append(encode(z.flatten(1), points))
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
        same, neurons = torch.zeros(len(first), dtype=torch.int64), 0
        for layer, seen in enumerate(layers.values()):
            codes = torch.cat(seen.codes)
            agreeing = agreements(codes[first], codes[second]).cpu()
            same, neurons = same + agreeing, neurons + codes.shape[1]
            self._keep(number, layer, seen, float(agreeing.double().mean() / codes.shape[1]))
        output = torch.cat(outputs).double()
        distance = (output[first] - output[second]).norm(dim=1)
        similarity = float(same.double().mean() / neurons)
        spread = float(distance.var(correction=0))
        whole = [similarity, float(distance.mean()), spread]
        self.network[number] = torch.tensor(whole, dtype=torch.float64)

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
