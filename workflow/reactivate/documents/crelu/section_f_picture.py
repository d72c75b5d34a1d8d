"""Picture of CReLU section F: a row of reconstructions for each image."""

from itertools import product

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.crelu.figure6 import MEAN_COLOUR, ORIGINAL
from reactivate.documents.crelu.figure6_picture import picture
from reactivate.experiment.labels import label


def examples(numbers: pd.DataFrame) -> Figure:
    """A row per network and image: the image, and what deeper and deeper features give back."""
    shown = numbers[numbers["from"] != MEAN_COLOUR]
    rows = list(dict.fromkeys(zip(shown["network"], shown["image"], strict=True)))
    kinds = list(dict.fromkeys(shown["from"]))
    figure = Figure(figsize=(1.7 * len(kinds), 1.85 * len(rows)), layout="constrained")
    grid = figure.subplots(len(rows), len(kinds), squeeze=False)
    for (row, (network, image)), (column, kind) in product(enumerate(rows), enumerate(kinds)):
        axis = grid[row, column]
        own = (shown["network"] == network) & (shown["image"] == image) & (shown["from"] == kind)
        part = shown[own]
        axis.set_xticks([])
        axis.set_yticks([])
        if part.empty:
            axis.set_axis_off()
            continue
        axis.imshow(picture(part), interpolation="nearest")
        title = kind if kind == ORIGINAL else f"{kind}, {part['ratio'].iloc[0]:.3f}"
        axis.set_title(title, fontsize=8)
        if column == 0:
            axis.set_ylabel(f"{label(network)}\nimage {image}", fontsize=8)
    return figure
