"""Thesis, Figures 3.3 to 3.6: training and validation accuracy over epochs."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.curves import add_legend, draw, means, panels_by_network
from reactivate.documents.shared.looks import GREY

NETWORKS = {"vgg16": "(a) VGG16", "resnet34": "(b) ResNet34"}
DASHES = {"train_top1": "--", "test_top1": "-"}
WORDS = {"train_top1": "training accuracy", "test_top1": "validation accuracy"}


def accuracy(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """Mean accuracies by epoch, and their picture."""
    numbers = means(histories, list(DASHES))
    return numbers, accuracy_picture(numbers)


def accuracy_picture(numbers: pd.DataFrame) -> Figure:
    """A panel per network: validation accuracy with solid, training with dashed lines."""
    figure = draw([panels_by_network(numbers, NETWORKS, "accuracy (%)", DASHES)])
    figure.axes[0].set_ylim(0, 100)
    styles = [
        Line2D([], [], color=GREY, ls=dashes, label=WORDS[quantity])
        for quantity, dashes in DASHES.items()
    ]
    add_legend(figure, styles)
    return figure
