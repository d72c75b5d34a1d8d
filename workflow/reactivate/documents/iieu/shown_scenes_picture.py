"""Pictures of what networks find in scenes: a column for the truth, one for each activation."""

import zlib
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from reactivate.documents.iieu.shown_scenes import BOX, CLASSES, PICTURE
from reactivate.documents.shared.scenery import (
    Drawing,
    add_names,
    draw_boxes,
    draw_classes,
    panels,
)
from reactivate.experiment.labels import label

COLOURS = 3


def objects(numbers: pd.DataFrame) -> Figure:
    """Boxes of objects on pictures; those that were found have a score."""
    shown = {
        label(network): _drawn_boxes(numbers, network) for network in numbers["network"].unique()
    }
    return panels(shown, _shape(numbers))


def materials(numbers: pd.DataFrame) -> Figure:
    """Classes of pixels over pictures."""
    shown = {
        label(network): _drawn_classes(numbers, network) for network in numbers["network"].unique()
    }
    figure = panels(shown, _shape(numbers))
    (names,) = numbers["name"].dropna().unique()
    add_names(figure, str(names).split(", "))
    return figure


def _drawn_boxes(numbers: pd.DataFrame, network: str) -> list[Drawing]:
    drawn: list[Drawing] = []
    for scene in sorted(numbers["scene"].unique()):
        own = numbers[(numbers["scene"] == scene) & (numbers["network"] == network)]
        boxes = own[own["holds"] == BOX]
        labels = boxes["line"].to_numpy(dtype=int)
        names = dict(zip(labels.tolist(), boxes["name"].tolist(), strict=True))
        known = [names.get(label, "") for label in range(max(names, default=-1) + 1)]
        scores = None if boxes["score"].isna().all() else boxes["score"].to_numpy()
        corners = boxes[["x1", "y1", "x2", "y2"]].to_numpy()
        picture = _picture(numbers, scene)
        drawn.append(
            partial(
                draw_boxes,
                image=picture,
                boxes=corners,
                labels=labels,
                names=known,
                scores=scores,
            )
        )
    return drawn


def _drawn_classes(numbers: pd.DataFrame, network: str) -> list[Drawing]:
    drawn: list[Drawing] = []
    for scene in sorted(numbers["scene"].unique()):
        own = numbers[(numbers["scene"] == scene) & (numbers["network"] == network)]
        classes = _bytes(own[own["holds"] == CLASSES])
        drawn.append(partial(draw_classes, image=_picture(numbers, scene), classes=classes))
    return drawn


def _picture(numbers: pd.DataFrame, scene: int) -> NDArray[np.uint8]:
    """The pixels of a scene, ``(3, H, W)``."""
    lines = _bytes(numbers[(numbers["scene"] == scene) & (numbers["holds"] == PICTURE)])
    return lines.reshape(len(lines), -1, COLOURS).transpose(2, 0, 1)


def _bytes(lines: pd.DataFrame) -> NDArray[np.uint8]:
    """Bytes of lines that are compressed and written in hexadecimal digits.

    Example:
        >>> digits = [zlib.compress(bytes(line)).hex() for line in ([0, 1], [0, 255])]
        >>> _bytes(pd.DataFrame({"line": [1, 0], "digits": digits})).tolist()
        [[0, 255], [0, 1]]
    """
    ordered = (bytes.fromhex(str(text)) for text in lines.sort_values("line")["digits"])
    return np.stack([np.frombuffer(zlib.decompress(line), np.uint8) for line in ordered])


def _shape(numbers: pd.DataFrame) -> float:
    """Width of the first scene, divided by its height."""
    _, height, width = _picture(numbers, int(numbers["scene"].min())).shape
    return float(width / height)
