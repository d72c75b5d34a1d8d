"""Certify a smoothed network image by image; what is done stays done if it is interrupted."""

import csv
import hashlib
import math
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from reactivate.evidence.hardened import unit_inputs, unit_network
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

PARTIAL = "certified.part.csv"
IMAGES = 50  # that are read together
SECONDS = "seconds"
COLUMNS = [field.name for field in fields(Certificate)]


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.certify --scale S --paper P --cell C --measurement M ...``."""
    probe = carry_out("certify", __doc__, Certification, measure)
    (probe.out / PARTIAL).unlink(missing_ok=True)


def measure(probe: Probe, chosen: Certification, device: torch.device) -> Readings:
    """Certificates of test images, their summary and, apart, the seconds that each took."""
    rows = certify(probe, chosen, device)
    certified = rows[[name for name in COLUMNS if name != SECONDS]]
    return Readings(certified, summary(rows, chosen), times=rows[["idx", SECONDS]])


def certify(probe: Probe, chosen: Certification, device: torch.device) -> pd.DataFrame:
    """A row per certified image; those of an interrupted run are not done again."""
    kept = Partial(probe.out / PARTIAL, probe.identity(chosen.model_dump_json()))
    done = {row.idx: row for row in kept.rows}
    inputs = unit_inputs(probe.network)
    numbers = range(0, inputs.count("test"), chosen.every)[: chosen.images]
    left = [idx for idx in numbers if idx not in done]
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
        progress.advance(len(done), math.nan)
        read = inputs.measured("test", 1, torch.tensor(left, dtype=torch.long), size=IMAGES)
        images = ((x, int(label)) for batch in read for x, label in zip(*batch[:2], strict=True))
        for idx, (x, label) in zip(left, images, strict=True):
            done[idx] = ask(
                base, x, label, idx, sampling, key=key, batch=samples, skip_wrong=chosen.skip_wrong
            )
            kept.append(done[idx])
            progress.advance(1, done[idx].radius)
    return pd.DataFrame([asdict(done[idx]) for idx in numbers], columns=COLUMNS)


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


class Partial:
    """Rows that an interrupted run left, and where the next ones go.

    The first line is the identity of the run; rows of another run are thrown away, and so is a
    last line that was not finished.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        first = hashlib.sha256(identity.encode()).hexdigest()
        lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
        kept = lines[1:-1] if lines and lines[0] == first else []  # the last one has no end
        self.rows = [_parse(row) for row in csv.reader(kept)]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in [first, *kept]), encoding="utf-8")

    def append(self, row: Certificate) -> None:
        """Keeps one more row."""
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow(asdict(row).values())


def _parse(row: list[str]) -> Certificate:
    idx, label, predict, radius, correct, counts, seconds = row
    whole = int(idx), int(label), int(predict)
    return Certificate(*whole, float(radius), correct == "True", counts, float(seconds))


if __name__ == "__main__":
    main()
