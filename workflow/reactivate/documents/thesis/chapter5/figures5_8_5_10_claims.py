"""Statements of the thesis on neuron entropy over training, from Figures 5.8 and 5.10."""

import pandas as pd
from scipy.stats import spearmanr

from reactivate.documents.shared.judging import ordered, said
from reactivate.documents.thesis.dynamics import by_column
from reactivate.evidence.judgement import Judgement


def ends(numbers: pd.DataFrame, quantity: str) -> dict[str, float]:
    """The last value of a quantity, by batch size."""
    part = numbers[numbers["quantity"] == quantity].sort_values("step")
    return by_column(part, "value", "last")


def larger_batches_are_more_accurate(numbers: pd.DataFrame) -> Judgement:
    """Test accuracy rises with the batch, in rank."""
    accuracies = ends(numbers, "test_top1")
    accuracies = {name: accuracies[name] for name in sorted(accuracies, key=_size)}
    correlation = spearmanr(
        [_size(name) for name in accuracies], list(accuracies.values())
    ).statistic
    return ordered(
        bool(correlation > 0.5),
        f"accuracy: {said(accuracies)}; rank correlation {correlation:.2f}",
    )


def entry_entropy(numbers: pd.DataFrame) -> Judgement:
    """The entropy of the first layer ends at 0.62, to 0.05, for all batches."""
    entropies = ends(numbers, "entropy_mean layer 1")
    holds = all(abs(value - 0.62) <= 0.05 for value in entropies.values())
    return ordered(holds, f"mean entropy of layer 1 at the end: {said(entropies)}")


def deep_entropy_goes_with_accuracy(numbers: pd.DataFrame) -> Judgement:
    """The more entropy in layer 11, the more accurate, in rank."""
    deep, accuracy = ends(numbers, "entropy_mean layer 11"), ends(numbers, "test_top1")
    correlation = spearmanr([deep[n] for n in deep], [accuracy[n] for n in deep]).statistic
    return ordered(
        bool(correlation > 0.5),
        f"mean entropy of layer 11: {said(deep)}; rank correlation with accuracy "
        f"{correlation:.2f}",
    )


def deep_neurons_die(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.10: at the end, most neurons of layer 11 are in the bin of entropy 0."""
    last = numbers[numbers["step"] == numbers["step"].max()].set_index("layer")["bin0"]
    shares = {f"layer {layer}": float(share) for layer, share in last.items()}
    return ordered(shares["layer 11"] > 0.5, f"share in the lowest twentieth: {said(shares)}")


def entry_neurons_are_volatile(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.10: at the end, most neurons of layer 2 are in the upper quarter of entropy."""
    last = numbers[numbers["step"] == numbers["step"].max()].set_index("layer")
    upper = [name for name in last if str(name).startswith("bin")][-5:]
    shares = {f"layer {layer}": float(row[upper].sum()) for layer, row in last.iterrows()}
    return ordered(shares["layer 2"] > 0.5, f"share in the upper quarter: {said(shares)}")


def _size(name: str) -> int:
    return int(name.removeprefix("batch_"))
