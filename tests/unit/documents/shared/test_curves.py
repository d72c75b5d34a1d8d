"""Curves draw the means they keep: one line per name and quantity, a band for several seeds."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from reactivate.documents.gmp.figure4 import top5
from reactivate.documents.gmp.looks import LOOKS as PARAMETERIZATIONS
from reactivate.documents.iieu.figures1_2 import convergence
from reactivate.documents.shared.curves import means
from reactivate.documents.shared.looks import GREEN, LOOKS
from reactivate.documents.shared.overlays import mark_at_end
from reactivate.documents.shared.printed import printed_numbers
from reactivate.documents.shared.style import save_png
from reactivate.documents.thesis.chapter3.figures3_3_to_3_6 import benchmark, both, initialized
from reactivate.experiment import loading
from reactivate.experiment.exhibits import Curves
from reactivate.foundation.registry import load_function

THESIS = (["vgg16", "resnet34"], ["sigmoid", "tanh", "relu", "gelu"])
IIEU = (["resnet14", "resnet26"], loading.load_exhibit("iieu", "table1").column_names)
GMP = (["sp", "wn", "wn_mbn", "bn", "gmp", "gmp_imn"], ["batch1024"])
ROWS = [  # of Tables 3.2 and 3.3 that have the networks of a figure
    *[("figure3_3", "benchmark"), ("figure3_4", "init")],
    *[("figure3_5", "bn"), ("figure3_6", "bn_init")],
]
CONFIGURED = [
    pytest.param(exhibit, id=f"{paper}/{name}")
    for paper in loading.paper_names()
    for name, exhibit in loading.load_paper(paper).exhibits.items()
    if isinstance(exhibit, Curves)
]


def run(row, column, seed, epochs, **values):
    """The history of one training: it rises and shakes where nothing is said."""
    stream = np.random.default_rng([*f"{row}{column}".encode(), seed])
    epoch = np.arange(1, epochs + 1)
    rise = stream.uniform(40, 90) * (1 - np.exp(-6 * epoch / epochs))
    names = ("train_loss", "train_top1", "train_top5", "test_top1", "test_top5")
    made_up = {name: rise + stream.normal(0, 3, epochs) for name in names}
    place = {"row": row, "column": column, "protocol": "document", "seed": seed}
    return pd.DataFrame({**place, "epoch": epoch, "lr": 0.1, **made_up, **values})


def runs(rows, columns, epochs=20, seeds=1):
    """Histories of a whole grid."""
    parts = [run(r, c, s, epochs) for r in rows for c in columns for s in range(seeds)]
    return pd.concat(parts, ignore_index=True)


def drawn(axis):
    """Label and dashes -> values of each line."""
    return {(s.get_label(), s.get_linestyle()): list(s.get_ydata()) for s in curves(axis)}


def curves(axis):
    return [line for line in axis.get_lines() if line.get_marker() != "x"]


def crosses(axis):
    """Height and colour of what is printed, which stands on the right edge."""
    found = [line for line in axis.get_lines() if line.get_marker() == "x"]
    assert all(list(line.get_xdata()) == [1.0] for line in found)
    return {(line.get_ydata()[0], line.get_color()) for line in found}


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_means_and_standard_errors_are_over_seeds():
    values = [1.0, 2.0], [2.0, 4.0], [6.0, 6.0]
    histories = pd.concat(
        run("vgg16", "relu", seed, 2, test_top1=value) for seed, value in enumerate(values)
    )
    numbers = means(histories, ["test_top1"])
    assert list(numbers["test_top1"]) == [3.0, 4.0]
    assert list(numbers["test_top1_se"]) == pytest.approx([np.sqrt(7 / 3), np.sqrt(4 / 3)])
    assert set(numbers["seeds"]) == {3}


def test_a_run_that_ended_early_keeps_its_last_value():
    histories = pd.concat(
        [
            run("vgg16", "relu", 0, 4, test_top1=[10.0, 20.0, 30.0, 40.0]),
            run("vgg16", "relu", 1, 2, test_top1=[10.0, 12.0]),
        ]
    )
    assert list(means(histories, ["test_top1"])["test_top1"]) == [10.0, 16.0, 21.0, 26.0]


@pytest.mark.parametrize("lost", [np.nan, np.inf])
def test_a_mean_of_numbers_that_are_not_all_finite_is_empty(lost):
    histories = pd.concat(
        [
            run("vgg16", "relu", 0, 3, train_loss=[3.0, 2.0, 1.0]),
            run("vgg16", "relu", 1, 2, train_loss=[5.0, lost]),
        ]
    )
    found = means(histories, ["train_loss"])["train_loss"]
    assert found[0] == 4.0
    assert found[1:].isna().all()


def test_one_seed_has_no_standard_error():
    numbers = means(runs(*THESIS), ["test_top1"])
    assert numbers["test_top1_se"].isna().all()
    assert numbers["test_top1"].notna().all()


def test_thesis_panels_have_training_dashed_and_validation_solid():
    histories = runs(*THESIS, seeds=2)
    numbers, figure = benchmark(histories)
    assert [axis.get_title() for axis in figure.axes] == ["(a) VGG16", "(b) ResNet34"]
    for axis, row in zip(figure.axes, THESIS[0], strict=True):
        lines = drawn(axis)
        assert len(lines) == 8
        own = numbers[(numbers["row"] == row) & (numbers["column"] == "tanh")]
        assert lines["Tanh", "--"] == list(own["train_top1"])
        assert lines["Tanh", "-"] == list(own["test_top1"])
    assert legend(figure)[-3:] == [
        *("training accuracy", "validation accuracy", "printed, Tables 3.2 and 3.3")
    ]


def test_iieu_panels_have_accuracy_above_loss_and_emphasise_iieu():
    numbers, figure = convergence(runs(*IIEU))
    assert [axis.get_ylabel() for axis in figure.axes] == [
        *("Top-1 accuracy (%)", "", "training loss (nats)", "")
    ]
    assert [len(curves(axis)) for axis in figure.axes] == [15] * 4
    own = numbers[(numbers["row"] == "resnet26") & (numbers["column"] == "iieu_dc")]
    assert drawn(figure.axes[3])["IIEU-DC", "-"] == list(own["train_loss"])
    widths = {s.get_label(): s.get_linewidth() for s in curves(figure.axes[0])}
    thick = [label for label, width in widths.items() if width > min(widths.values())]
    assert thick == ["IIEU-B", "IIEU-DC"]


def test_gmp_panels_have_a_line_with_a_band_per_parameterization():
    numbers, figure = top5(runs(*GMP, seeds=3))
    for axis, quantity in zip(figure.axes, ("train_top5", "test_top5"), strict=True):
        own = numbers[numbers["row"] == "gmp_imn"]
        assert drawn(axis)["GmP+IMN", "-"] == list(own[quantity])
        assert len(curves(axis)) == len(axis.collections) == 6
        first = axis.collections[0].get_datalim(axis.transData)
        sp = numbers[numbers["row"] == "sp"]
        assert first.ymax == pytest.approx((sp[quantity] + sp[f"{quantity}_se"]).max())
    assert PARAMETERIZATIONS["gmp_imn"].colour == GREEN  # green, as the document says


@pytest.mark.parametrize(("seeds", "bands"), [(1, 0), (2, 8)])
def test_only_several_seeds_have_a_band(seeds, bands):
    _, figure = benchmark(runs(*THESIS, seeds=seeds))
    assert len(figure.axes[0].collections) == bands


def test_a_line_that_ends_early_has_a_cross_at_its_end():
    histories = pd.concat([run("vgg16", "relu", 0, 5), run("vgg16", "gelu", 0, 40)])
    _, figure = benchmark(histories)
    marks = {s.get_label(): (s.get_marker(), s.get_markevery()) for s in curves(figure.axes[0])}
    assert marks == {"ReLU": ("X", [4]), "GELU": ("D", [])}


def test_a_name_without_a_look_is_drawn_under_its_words():
    _, figure = benchmark(runs(["small_net"], ["half_cosine"]))
    assert figure.axes[0].get_title() == "small net"
    assert "half cosine" in legend(figure)


@pytest.mark.slow
@pytest.mark.parametrize("epochs", [1, 3, 160])
@pytest.mark.parametrize(
    ("function", "rows", "columns"),
    [(both, *THESIS), (convergence, *IIEU), (top5, *GMP), (both, ["vgg16"], ["relu"])],
)
def test_pictures_stay_small(function, rows, columns, epochs, tmp_path):
    _, figure = function(runs(rows, columns, epochs, seeds=2))
    save_png(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size < 200_000


@pytest.mark.parametrize("exhibit", CONFIGURED)
def test_configured_curves_draw_every_cell_and_know_its_name(exhibit):
    numbers, figure = load_function(exhibit.function)(
        runs(exhibit.row_names, exhibit.column_names)
    )
    assert len(numbers.groupby(["row", "column"])) == (
        len(exhibit.row_names) * len(exhibit.column_names)
    )
    known = {look.label for look in (*LOOKS.values(), *PARAMETERIZATIONS.values())}
    assert {line.get_label() for axis in figure.axes for line in curves(axis)} <= known


@pytest.mark.parametrize(("function", "row"), [(benchmark, "benchmark"), (initialized, "init")])
def test_crosses_are_the_printed_numbers_of_the_networks_of_a_figure(function, row):
    _, figure = function(runs(*THESIS))
    for axis, table in zip(figure.axes, ("table3_2", "table3_3"), strict=True):
        told = printed_numbers("thesis", table)[row]
        assert crosses(axis) == {(value, LOOKS[name].colour) for name, value in told.items()}


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_a_figure_has_the_row_of_the_table_with_its_networks(name, row):
    figure, tables = loading.load_exhibit("thesis", name), ("table3_2", "table3_3")
    for place, table in zip(("vgg16", "resnet34"), tables, strict=True):
        grid = loading.load_exhibit("thesis", table)
        drawn_here = {**figure.fixed, **figure.rows["network"][place]}
        printed_there = {**grid.fixed, **grid.rows["network"][row]}
        for key in ("model", "parameterization", "dataset", "recipe"):
            assert drawn_here[key] == printed_there[key]
    assert load_function(figure.function).keywords == {"printed": row}
    assert load_function(figure.picture).keywords == {"printed": row}


def test_printed_accuracies_stand_over_validation_and_not_over_training():
    _, figure = top5(runs(*GMP))
    training, validation = figure.axes
    told = {row: cells["top5_1024"] for row, cells in printed_numbers("gmp", "table2").items()}
    assert crosses(training) == set()
    assert crosses(validation) == {(v, PARAMETERIZATIONS[n].colour) for n, v in told.items()}


@pytest.mark.parametrize("protocols", [["document"], ["document", "authors_code"]])
def test_lowest_losses_stand_over_losses_and_accuracies_over_accuracies(protocols):
    histories = pd.concat([runs(*IIEU).assign(protocol=protocol) for protocol in protocols])
    _, figure = convergence(histories)
    names = [(t, r) for _ in protocols for r in ("top1", "loss_min") for t in ("table1", "table2")]
    for axis, (table, row) in zip(figure.axes, names, strict=True):
        told = printed_numbers("iieu", table)[row]
        assert {value for value, _ in crosses(axis)} == set(told.values())


def test_networks_of_which_nothing_is_printed_have_no_crosses():
    _, figure = convergence(runs(["mobilenet_v2"], ["relu", "iieu_b"]))
    assert all(crosses(axis) == set() for axis in figure.axes)
    assert not any("printed" in text for text in legend(figure))


def test_a_printed_number_of_a_line_that_is_not_drawn_is_left_out():
    axis = Figure().subplots()
    mark_at_end(axis, {"relu": 1.0, "gelu": 2.0}, {"relu": GREEN})
    assert crosses(axis) == {(1.0, GREEN)}
