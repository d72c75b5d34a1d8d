"""Statements of the thesis on similarity over training, judged from Figures 5.4 to 5.6."""

import pandas as pd
from scipy.stats import spearmanr

from reactivate.documents.shared.judging import ordered, said
from reactivate.documents.thesis.dynamics import by_column
from reactivate.evidence.judgement import Judgement


def ends(numbers: pd.DataFrame, quantity: str = "similarity") -> dict[str, float]:
    """The last value of a quantity, by activation."""
    return by_column(numbers.sort_values("step"), quantity, "last")


def lowest(numbers: pd.DataFrame) -> dict[str, float]:
    """The smallest similarity on the way, by activation."""
    return {str(k): float(v) for k, v in numbers.groupby("column")["similarity"].min().items()}


def saturated_become_alike(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.4: Sigmoid and Tanh fall, then rise to 0.95, to 0.05."""
    final, dip = ends(numbers), lowest(numbers)
    names = ("sigmoid", "tanh")
    holds = all(abs(final[n] - 0.95) <= 0.05 and dip[n] < final[n] - 0.02 for n in names)
    finding = "; ".join(f"{n}: lowest {dip[n]:.3f}, at the end {final[n]:.3f}" for n in names)
    return ordered(holds, finding)


def others_stay_at_half(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.4: ReLU and GELU end at 0.5, to 0.1."""
    final = ends(numbers)
    holds = all(abs(final[n] - 0.5) <= 0.1 for n in ("relu", "gelu"))
    return ordered(holds, f"at the end: {said(final)}")


def relu_distance_varies_least(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.4: the variance of the prediction distance rises from ReLU over GELU and Tanh."""
    variances = by_column(numbers, "distance_variance")
    order = ["relu", "gelu", "tanh", "sigmoid"]
    return ordered(
        sorted(variances, key=lambda name: variances[name]) == order,
        f"variance over pairs, mean over training: {said(variances)}",
    )


def gelu_ends_lowest(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.5: GELU has the lowest similarity at the end."""
    final = ends(numbers)
    return ordered(
        min(final, key=lambda name: final[name]) == "gelu", f"at the end: {said(final)}"
    )


def accuracy_mirrors_similarity(numbers: pd.DataFrame) -> Judgement:
    """Section 5.2.3.4: the less similar, the more accurate, without exception."""
    final, accuracy = ends(numbers), ends(numbers, "accuracy")
    names = list(final)
    correlation = spearmanr([final[n] for n in names], [accuracy[n] for n in names]).statistic
    return ordered(
        bool(correlation <= -0.999),
        f"similarity at the end: {said(final)}; test accuracy: {said(accuracy)}; "
        f"rank correlation {correlation:.2f}",
    )


def settled(numbers: pd.DataFrame) -> dict[str, float]:
    """Steps until nine tenths of the way to the lowest similarity of the early stage are done."""
    steps = {}
    for name, part in numbers.groupby("column", sort=False):
        part = part.sort_values("step")
        start, low = part["similarity"].iloc[0], part["similarity"].min()
        done = part[part["similarity"] <= start - 0.9 * (start - low)]
        steps[str(name)] = float(done["step"].iloc[0])
    return steps


def relu_settles_first(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.6(a): ReLU is fastest, then GELU and Tanh; Sigmoid takes longest."""
    steps = settled(numbers[numbers["row"] == "fcnn"])
    order = [steps[name] for name in ("relu", "gelu", "tanh", "sigmoid")]
    return ordered(
        order == sorted(order) and len(set(order)) == len(order),
        f"steps to nine tenths of the fall: {said(steps)}",
    )


def early_similarity_reaches_half(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.6(a): the similarity of all models decreases to 0.5, to 0.1."""
    low = lowest(numbers[numbers["row"] == "fcnn"])
    return ordered(
        all(abs(value - 0.5) <= 0.1 for value in low.values()),
        f"lowest in the early stage: {said(low)}",
    )


def sigmoid_vgg_starts_alike(numbers: pd.DataFrame) -> Judgement:
    """Figure 5.6(b): the Sigmoid VGG16 starts at 100 %, to 1 %."""
    vgg = numbers[(numbers["row"] == "vgg16") & (numbers["column"] == "sigmoid")]
    start = vgg.sort_values("step")["similarity"].iloc[:3].tolist()
    shown = ", ".join(f"{value:.3f}" for value in start)
    return ordered(min(start) >= 0.99, f"similarity at the first records: {shown}")
