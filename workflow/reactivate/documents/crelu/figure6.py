"""CReLU Figure 6: images from the features of the first layers."""

from itertools import islice

import pandas as pd
import torch
from torch import Tensor, nn
from torch.nn import functional

from reactivate.activations.crelu import CReLU
from reactivate.defences.standardise import Standardised
from reactivate.evidence.hardened import unit_images, unit_network
from reactivate.evidence.networks import NetworkRun
from reactivate.reconstruction.algorithms import ratio, reconstruct
from reactivate.reconstruction.layers import first_layers
from reactivate.reconstruction.shifts import Shifts

ORIGINAL, MEAN_COLOUR = "image", "mean_colour"


def from_features(
    networks: list[NetworkRun], image: int, layers: int, side: int, tolerance: float, steps: int
) -> pd.DataFrame:
    """An image, and what Algorithm 1 makes of it from the features of each of the first layers.

    Args:
        networks: Those that begin with CReLU convolutions.
        image: Number of the image in the test part, from 0.
        layers: How many layers.
        side: Pixels along each side that are kept, at most.
        tolerance: Accuracy of the least-squares problems.
        steps: At most, of each.

    Returns:
        A line per row of pixels: network, seed, from (``image``, ``mean_colour``, ``conv1``,
        ...), the ratio of the whole reconstruction to the image as the network reads it, the
        residual of the worst problem, line, and the pixels, two hexadecimal digits for each
        colour of each. Of all seeds but the first there is one line without pixels.
    """
    parts = []
    for run in networks:
        x, _ = unit_images(run, image + 1)
        network = unit_network(run)
        assert isinstance(network, Standardised)
        mean, deviation = network.mean.double(), network.std.double()
        seen = (x[image : image + 1].double() - mean) / deviation
        blank = seen.mean(dim=(2, 3), keepdim=True).expand_as(seen)
        shown = [(ORIGINAL, seen, 0.0), (MEAN_COLOUR, blank, 0.0)]
        convs = list(islice(first_layers(network.network), layers))
        for number in range(1, len(convs) + 1):
            reconstructed, left = back_to_image(convs[:number], seen, tolerance, steps)
            shown.append((f"conv{number}", reconstructed, left))
        for name, picture, left in shown:
            told = {"network": run.place[0], "seed": run.seed, "from": name}
            told["ratio"] = float(ratio(seen, picture))
            lines = hexadecimal((picture * deviation + mean)[0], side) if not run.seed else [""]
            rows = {"residual": left, "line": range(len(lines)), "pixels": lines}
            parts.append(pd.DataFrame({**told, **rows}))
    return pd.concat(parts, ignore_index=True)


def back_to_image(
    convs: list[nn.Conv2d], x: Tensor, tolerance: float, steps: int
) -> tuple[Tensor, float]:
    """Features of the last of several CReLU convolutions, and layer by layer back to the image.

    What Algorithm 1 finds for one layer is taken for the features of the layer before it.

    Args:
        convs: The convolutions from the image on, each followed by CReLU.
        x: Images, ``(N, C, H, W)``, in float64.
        tolerance: See :func:`reactivate.reconstruction.least_squares.minimum_norm`.
        steps: See there.

    Returns:
        The reconstructed images, and the greatest residual of all problems.
    """
    read = [x]
    for conv in convs:
        read.append(CReLU()(_shifts(conv, read[-1]).analyse(read[-1]) + _bias(conv)))
    features, left = read.pop(), 0.0
    for conv, before in zip(reversed(convs), reversed(read), strict=True):
        bias = _bias(conv).flatten()
        solution = reconstruct(_shifts(conv, before), features, bias, tolerance, steps)
        features, left = solution.x, max(left, float(solution.residual.max()))
    return features, left


def _shifts(conv: nn.Conv2d, x: Tensor) -> Shifts:
    return Shifts.of(conv, (x.shape[2], x.shape[3]))


def _bias(conv: nn.Conv2d) -> Tensor:
    bias = conv.weight.new_zeros(conv.out_channels) if conv.bias is None else conv.bias.detach()
    return bias.double()[:, None, None]


def hexadecimal(picture: Tensor, side: int) -> list[str]:
    """The lines of a picture from 0 to 1, as digits; larger ones are made smaller.

    Example:
        >>> hexadecimal(torch.tensor([[[0.0, 1.0]], [[0.0, 1.0]], [[1.0, 2.0]]]), side=8)
        ['0000ffffffff']
    """
    high, wide = (min(side, size) for size in picture.shape[1:])
    small = functional.interpolate(picture[None], (high, wide), mode="area")[0]
    bytes_of = (255 * small.clamp(0, 1)).round().to(torch.uint8).permute(1, 2, 0).cpu()
    return [bytes(line.flatten().tolist()).hex() for line in bytes_of]
