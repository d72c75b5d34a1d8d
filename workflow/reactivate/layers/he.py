"""He's initial weights for a whole network of convolutions without normalisation."""

from torch import nn

HE = "he"  # the name used in configs


def he_normal(network: nn.Module) -> None:
    """Draws normal weights of variance ``2 / fan_in`` and sets biases to 0, in place.

    This keeps the size of the signal through ReLU, and through CReLU too, whose layers read twice
    the channels with half the energy each; by fan-out the signal of a halved CReLU network would
    double with every layer.

    Reference:
        He et al. 2015, section 2.2 (arXiv:1502.01852).

    Example:
        >>> layer = nn.Conv2d(4, 8, 3)
        >>> he_normal(layer)
        >>> layer.bias.detach().abs().max()
        tensor(0.)
    """
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_in", nonlinearity="relu")
            if module.bias is not None:
                nn.init.zeros_(module.bias)
