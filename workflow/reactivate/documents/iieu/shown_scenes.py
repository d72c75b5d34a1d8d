"""IIEU, Appendices G.1 and H: what trained networks find in test scenes, and the truth."""

import zlib
from collections.abc import Iterator
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from reactivate.datasets.segmentation_items import MEAN, STD
from reactivate.evidence.networks import NetworkRun, trained
from reactivate.experiment.catalog.imagesets import SceneSet
from reactivate.training.scenes.setup import detection_inputs, scenes_of, segmentation_inputs

TRUTH = "truth"
# what a line holds; every network has one at every scene, also where it finds nothing
PICTURE, BOX, CLASSES, LOOKED = "picture", "box", "classes", "looked"
COLUMNS = ("scene", "network", "holds", "line", "digits", "x1", "y1", "x2", "y2", "name", "score")


def objects(networks: list[NetworkRun], scenes: int, least: float) -> pd.DataFrame:
    """The first test pictures, their objects, and what each detector finds in them.

    Args:
        networks: Detectors, by the row of their place.
        scenes: Number of pictures.
        least: Smallest score of a detection that is shown.

    Returns:
        A line for each line of pixels of a picture and for each box; see :data:`COLUMNS`.
    """
    rows = list[dict[str, Any]]()
    for run in networks:
        inputs = detection_inputs(run.cell, run.settings, run.seed, run.device, run.workers)
        kinds = sorted(inputs.truth["categories"], key=lambda kind: int(kind["id"]))
        names = [str(kind["name"]) for kind in kinds]
        network, chosen = trained(run), torch.arange(min(scenes, inputs.count("test")))
        for number, (x, y, _) in enumerate(inputs.measured("test", 1, chosen)):
            with torch.no_grad():
                (found,) = network(x)
            if run is networks[0]:
                rows += _lines(number, TRUTH, PICTURE, _pixels(x[0]))
                rows += _boxes(number, TRUTH, y[0], names)
            kept = found["scores"] >= least
            own = {name: values[kept] for name, values in found.items()}
            rows.append({"scene": number, "network": str(run.place[0]), "holds": LOOKED})
            rows += _boxes(number, str(run.place[0]), own, names)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def materials(networks: list[NetworkRun], scenes: int) -> pd.DataFrame:
    """The first test pictures, the classes of their pixels, and those that each network tells.

    Args:
        networks: Networks that tell classes of pixels, by the row of their place.
        scenes: Number of pictures.

    Returns:
        A line for each line of pixels and of classes; the names of all classes stand at those of
        the truth. See :data:`COLUMNS`.
    """
    rows = list[dict[str, Any]]()
    for run in networks:
        inputs = segmentation_inputs(run.cell, run.settings, run.seed, run.device, run.workers)
        network, chosen = trained(run), torch.arange(min(scenes, inputs.count("test")))
        entry = scenes_of(run.cell)
        names = [f"class {number}" for number in range(inputs.classes)]
        if isinstance(entry, SceneSet):
            names = ["background", *entry.names]
        for number, (x, y, _) in enumerate(inputs.measured("test", 1, chosen)):
            with torch.no_grad():
                told = network(x)[0].argmax(0)
            if run is networks[0]:
                colours = x[0].cpu() * torch.tensor(STD)[:, None, None]
                seen = colours + torch.tensor(MEAN)[:, None, None]
                rows += _lines(number, TRUTH, PICTURE, _pixels(seen))
                rows += _lines(number, TRUTH, CLASSES, y[0].to(torch.uint8), ", ".join(names))
            rows += _lines(number, str(run.place[0]), CLASSES, told.to(torch.uint8))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _pixels(picture: Tensor) -> Tensor:
    """The lines of a picture ``(3, H, W)`` from 0 to 1, as bytes ``(H, 3 W)``."""
    colours = (255 * picture.clamp(0, 1)).round().to(torch.uint8).permute(1, 2, 0)
    return colours.flatten(1)


def _lines(
    scene: int, network: str, holds: str, lines: Tensor, name: str = ""
) -> Iterator[dict[str, Any]]:
    """Lines of bytes, compressed by zlib and in hexadecimal digits; the first has the name."""
    place = {"scene": scene, "network": network, "holds": holds}
    for number, line in enumerate(lines.cpu().numpy()):
        digits = zlib.compress(line.tobytes(), level=9).hex()
        yield {**place, "name": name if number == 0 else "", "line": number, "digits": digits}


def _boxes(
    scene: int, network: str, found: dict[str, Any], names: list[str]
) -> Iterator[dict[str, Any]]:
    """Boxes, with the name of their class and, of detections, their score."""
    scores = found["scores"].tolist() if "scores" in found else [None] * len(found["labels"])
    labels = found["labels"].tolist()
    for number, corners in enumerate(found["boxes"].tolist()):
        told = dict(zip(("x1", "y1", "x2", "y2"), corners, strict=True))
        place = {"scene": scene, "network": network, "holds": BOX, "line": labels[number]}
        yield {**place, **told, "name": names[labels[number]], "score": scores[number]}
