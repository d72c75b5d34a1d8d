"""Tables of what a recorder saw."""

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

TABLES = ("activations", "weights", "network", "entropies")


def tables_of(recorder: Recorder, clock: Clock) -> dict[str, pd.DataFrame]:
    """The tables by name; steps are those of this run and of the printed one."""
    bins = [f"bin{number}" for number in range(BINS)]
    layers, weights = recorder.layers, recorder.weight_names
    tables = {
        "activations": _by_layer(recorder, recorder.activations, layers, OF_ACTIVATIONS),
        "weights": _by_layer(recorder, recorder.weights, weights, OF_WEIGHTS),
        "network": _by_layer(recorder, recorder.network[:, None], ["all"], OF_NETWORK),
        "entropies": _by_layer(recorder, recorder.entropies, layers, bins),
    }
    for table in tables.values():
        table.insert(1, "printed_step", table["step"].map(clock.iteration))
    return tables


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
