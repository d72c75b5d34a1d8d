"""The metrics that config/ describes: what a number measures, and which direction is better."""

from pathlib import Path
from typing import Literal

from reactivate.experiment.catalog.entries import written_entries, written_entry
from reactivate.experiment.numbers import Count
from reactivate.foundation.configuration import Strict, validate

METRICS = Path("config/metrics.yaml")


class Metric(Strict):
    """The numbers of a table: their name, unit, and which direction is better."""

    name: str
    better: Literal["lower", "higher"]
    unit: str


class MetricEntry(Strict):
    """The unit of a number, and whether a lower or a higher one is better."""

    unit: str
    better: Literal["lower", "higher", ""] = ""  # empty: neither
    guesses: Count | None = None  # an image, of an accuracy of classes
    # of another share that tells whether a network has learned: what one that knows nothing has,
    # at most; 0, or the share of one class
    ignorant: Literal["nothing", "class"] | None = None
    logs: bool = False  # numbers are compared by their logs: losses, errors, norms


def metric(name: str, path: Path = METRICS) -> MetricEntry:
    """The metric of that name; no other one is checked."""
    entry, file = written_entry("metric", name, path)
    return validate(MetricEntry, entry, file, name)


def metric_names(path: Path = METRICS) -> tuple[str, ...]:
    """Names of all metrics, the shared ones first."""
    return tuple(written_entries(path))
