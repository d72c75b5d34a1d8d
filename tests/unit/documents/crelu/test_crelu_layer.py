"""CReLU: the layer of Figure 3, step by step, and statements about it."""

import pytest
import torch
from reactivate.documents.crelu import figure3, figure3_claims, figure3_picture
from torch.nn import functional

KERNELS = [(3, 2), (3, 1), (2, 3), (1, 1)]
MATRIX, G = figure3_claims.shift_matrix, figure3_claims.g_of


def written_out(x, filters, stride):
    """Responses, phases and features of lists, with nothing but loops."""
    kernel = len(filters[0])
    responses = [
        [
            [
                sum(
                    weights[i][j] * x[top * stride + i][left * stride + j]
                    for i in range(kernel)
                    for j in range(kernel)
                )
                for left in range(2)
            ]
            for top in range(2)
        ]
        for weights in filters
    ]
    signs = [1] * len(filters) + [-1] * len(filters)
    phases = [
        [[max(sign * value, 0) for value in line] for line in response]
        for sign, response in zip(signs, responses * 2, strict=True)
    ]
    return responses, phases, [max(map(max, phase)) for phase in phases]


@pytest.mark.parametrize(("kernel", "stride"), KERNELS)
def test_the_example_is_the_layer_written_out(kernel, stride):
    made = figure3.example(kernel, stride)
    filters = made.weight[:, 0].tolist()
    responses, phases, features = written_out(made.x[0, 0].tolist(), filters, stride)
    assert made.responses[0].tolist() == responses
    assert made.phases[0].tolist() == phases
    assert made.features.flatten().tolist() == features
    assert made.x.shape[2] == (2 - 1) * stride + kernel


@pytest.mark.parametrize(("kernel", "stride"), KERNELS)
def test_a_row_of_the_matrix_is_a_filter_at_its_place(kernel, stride):
    made = figure3.example(kernel, stride)
    side = made.x.shape[2]
    for row, entries in enumerate(made.matrix):
        number, place = divmod(row, 4)
        top, left = (stride * step for step in divmod(place, 2))
        alone = torch.zeros(side, side, dtype=torch.float64)
        alone[top : top + kernel, left : left + kernel] = made.weight[number, 0]
        assert torch.equal(entries, alone.flatten())


def test_the_table_has_every_number_once_and_marks_what_pooling_selects():
    numbers = figure3.figure3(kernel=3, stride=2)
    counts = numbers.groupby("part").size().to_dict()
    assert counts == {
        "input": 25,
        "filter": 3 * 9,
        "matrix": 12 * 25,
        "response": 3 * 4,
        "crelu": 6 * 4,
        "pooled": 6,
    }
    assert set(numbers.loc[numbers["selected"], "part"]) == {"crelu"}
    chosen = numbers[numbers["selected"]].set_index(["filter", "phase"])["value"]
    pooled = numbers[numbers["part"] == "pooled"].set_index(["filter", "phase"])["value"]
    assert chosen.to_dict() == pooled.to_dict()
    keys = ["part", "filter", "phase", "row", "column"]
    assert not numbers.duplicated(keys).any()


def test_the_picture_has_a_panel_for_each_step():
    shown = figure3_picture.figure3(figure3.figure3(kernel=3, stride=2))
    titles = [axis.get_title() for axis in shown.axes if axis.get_title()]
    assert titles == [
        *("$W^T x$", "$g(W^T x)$", "input $x$", "filters ", "convolution "),
        *("CReLU [·]$_+$", "CReLU [−·]$_+$", "pool [·]$_+$", "pool [−·]$_+$"),
    ]
    assert len(shown.axes) == 4 + 1 + 3 * 6
    written = [[text.get_text() for text in axis.texts] for axis in shown.axes]
    made = figure3.example(3, 2)
    responses = [f"{value:.0f}" for value in made.responses.flatten().tolist()]
    assert responses in written
    assert [f"{value:.0f}" for value in made.features.flatten().tolist()] in written


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"rectified": lambda x: 2 * figure3_claims.sympy.Max(x, 0)}, "responses_conserved"),
        ({"printed_number": lambda size, length, stride: size - length}, "number_of_shifts"),
        ({"printed_number": lambda d, length, s: (d - length) / s}, "number_of_shifts"),
        ({"shift_matrix": lambda w, size, s: MATRIX(w.flip(1), size, s)}, "layer_as_matrix"),
        ({"g_of": lambda z, filters: G(z, filters)[:filters]}, "layer_as_matrix"),
        (
            {"g_of": lambda z, filters: [-v for v in G([-v for v in z], filters)]},
            "layer_as_matrix",
        ),
        ({"REGIONS": ((3, 2),), "_is_product": lambda *region: False}, "layer_as_matrix"),
    ],
)
def test_another_layer_changes_the_verdict(change, changes, check):
    change(figure3_claims, changes)
    assert str(getattr(figure3_claims, check)().verdict) == "refuted"


@pytest.mark.parametrize(("size", "length", "stride"), [(9, 3, 2), (7, 7, 4), (10, 1, 3)])
def test_the_printed_number_of_shifts_is_that_of_a_convolution(size, length, stride):
    found = functional.conv1d(torch.ones(1, 1, size), torch.ones(1, 1, length), stride=stride)
    assert figure3_claims.printed_number(size, length, stride) == found.shape[2]
    assert len(MATRIX(torch.ones(2, length), size, stride)) == 2 * found.shape[2]
