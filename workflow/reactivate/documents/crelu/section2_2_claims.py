"""Section 2.2 of the CReLU paper recomputed: what is reconstructed from features, how well."""

from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn

from reactivate.activations.crelu import CReLU
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement
from reactivate.reconstruction.algorithms import (
    pooled,
    ratio,
    reconstruct,
    reconstruct_pooled,
)
from reactivate.reconstruction.bound import bound, columns, extremes
from reactivate.reconstruction.ratios import region_ratios
from reactivate.reconstruction.shifts import Shifts

EXACT = 1e-6  # what is left of an exact reconstruction, relative
PRINTED_RATIO = 0.99  # of random filters, Table 6
LAYERS = {"conv2": 48, "conv5": 96}  # filters; conv2 and conv5 read twice as many channels


@dataclass(frozen=True)
class Sums:
    """Inputs that are sums of one shift of each filter, and what pooling makes of them.

    Attributes:
        ratio: Ratios of their reconstructions, ``(N,)``.
        bound: The bound of Theorem 2.2, the phase by the sign of the coefficient.
        complete: Whether ``W~_x`` has a column for each filter, as its definition presupposes:
            a filter with no response of a phase has no shift of that phase.
        step: Whether ``|W_x^T x| <= |W~_x^T x|``, a step of the proof.
    """

    ratio: Tensor
    bound: Tensor
    complete: Tensor
    step: Tensor


def sums(shifts: Shifts, places: Tensor, coefficients: Tensor) -> Sums:
    """The quantities of Theorem 2.2 for inputs that keep its assumption, Equation 1.

    Args:
        shifts: All shifts; their positions are one pooling region.
        places: Place of the shift of each filter, ``(N, K)``.
        coefficients: Coefficients of these shifts, ``(N, K)``.
    """
    parts = columns(shifts, places)
    x = (parts @ coefficients[:, :, None]).view(len(places), -1, *shifts.size)
    z = shifts.analyse(x)
    size = z.shape[2], z.shape[3]
    features, chosen = pooled(z, nn.MaxPool2d(size))
    reconstructed = reconstruct_pooled(shifts, features, chosen, size)
    positive, negative = torch.where(features > 0, chosen, -1).flatten(1).chunk(2, dim=1)
    selected_places = torch.where(coefficients >= 0, positive, negative)
    selected = columns(shifts, selected_places)
    return Sums(
        ratio(x, reconstructed.x),
        bound(extremes(parts)[0], extremes(selected)[1]),
        (selected_places >= 0).all(dim=1),
        _length(parts, x) <= _length(selected, x) * (1 + EXACT),
    )


def _length(matrix: Tensor, x: Tensor) -> Tensor:
    """Length ``|M^T x|`` of each input, ``(N,)``."""
    length: Tensor = (matrix.transpose(1, 2) @ x.reshape(len(x), -1, 1)).flatten(1).norm(dim=1)
    return length


def random_sums(channels: int, filters: int, kernel: int, side: int, images: int) -> Sums:
    """Random unit filters, and sums of one random shift of each."""
    random = generator("theorem 2.2", channels, filters, kernel, side)
    weight = _normal((filters, channels, kernel, kernel), random)
    weight /= weight.flatten(1).norm(dim=1)[:, None, None, None]
    size = kernel + side - 1
    places = torch.randint(side**2, (images, filters), generator=random)
    return sums(Shifts(weight, (size, size)), places, _normal((images, filters), random))


def theorem_2_2(images: int = 200) -> Judgement:
    """The reconstruction ratio after max-pooling is at most the printed bound."""
    sizes = [(c, k, h, n) for c in (1, 3) for k in (2, 4, 8) for h, n in ((3, 3), (2, 2))]
    drawn = [random_sums(*size, images=images) for size in sizes]
    above, steps, cases = (
        sum(int((part & d.complete).sum()) for d, part in zip(drawn, parts, strict=True))
        for parts in (
            [d.ratio > d.bound + EXACT for d in drawn],
            [~d.step for d in drawn],
            [d.complete for d in drawn],
        )
    )
    return sampled(
        above == 0,
        f"of {cases} random sums of one shift of each filter for which every column of W~_x "
        f"exists, {above} have a ratio above the bound; |W_x^T x| <= |W~_x^T x|, a step of the "
        f"proof, fails for {steps} of them, as a coefficient and its response may differ in sign",
        cases=cases,
    )


def reconstructs_projection(draws: int = 100) -> Judgement:
    """Proposition 2.1: Algorithm 1 returns the part of the input that the shifts span."""
    random = generator("proposition 2.1")
    shifts = Shifts(_normal((2, 2, 3, 3), random), (6, 6))
    inside = shifts.synthesise(_normal((draws, 2, 4, 4), random))
    outside = _normal((draws, 2, 6, 6), random)
    outside -= _algorithm_1(shifts, outside)
    reconstructed = _algorithm_1(shifts, inside + outside)
    left = float(ratio(inside, reconstructed).max())
    return sampled(
        left < EXACT,
        f"x of dimension 72, 32 shifts: |x' - P x| / |P x| <= {left:.1g}",
        cases=draws,
    )


def random_structure(images: int = 12) -> str:
    """Ratio of random filters with convolution and selection by max-pooling."""
    found = []
    for name, filters in LAYERS.items():
        random = generator("random filters", name)
        conv = nn.Conv2d(2 * filters, filters, 3, bias=False)
        conv.weight = nn.Parameter(_normal(tuple(conv.weight.shape), random), requires_grad=False)
        for kind, side in (("independent", 5), ("equal", 1)):
            x = CReLU()(_normal((images, filters, side, side), random).expand(-1, -1, 5, 5))
            mean = float(region_ratios(x, conv, nn.MaxPool2d(3), random).ratio.mean())
            found.append(f"{name}, {kind} positions {mean:.4f}")
    return (
        f"Mean ratio over {images} normal inputs after CReLU, one 5x5 region: {'; '.join(found)}; "
        f"printed {PRINTED_RATIO}."
    )


def _algorithm_1(shifts: Shifts, x: Tensor) -> Tensor:
    return reconstruct(shifts, CReLU()(shifts.analyse(x))).x


def _normal(shape: tuple[int, ...], random: Generator) -> Tensor:
    return torch.randn(shape, generator=random, dtype=torch.float64)
