"""IIEU Figures 1 and 2: accuracy and training loss over epochs, an activation per line."""

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.shared.curves import add_legend, draw, means, panels_by_network
from reactivate.experiment.labels import label

NETWORKS = {
    "resnet14": "(a) ResNet-14",
    "resnet26": "(b) ResNet-26",
    "mobilenet_v2": "(c) MobileNetV2 0.17×",
    "shufflenet_v2": "(d) ShuffleNetV2 0.5×",
}
WORDS = {"test_top1": "Top-1 accuracy (%)", "train_loss": "training loss (nats)"}


def convergence(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """Mean accuracy and loss by epoch, and their picture."""
    numbers = means(histories, list(WORDS))
    return numbers, convergence_picture(numbers)


def convergence_picture(numbers: pd.DataFrame) -> Figure:
    """Networks side by side, accuracy above loss, an activation per line.

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
    add_legend(figure)
    return figure
