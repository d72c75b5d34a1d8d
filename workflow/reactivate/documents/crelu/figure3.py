"""CReLU, Figure 3: convolution, CReLU and max-pooling of one pooling region, step by step."""

from dataclasses import dataclass
from itertools import product

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.activations.crelu import CReLU
from reactivate.foundation.seeding import generator
from reactivate.reconstruction.algorithms import pooled
from reactivate.reconstruction.shifts import Shifts

FILTERS, POOL = 3, 2  # of the caption: W_1, W_2, W_3, and 2 x 2 pooling
LARGEST_INPUT, LARGEST_WEIGHT = 3, 2  # whole numbers, which the caption does not give
PHASES = ("+", "-")
INPUT, FILTER, MATRIX, RESPONSE, CRELU, POOLED = (
    *("input", "filter", "matrix", "response", "crelu", "pooled"),
)


@dataclass(frozen=True)
class Example:
    """A layer of the figure, and what each step makes of an input.

    Attributes:
        x: The input, ``(1, 1, H, W)``.
        weight: The filters, ``(K, 1, h, w)``.
        matrix: ``W^T``, ``(n K, D)``: K blocks, one for each filter, of its n shifts.
        responses: ``W^T x`` as maps, ``(1, K, 2, 2)``: the n = 4 shifts of a filter.
        phases: After CReLU, ``(1, 2 K, 2, 2)``; the positive phases of all filters first.
        features: After max-pooling, ``f_cnn(x)``: ``(1, 2 K, 1, 1)``.
        places: Place of each maximum among the positions, ``(1, 2 K, 1, 1)``.
    """

    x: Tensor
    weight: Tensor
    matrix: Tensor
    responses: Tensor
    phases: Tensor
    features: Tensor
    places: Tensor


def example(kernel: int, stride: int) -> Example:
    """One pooling region of a layer with three filters, in whole numbers drawn at random.

    Args:
        kernel: Side of the filters.
        stride: Stride of the convolution, s; the input is as large as the region asks for.
    """
    random = generator("crelu", "figure 3")
    side = kernel + (POOL - 1) * stride
    x = _whole(LARGEST_INPUT, (1, 1, side, side), random)
    weight = _whole(LARGEST_WEIGHT, (FILTERS, 1, kernel, kernel), random)
    shifts = Shifts(weight, (side, side), (stride, stride))
    responses = shifts.analyse(x)
    features, places = pooled(responses, nn.MaxPool2d(POOL))
    every = torch.eye(responses.numel(), dtype=torch.float64)
    matrix = shifts.synthesise(every.view(-1, *responses.shape[1:])).flatten(1)
    return Example(x, weight, matrix, responses, CReLU()(responses), features, places)


def figure3(kernel: int, stride: int) -> pd.DataFrame:
    """Every number of the example, by the part of the figure that shows it.

    Args:
        kernel: See :func:`example`.
        stride: See :func:`example`.

    Returns:
        Part (``input``, ``filter``, ``matrix``, ``response``, ``crelu``, ``pooled``), filter from
        1 on, phase, row and column within the part, value, and whether max-pooling selects it. A
        row of ``matrix`` is a row of ``W^T``: a shift.
    """
    made = example(kernel, stride)
    blocks = made.matrix.view(FILTERS, -1, made.matrix.shape[1])
    wide = made.responses.shape[3]
    rows = _cells(INPUT, 0, "", made.x[0, 0])
    for number in range(FILTERS):
        shown = number + 1
        rows += _cells(FILTER, shown, "", made.weight[number, 0])
        rows += _cells(MATRIX, shown, "", blocks[number])
        rows += _cells(RESPONSE, shown, "", made.responses[0, number])
    for (turn, phase), number in product(enumerate(PHASES), range(FILTERS)):
        channel = turn * FILTERS + number
        chosen = divmod(int(made.places[0, channel]), wide)
        rows += _cells(CRELU, number + 1, phase, made.phases[0, channel], chosen)
        rows += _cells(POOLED, number + 1, phase, made.features[0, channel])
    names = ["part", "filter", "phase", "row", "column", "value", "selected"]
    return pd.DataFrame(rows, columns=names)


def _cells(
    part: str, number: int, phase: str, values: Tensor, chosen: tuple[int, int] | None = None
) -> list[tuple[str, int, str, int, int, int, bool]]:
    """A row of the table for each number of a map; its selected place, if it has one."""
    return [
        (part, number, phase, y, x, int(value), (y, x) == chosen)
        for y, line in enumerate(values.tolist())
        for x, value in enumerate(line)
    ]


def _whole(largest: int, shape: tuple[int, ...], random: torch.Generator) -> Tensor:
    return torch.randint(-largest, largest + 1, shape, generator=random).double()
