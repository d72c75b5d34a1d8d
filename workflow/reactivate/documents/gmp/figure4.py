"""GmP Figure 4: top-5 accuracy over epochs, a parameterization per line."""

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.gmp.looks import LOOKS
from reactivate.documents.shared.curves import Panel, add_legend, draw, means
from reactivate.documents.shared.overlays import mark_at_end, printed_key
from reactivate.documents.shared.printed import printed_numbers

TITLES = {"train_top5": "top-5 training accuracy", "test_top5": "top-5 validation accuracy"}
PRINTED = "top5_1024"  # column of Table 2 with the numbers of the same networks


def top5(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """Mean top-5 accuracies by epoch, and their picture."""
    numbers = means(histories, list(TITLES))
    return numbers, top5_picture(numbers)


def top5_picture(numbers: pd.DataFrame) -> Figure:
    """A panel each for training and validation, a parameterization per line.

    Crosses are the validation accuracies that Table 2 prints for this batch size.
    """
    panels = [
        Panel(title, "accuracy (%)", numbers, "row", {quantity: "-"})
        for quantity, title in TITLES.items()
    ]
    figure = draw([panels], LOOKS)
    add_legend(figure, [printed_key("Table 2 (ImageNet32)")])
    ends = {row: cells[PRINTED] for row, cells in printed_numbers("gmp", "table2").items()}
    drawn = set(numbers["row"])
    mark_at_end(figure.axes[-1], ends, {n: look.colour for n, look in LOOKS.items() if n in drawn})
    return figure
