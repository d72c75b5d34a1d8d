"""Base class of networks that are a sequence of units."""

from torch import nn


class Network(nn.Sequential):
    """A sequence of modules whose slices are plain sequences.

    A subclass has its own constructor, which torch would call with the modules of a slice.

    Example:
        >>> from reactivate.models.vgg import VGG6
        >>> len(VGG6(width=0.1)[:3])
        3
    """

    def __getitem__(self, index: slice | int) -> nn.Module:
        modules = list(self)
        return nn.Sequential(*modules[index]) if isinstance(index, slice) else modules[index]
