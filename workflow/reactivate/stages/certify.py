"""Certify a smoothed network image by image; what is done stays done if it is interrupted."""

import math
from collections.abc import Callable
from dataclasses import asdict, fields
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch

from reactivate.evidence.hardened import unit_inputs, unit_network
from reactivate.evidence.pieces import Pieces, forget_pieces
from reactivate.evidence.probes import Probe, Readings, carry_out
from reactivate.experiment.measurements import Certification, certified_metric
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.progress import Progress
from reactivate.smoothing.anytime import certify_anytime
from reactivate.smoothing.bases import Base, Plain, Repressed
from reactivate.smoothing.certify import Certificate, certify_image
from reactivate.smoothing.curves import average_radius, certified_accuracy
from reactivate.smoothing.fold import streamlined
from reactivate.smoothing.sampling import BATCH, Sampling, fitting_batch, read_counts

IMAGES = 50  # that are read together
SECONDS = "seconds"
COLUMNS = [field.name for field in fields(Certificate)]


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.certify --scale S --paper P --cell C --measurement M ...``."""
    probe = carry_out("certify", __doc__, Certification, measure)
    forget_pieces(probe.out)


def measure(probe: Probe, chosen: Certification, device: torch.device) -> Readings:
    """Certificates of test images, their summary and, apart, the seconds that each took."""
    rows = certify(probe, chosen, device)
    certified = rows[[name for name in COLUMNS if name != SECONDS]]
    return Readings(certified, summary(rows, chosen), times=rows[["idx", SECONDS]])


def certify(probe: Probe, chosen: Certification, device: torch.device) -> pd.DataFrame:
    """A row per certified image; those of an interrupted run are not done again."""
    pieces = Pieces.of(probe.out, probe.identity(chosen.model_dump_json()))
    inputs = unit_inputs(probe.network)
    numbers = range(0, inputs.count("test"), chosen.every)[: chosen.images]
    left = [idx for idx in numbers if str(idx) not in pieces.kept]
    sampling = Sampling(chosen.sigma, chosen.n0, chosen.n, chosen.alpha)
    # the noise does not depend on the network or the variant: comparisons are paired
    key = (probe.cell.dataset, "certify")
    anytime = chosen.stopping == "anytime"
    ask = partial(certify_anytime, radii=chosen.radii) if anytime else certify_image
    title = f"certify {probe.cell.dataset} {probe.cell.stem} {probe.measurement}"
    with Progress(title, len(numbers)) as progress:
        base = base_of(probe, chosen)
        base.network.to(device)
        samples = (
            BATCH
            if device.type == "cpu"
            else fitting_batch(base, torch.zeros(inputs.shape, device=device))
        )
        progress.advance(len(numbers) - len(left), math.nan)
        read = inputs.measured("test", 1, torch.tensor(left, dtype=torch.long), size=IMAGES)
        images = ((x, int(label)) for batch in read for x, label in zip(*batch[:2], strict=True))
        for idx, (x, label) in zip(left, images, strict=True):
            of_image = partial(ask, base, x, label, idx, sampling, key=key, batch=samples)
            certified = partial(of_image, skip_wrong=chosen.skip_wrong)
            row = pieces.get(str(idx), partial(_row, certified))
            progress.advance(1, row["radius"])
    return pd.DataFrame([pieces.kept[str(idx)] for idx in numbers], columns=COLUMNS)


def _row(certified: Callable[[], Certificate]) -> dict[str, Any]:
    """The certificate of one image as a row."""
    return asdict(certified())


def base_of(probe: Probe, chosen: Certification) -> Base:
    """The classifier that is smoothed, batch normalisation folded into its layers."""
    network = streamlined(unit_network(probe.network))
    if not chosen.repress:
        return Plain(network)
    return Repressed(network, chosen.repress, chosen.variant, chosen.where)


def summary(rows: pd.DataFrame, chosen: Certification) -> dict[str, float]:
    """Certified accuracy in percent at every radius, and the average certified radius.

    Where samples were drawn only until those radii were decided, no radius is known beyond them:
    in the place of the average stands the mean number of samples, the n0 apart.
    """
    images = rows["correct"], rows["radius"]
    shares = zip(chosen.radii, certified_accuracy(*images, chosen.radii), strict=True)
    accuracies = {certified_metric(radius): 100 * share for radius, share in shares}
    if chosen.stopping == "anytime":
        drawn = [sum(read_counts(str(votes)).values()) for votes in rows["counts"]]
        return {**accuracies, "samples": float(np.mean(drawn))}
    return {**accuracies, "acr": average_radius(*images)}


if __name__ == "__main__":
    main()
