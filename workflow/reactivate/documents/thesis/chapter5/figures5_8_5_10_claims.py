"""Statements of the thesis on neuron entropy over training, from Figures 5.8 and 5.10."""

import pandas as pd

from reactivate.documents.shared.replicates import of_seeds, rank_effect
from reactivate.documents.thesis.dynamics import late
from reactivate.experiment.run_exhibit import SEED
from reactivate.judging.replicates import Effect

ENTRY = 0.62  # section 5.3.3.1
PARTS = ("train_top1", "test_top1")
MARKS = {"seed": SEED, "learned": True}
KEYS = [*MARKS, "column", "quantity"]


def ends(numbers: pd.DataFrame) -> pd.DataFrame:
    """The last value of every quantity by seed and batch size, a column for each quantity."""
    final = _marked(numbers).sort_values("step").groupby(KEYS)["value"].last()
    return _sized(final.unstack())


def unsteadiness(numbers: pd.DataFrame) -> pd.DataFrame:
    """Deviation over the last quarter of training, of both accuracies."""
    numbers = _marked(numbers)
    shown = numbers[numbers["quantity"].isin(PARTS)]
    parts = {key: late(own) for key, own in shown.groupby(KEYS)}
    spread = pd.Series({key: own["value"].std(ddof=0) for key, own in parts.items()})
    return _sized(spread.rename_axis(KEYS).unstack())


def _marked(numbers: pd.DataFrame) -> pd.DataFrame:
    """Values with the columns ``seed`` and ``learned``, which those of one network may lack."""
    missing = {name: value for name, value in MARKS.items() if name not in numbers}
    return numbers.assign(**missing)


def _sized(table: pd.DataFrame) -> pd.DataFrame:
    table = table.reset_index()
    return table.assign(size=table["column"].str.removeprefix("batch_").astype(int))


def larger_batches_are_more_accurate(numbers: pd.DataFrame) -> dict[str, Effect]:
    """With the batch accuracy rises and its unsteadiness falls, in training and testing."""
    level, spread = ends(numbers), unsteadiness(numbers)
    cases = {f"{part} rises": rank_effect(level, "size", part) for part in PARTS}
    return cases | {f"{part} is steadier": rank_effect(spread, "size", part, -1) for part in PARTS}


def entry_entropy(numbers: pd.DataFrame) -> dict[str, Effect]:
    """The mean entropy of the first layer is close to 0.62 for all batches."""
    return {
        str(name): of_seeds(part, lambda own: float(own["entropy_mean layer 1"].iloc[0]) - ENTRY)
        for name, part in ends(numbers).groupby("column", sort=False)
    }


def deep_entropy_goes_with_accuracy(numbers: pd.DataFrame) -> dict[str, Effect]:
    """The more entropy in layer 11, the more accurate, in training and testing."""
    return {part: rank_effect(ends(numbers), "entropy_mean layer 11", part) for part in PARTS}


def deep_neurons_die(numbers: pd.DataFrame) -> Effect:
    """Figure 5.10: at the end, most neurons of layer 11 are in the bin of entropy 0."""
    return _most(numbers, layer=11, bins=slice(0, 1))


def entry_neurons_are_volatile(numbers: pd.DataFrame) -> Effect:
    """Figure 5.10: at the end, most neurons of layer 2 are in the two highest of twenty bins."""
    return _most(numbers, layer=2, bins=slice(-2, None))


def _most(numbers: pd.DataFrame, layer: int, bins: slice) -> Effect:
    """Share of the neurons of a layer in some bins of entropy at the end, minus a half."""
    names = [name for name in numbers if str(name).startswith("bin")][bins]
    chosen = numbers[(numbers["layer"] == layer) & (numbers["step"] == numbers["step"].max())]
    return of_seeds(chosen, lambda own: float(own[names].iloc[0].sum()) - 0.5)
