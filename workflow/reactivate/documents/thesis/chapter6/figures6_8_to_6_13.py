"""Thesis, Figures 6.8 to 6.13: certified accuracy against the radius."""

import numpy as np
import pandas as pd

from reactivate.evidence.networks import NetworkRun
from reactivate.evidence.probes import IMAGES
from reactivate.evidence.records import read_record
from reactivate.experiment.measurements import Certification
from reactivate.experiment.paths import RECORD
from reactivate.smoothing.curves import certified_accuracy


def curves(runs: list[NetworkRun], largest: float, points: int) -> pd.DataFrame:
    """Certified accuracy in percent of every method, at equally spaced radii from 0.

    Where samples were drawn only until some radii were decided, it is taken at those.

    Args:
        runs: Networks with the folders of their certification.
        largest: The last radius.
        points: How many radii.

    Returns:
        Columns method, protocol, radius, accuracy and images.
    """
    parts = []
    for run in runs:
        method, protocol = run.place[0], run.place[2]
        rows = pd.read_csv(run.folder / IMAGES)
        asked = Certification.model_validate(read_record(run.folder / RECORD).settings)
        radii = np.linspace(0, largest, points)
        if asked.stopping == "anytime":
            radii = np.array([radius for radius in asked.radii if radius <= largest])
        accuracy = 100 * certified_accuracy(rows["correct"], rows["radius"], radii)
        part = pd.DataFrame({"radius": radii, "accuracy": accuracy})
        parts.append(part.assign(method=method, protocol=protocol, images=len(rows)))
    columns = ["method", "protocol", "radius", "accuracy", "images"]
    return pd.concat(parts, ignore_index=True)[columns]
