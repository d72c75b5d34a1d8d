"""IIEU Figures 1 and 2: accuracy and training loss over epochs, an activation per line."""

from itertools import product

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.shared.curves import add_legend, draw, means, panels_by_network
from reactivate.documents.shared.looks import look_of
from reactivate.documents.shared.overlays import mark_at_end, printed_key
from reactivate.documents.shared.printed import printed_numbers
from reactivate.experiment.labels import label

NETWORKS = {
    "resnet14": "(a) ResNet-14",
    "resnet26": "(b) ResNet-26",
    "mobilenet_v2": "(c) MobileNetV2 0.17×",
    "shufflenet_v2": "(d) ShuffleNetV2 0.5×",
}
WORDS = {"test_top1": "Top-1 accuracy (%)", "train_loss": "training loss (nats)"}
TABLES = {
    "resnet14": "table1",
    "resnet26": "table2",
}  # of the networks of Figure 2 none is printed
PRINTED = {"test_top1": "top1", "train_loss": "loss_min"}  # rows of these tables


def convergence(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """Mean accuracy and loss by epoch, and their picture."""
    numbers = means(histories, list(WORDS))
    return numbers, convergence_picture(numbers)


def convergence_picture(numbers: pd.DataFrame) -> Figure:
    """Networks side by side, accuracy above loss, an activation per line.

    Crosses are the accuracies and the lowest losses that Tables 1 and 2 print.

    Where there are several protocols, each has an accuracy and a loss of its own, one below the
    other.
    """
    protocols = numbers["protocol"].unique()
    figure = draw(
        [
            panels_by_network(
                numbers[numbers["protocol"] == protocol],
                NETWORKS,
                words if len(protocols) == 1 else f"{words}\n{label(protocol)}",
                {quantity: "-"},
            )
            for protocol in protocols
            for quantity, words in WORDS.items()
        ]
    )
    shown = list(dict.fromkeys(numbers["row"]))
    printed = [network for network in shown if network in TABLES]
    add_legend(figure, [printed_key("Tables 1 and 2 (ImageNet)")] if printed else [])
    colours = {name: look_of(name).colour for name in set(numbers["column"])}
    places = product(protocols, WORDS, shown)
    for axis, (_, quantity, network) in zip(figure.axes, places, strict=True):
        if network in TABLES:
            ends = printed_numbers("iieu", TABLES[network])[PRINTED[quantity]]
            mark_at_end(axis, ends, colours)
    return figure
