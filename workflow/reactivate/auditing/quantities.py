"""What every number of a table measures: its metric, the unit, and which direction is better."""

from dataclasses import dataclass
from typing import Literal

from reactivate.experiment.exhibits import Best, Computed, Grid, Quoted, Trained
from reactivate.experiment.paper import Paper
from reactivate.foundation.registry import unknown_name

WHERE = "workflow/reactivate/auditing/quantities.py"


@dataclass(frozen=True)
class Measure:
    """What a number measures."""

    metric: str
    unit: str
    better: Literal["lower", "higher", ""]  # empty: neither


METRICS = {
    measure.metric: measure
    for measure in (
        *(
            Measure(name, "%", "lower")
            for name in (
                *("error", "train_error", "vote_error"),
                *("top5_error", "error_ten", "top5_error_ten"),
            )
        ),
        *(
            Measure(name, "%", "higher")
            for name in (
                *("top1", "top5", "clean", "fixed_clean", "adversarial", "fixed_adversarial"),
                *("map", "ap50", "ap75", "ap_small", "ap_medium", "ap_large", "miou"),
                *(f"certified_{radius:03}" for radius in range(0, 325, 25)),
            )
        ),
        *(
            Measure(name, "epochs", "lower")
            for name in (
                *("epoch_loss_min", "epoch_below_3_0"),
                *("epoch_below_2_5", "epoch_below_2_0"),
            )
        ),
        Measure("loss_min", "nats", "lower"),
        Measure("test_rmse", "target units", "lower"),
        Measure("acr", "l2 distance", "higher"),
        Measure("gap", "percentage points", ""),
        Measure("float_vulnerable", "images of 10000", "lower"),
        *(
            Measure(f"reconstruction_ratio_{pool}", "ratio of l2 norms", "lower")
            for pool in ("pool1", "pool2")
        ),
        Measure("params", "parameters", "lower"),
        Measure("flops", "operations", "lower"),
        Measure("throughput", "images/s", "higher"),
        Measure("property", "true or false", ""),
        Measure("coefficient", "1", ""),
        Measure("squared_loss", "1", "lower"),
    )
}


def measure_of(paper: Paper, exhibit: Grid, row: str, column: str) -> Measure:
    """What a number of a table measures: what its row or column names, else its table.

    Raises:
        ValueError: Nothing is named, or what nobody knows.
    """
    if isinstance(exhibit, Best):
        return measure_of(paper, paper.trained[exhibit.of], exhibit.over[row][0], column)
    named = exhibit.varied(row, column).get("metric")
    if named is None and isinstance(exhibit, Trained) and exhibit.is_run(row, column):
        named = exhibit.metric.name
    if named is None and isinstance(exhibit, Computed | Quoted):
        named = exhibit.metric
    if named not in METRICS:
        error = unknown_name("metric", str(named), list(METRICS), WHERE)
        place = f"row {row}, column {column} of {exhibit.locator}"
        raise ValueError(f"{place}: {error}, or change it in config/papers/{paper.paper}.yaml")
    return METRICS[named]
