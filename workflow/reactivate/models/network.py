"""Base class of networks that are a sequence of units."""

from torch import nn


class Network(nn.Sequential):
    """A sequence of modules whose slices are plain sequences.

    A subclass has its own constructor, which torch would call with the modules of a slice. All
    networks of the package, those of torchvision included, take these arguments, by name.

    Args:
        activation: A key of :data:`reactivate.activations.ACTIVATIONS`.
        parameterization: A key of :data:`reactivate.layers.PARAMETERIZATIONS`.
        width: Factor on all numbers of filters and units.
        classes: Outputs; 1 for regression.
        initialization: See :func:`reactivate.layers.initialization.initialize`.
        options: Options of the activation.

    Example:
        >>> from reactivate.models.vgg import VGG6
        >>> len(VGG6(width=0.1)[:3])
        3
    """

    def __getitem__(self, index: slice | int) -> nn.Module:
        modules = list(self)
        return nn.Sequential(*modules[index]) if isinstance(index, slice) else modules[index]
