"""Tables of what a recorder saw."""

from collections.abc import Sequence

import pandas as pd
from torch import Tensor

from reactivate.training.observing.recorder import (
    BINS,
    OF_ACTIVATIONS,
    OF_NETWORK,
    OF_WEIGHTS,
    Recorder,
)
from reactivate.training.schedules import Clock

TABLES = ("activations", "weights", "network", "similarities", "entropies")


def tables_of(recorder: Recorder, clock: Clock) -> dict[str, pd.DataFrame]:
    """The tables by name; steps are those of this run and of the printed one."""
    bins = [f"bin{number}" for number in range(BINS)]
    layers, weights = recorder.layers, recorder.weight_names
    tables = {
        "activations": _by_layer(recorder, recorder.activations, layers, OF_ACTIVATIONS),
        "weights": _by_layer(recorder, recorder.weights, weights, OF_WEIGHTS),
        "network": _by_layer(recorder, recorder.network[:, None], ["all"], OF_NETWORK),
        "similarities": _by_breakpoints(recorder),
        "entropies": _by_layer(recorder, recorder.entropies, layers, bins),
    }
    for table in tables.values():
        table.insert(1, "printed_step", table["step"].map(clock.iteration))
    return tables


def points_text(points: Sequence[float]) -> str:
    """Breakpoints as tables name them.

    Example:
        >>> points_text((-0.5, 0.5))
        '-0.5, 0.5'
    """
    return ", ".join(f"{point:g}" for point in points)


def _by_breakpoints(recorder: Recorder) -> pd.DataFrame:
    """Similarity of the whole network, one row per moment and set of breakpoints."""
    sets = [points_text(points) for points in recorder.breakpoints]
    index = pd.MultiIndex.from_product([recorder.moments, sets], names=["step", "breakpoints"])
    values = recorder.similarities.flatten().numpy()
    return pd.DataFrame({"similarity": values}, index=index).reset_index().dropna()


def _by_layer(
    recorder: Recorder, values: Tensor, names: list[str], columns: tuple[str, ...] | list[str]
) -> pd.DataFrame:
    """One row per moment and layer; layers are counted from 1."""
    layers = range(1, len(names) + 1)
    index = pd.MultiIndex.from_product([recorder.moments, layers], names=["step", "layer"])
    table = pd.DataFrame(values.flatten(0, 1).numpy(), index=index, columns=list(columns))
    table = table.reset_index()
    table.insert(2, "name", names * len(recorder.moments))
    return table.dropna(how="all", subset=list(columns))  # at the end there is no gradient
