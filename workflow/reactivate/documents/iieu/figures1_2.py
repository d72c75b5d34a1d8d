"""IIEU Figures 1 and 2: accuracy and training loss over epochs, an activation per line."""

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.shared.curves import add_legend, draw, means, panels_by_network

NETWORKS = {
    "resnet14": "(a) ResNet-14",
    "resnet26": "(b) ResNet-26",
    "mobilenet_v2": "(c) MobileNetV2 0.17×",
    "shufflenet_v2": "(d) ShuffleNetV2 0.5×",
}
WORDS = {"test_top1": "Top-1 accuracy (%)", "train_loss": "training loss"}


def convergence(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """Mean accuracy and loss by epoch; in the picture networks stand side by side.

    Where there are several protocols, each has an accuracy and a loss of its own, one below the
    other.
    """
    numbers = means(histories, list(WORDS))
    protocols = numbers["protocol"].unique()
    figure = draw(
        [
            panels_by_network(
                numbers[numbers["protocol"] == protocol],
                NETWORKS,
                words if len(protocols) == 1 else f"{words}\n{protocol}",
                {quantity: "-"},
            )
            for protocol in protocols
            for quantity, words in WORDS.items()
        ]
    )
    add_legend(figure)
    return numbers, figure
