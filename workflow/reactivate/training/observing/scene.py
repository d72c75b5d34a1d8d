"""The fixed test images, pairs of them, and neurons that are looked at while a network trains."""

from dataclasses import dataclass

import torch
from torch import Tensor

from reactivate.experiment.observations import Observation
from reactivate.foundation.seeding import generator
from reactivate.patterns.labels import pairs_of_different_labels
from reactivate.training.inputs import Inputs


@dataclass(frozen=True)
class Scene:
    """Test images, and pairs of them that have different labels.

    Args:
        images: Images as the network reads them.
        first, second: Indices of the images of each pair.
        samples: How many of the images show their pre- and post-activations.
        neurons: How many neurons of each layer do, at most.
    """

    images: Tensor
    first: Tensor
    second: Tensor
    samples: int
    neurons: int


def make_scene(observation: Observation, inputs: Inputs, dataset: str) -> Scene:
    """The scene of a dataset, the same for every network."""
    batches = []
    for x, y, _ in inputs.measured("test", 1):
        batches.append((x, y))
        if sum(len(labels) for _, labels in batches) >= observation.images:
            break
    images, labels = (torch.cat(part)[: observation.images] for part in zip(*batches, strict=True))
    random = generator(dataset, "pairs")
    first, second = pairs_of_different_labels(labels.cpu(), observation.pairs, random).unbind(1)
    return Scene(images, first, second, observation.samples, observation.neurons)
