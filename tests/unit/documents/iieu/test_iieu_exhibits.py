"""IIEU's exhibits: computed tables cover their places, and curves draw the means they keep."""

import pandas as pd
import pytest
from reactivate.documents.iieu.figures1_2 import convergence
from reactivate.documents.shared.looks import LOOKS
from reactivate.experiment import loading
from reactivate.experiment.printed import Printed
from reactivate.foundation.registry import load_function

COLUMNS = loading.load_exhibit("iieu", "table1").column_names
OFF = {"table6": {("iieu_b", "params")}}  # rounds to another last digit, as we count


@pytest.mark.parametrize("name", ["table3", "table5", "table6", "table7"])
def test_computed_values_cover_the_grid_and_round_to_what_is_printed(name):
    exhibit = loading.load_exhibit("iieu", name)
    values = {(v.row, v.column): v.value for v in load_function(exhibit.function)()}
    assert set(values) == {
        (row, column)
        for row in exhibit.row_names
        for column in exhibit.column_names
        if exhibit.is_computed(row, column)
    }
    printed = {place: Printed.parse(exhibit.printed_at(*place)) for place in values}
    off = {p for p, v in values.items() if abs(v - printed[p].value) > printed[p].half_unit}
    assert off == OFF.get(name, set())


def histories():
    """A training per network and activation, all different."""
    rows = [
        (row, column, "document", 0, epoch, 50 + number + epoch, 3 - epoch / 10 - number / 100)
        for row in ("resnet14", "resnet26")
        for number, column in enumerate(COLUMNS)
        for epoch in range(1, 6)
    ]
    names = ["row", "column", "protocol", "seed", "epoch", "test_top1", "train_loss"]
    return pd.DataFrame(rows, columns=names)


def curves(axis):
    """The lines of a panel without the crosses, which are what is printed."""
    return [line for line in axis.get_lines() if line.get_marker() != "x"]


def test_panels_have_accuracy_above_loss_and_emphasise_iieu():
    numbers, figure = convergence(histories())
    assert [axis.get_ylabel() for axis in figure.axes] == [
        *("Top-1 accuracy (%)", "", "training loss (nats)", "")
    ]
    assert [len(curves(axis)) for axis in figure.axes] == [15] * 4
    own = numbers[(numbers["row"] == "resnet26") & (numbers["column"] == "iieu_dc")]
    lines = {line.get_label(): list(line.get_ydata()) for line in curves(figure.axes[3])}
    assert lines["IIEU-DC"] == list(own["train_loss"])
    widths = {s.get_label(): s.get_linewidth() for s in curves(figure.axes[0])}
    thick = [label for label, width in widths.items() if width > min(widths.values())]
    assert thick == ["IIEU-B", "IIEU-DC"]


def test_every_protocol_has_panels_of_its_own_with_its_own_lines():
    longer = histories().assign(protocol="authors_code")
    longer["train_loss"] += 1
    more = longer[longer["epoch"] == 5].assign(epoch=6)
    _, figure = convergence(pd.concat([histories(), longer, more]))
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels[::2] == [
        f"{words}\n{reading}"
        for reading in ("as the document says", "as the authors' code")
        for words in ("Top-1 accuracy (%)", "training loss (nats)")
    ]
    first, second = ({line.get_label(): line for line in curves(figure.axes[at])} for at in (2, 6))
    assert list(second["ReLU"].get_ydata()[:5]) == [y + 1 for y in first["ReLU"].get_ydata()]
    # shorter than those of another protocol, but none of its own ended early
    assert first["ReLU"].get_marker() == LOOKS["relu"].marker != "X"
