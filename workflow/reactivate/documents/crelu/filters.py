"""Filters of convolutions, of a network of ours or of one that others trained."""

from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor, nn

from reactivate.experiment.paths import PREPARED
from reactivate.foundation.files import verify_checksum

CONVOLUTIONS = (nn.Conv1d, nn.Conv2d, nn.Conv3d)


def filters_of(network: nn.Module) -> dict[str, Tensor]:
    """The weight of every convolution: ``conv1``, ``conv2``, ... in the order of the network.

    Example:
        >>> layers = nn.Sequential(nn.Conv2d(3, 8, 5), nn.ReLU(), nn.Conv2d(8, 4, 1))
        >>> {name: tuple(weight.shape) for name, weight in filters_of(layers).items()}
        {'conv1': (8, 3, 5, 5), 'conv2': (4, 8, 1, 1)}
    """
    convolutions = (layer for layer in network.modules() if isinstance(layer, CONVOLUTIONS))
    return {f"conv{number}": layer.weight.detach() for number, layer in enumerate(convolutions, 1)}


def load_filters(name: str, folder: Path = PREPARED) -> dict[str, Tensor]:
    """Weights of config/weights.yaml by layer, ``(filters, channels, height, width)``.

    Raises:
        ValueError: The file is missing or is not the one its checksum file records.
    """
    path = folder / f"{name}.safetensors"
    verify_checksum(path)
    return load_file(path)
