"""Picture of CReLU Figure 6: images from features."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.crelu.figure6 import MEAN_COLOUR, ORIGINAL
from reactivate.documents.shared.replicates import first_of_each
from reactivate.experiment.labels import label


def images(numbers: pd.DataFrame) -> Figure:
    """A row per network: the image, and its reconstructions from deeper and deeper features."""
    shown = first_of_each(numbers[numbers["from"] != MEAN_COLOUR])
    names, kinds = (list(dict.fromkeys(shown[key])) for key in ("network", "from"))
    figure = Figure(figsize=(2.3 * len(kinds), 2.75 * len(names)), layout="constrained")
    axes = figure.subplots(len(names), len(kinds), squeeze=False)
    for (row, name), (column, kind) in product(enumerate(names), enumerate(kinds)):
        axis = axes[row, column]
        part = shown[(shown["network"] == name) & (shown["from"] == kind)]
        axis.set_xticks([])
        axis.set_yticks([])
        if part.empty:
            axis.set_axis_off()
            continue
        axis.imshow(picture(part), interpolation="nearest")
        title = kind if kind == ORIGINAL else f"{kind}, ratio {part['ratio'].iloc[0]:.3f}"
        axis.set_title(title, fontsize=10)
        if column == 0:
            axis.set_ylabel(label(name))
    return figure


def picture(lines: pd.DataFrame) -> np.ndarray:
    """The pixels of a picture from its lines, ``(H, W, 3)``.

    Example:
        >>> picture(pd.DataFrame({"line": [0], "pixels": ["0000ffffffff"]})).tolist()
        [[[0, 0, 255], [255, 255, 255]]]
    """
    ordered = lines.sort_values("line")["pixels"]
    rows = [np.frombuffer(bytes.fromhex(str(text)), dtype=np.uint8) for text in ordered]
    return np.stack(rows).reshape(len(rows), -1, 3)
