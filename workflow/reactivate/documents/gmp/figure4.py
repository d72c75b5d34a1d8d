"""GmP Figure 4: top-5 accuracy over epochs, a parameterization per line."""

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.gmp.looks import LOOKS
from reactivate.documents.shared.curves import Panel, add_legend, draw, means

TITLES = {"train_top5": "top-5 training accuracy", "test_top5": "top-5 validation accuracy"}


def top5(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """Mean top-5 accuracies by epoch, and their picture."""
    numbers = means(histories, list(TITLES))
    return numbers, top5_picture(numbers)


def top5_picture(numbers: pd.DataFrame) -> Figure:
    """A panel each for training and validation, a parameterization per line."""
    panels = [
        Panel(title, "accuracy (%)", numbers, "row", {quantity: "-"})
        for quantity, title in TITLES.items()
    ]
    figure = draw([panels], LOOKS)
    add_legend(figure)
    return figure
