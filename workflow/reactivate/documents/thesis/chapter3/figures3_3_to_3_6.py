"""Thesis, Figures 3.3 to 3.6: training and validation accuracy over epochs."""

from functools import partial

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.curves import add_legend, draw, means, panels_by_network
from reactivate.documents.shared.looks import GREY, look_of
from reactivate.documents.shared.overlays import mark_at_end, printed_key
from reactivate.documents.shared.printed import printed_numbers
from reactivate.documents.thesis.chapter3.tables3_2_3_3_claims import TABLES

NETWORKS = {"vgg16": "(a) VGG16", "resnet34": "(b) ResNet34"}
DASHES = {"train_top1": "--", "test_top1": "-"}
WORDS = {"train_top1": "training accuracy", "test_top1": "validation accuracy"}


def accuracy(histories: pd.DataFrame, printed: str) -> tuple[pd.DataFrame, Figure]:
    """Mean accuracies by epoch, and their picture.

    Args:
        histories: Epochs of all runs.
        printed: The row of Tables 3.2 and 3.3 that has the networks of the figure.
    """
    numbers = means(histories, list(DASHES))
    return numbers, accuracy_picture(numbers, printed)


def accuracy_picture(numbers: pd.DataFrame, printed: str) -> Figure:
    """A panel per network: validation accuracy with solid, training with dashed lines.

    Crosses are the validation accuracies that Tables 3.2 and 3.3 print.
    """
    figure = draw([panels_by_network(numbers, NETWORKS, "accuracy (%)", DASHES)])
    figure.axes[0].set_ylim(0, 100)
    styles = [
        Line2D([], [], color=GREY, ls=dashes, label=WORDS[quantity])
        for quantity, dashes in DASHES.items()
    ]
    add_legend(figure, [*styles, printed_key("Tables 3.2 and 3.3")])
    colours = {name: look_of(name).colour for name in set(numbers["column"])}
    for axis, network in zip(figure.axes, dict.fromkeys(numbers["row"]), strict=True):
        if network in TABLES:
            ends = printed_numbers("thesis", TABLES[network])[printed]
            mark_at_end(axis, ends, colours)
    return figure


# Figures 3.3, 3.4, 3.5 and 3.6
benchmark = partial(accuracy, printed="benchmark")
benchmark_picture = partial(accuracy_picture, printed="benchmark")
initialized = partial(accuracy, printed="init")
initialized_picture = partial(accuracy_picture, printed="init")
normalized = partial(accuracy, printed="bn")
normalized_picture = partial(accuracy_picture, printed="bn")
both = partial(accuracy, printed="bn_init")
both_picture = partial(accuracy_picture, printed="bn_init")
