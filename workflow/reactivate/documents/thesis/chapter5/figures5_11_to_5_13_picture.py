"""Pictures of pruned networks: thesis Figures 5.11 to 5.13."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from reactivate.documents.shared.looks import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    INDIGO,
    ORANGE,
    PALE,
    PURPLE,
    RED,
    SKY,
    Look,
    look_of,
)

LOOKS = {
    "weight": Look("weight", BLACK, 2.0),
    "entropy_weighted": Look("entropy-weighted", RED, 2.0, marker="*"),
    "harmonic_mean": Look("harmonic mean", BLUE, marker="s"),
    "normalised_product": Look("normalised product", GREEN, marker="^"),
    "standardised_product": Look("standardised product", ORANGE, marker="D"),
    "sum": Look("sum (program)", PURPLE, marker="P"),
    "global_magnitude": Look("global magnitude", SKY, marker="<"),
    "random": Look("random", PALE, marker="v"),
    "one_shot": Look("one shot + fine-tuning", INDIGO, marker="h"),
}
OURS = ("global_magnitude", "random", "one_shot")  # beside what the thesis compares
CODED = "_authors_code"
FREQUENCIES = {2: (RED, "o"), 5: (ORANGE, "s"), 10: (GREEN, "^"), 15: (BLUE, "D")}
DASHED, DOTTED = "--", ":"
ACCURACY = "validation accuracy (%)\nmean ± standard error"


def by_sparsity(numbers: pd.DataFrame) -> Figure:
    """Figure 5.11: a line per score; dashed what others do, dotted what the program does."""
    figure = Figure(figsize=(7.2, 5.4), layout="constrained")
    axis = figure.subplots()
    for method, part in numbers.groupby("row", sort=False):
        look, dashes = looks(str(method))
        draw_line(axis, part, "sparsity", "top1", look, dashes)
    _label_sparsity(axis, sorted(numbers["sparsity"].unique()))
    axis.set_ylabel(ACCURACY)
    _add_legend(figure)
    return figure


def by_frequency(numbers: pd.DataFrame) -> Figure:
    """Figure 5.13: a panel per score, a line per number of epochs between prunings."""
    blends = list(numbers["blend"].unique())
    figure = Figure(figsize=(4.3 * len(blends), 4.0), layout="constrained")
    panels = figure.subplots(1, len(blends), squeeze=False, sharey=True)[0]
    for axis, blend in zip(panels, blends, strict=True):
        of_blend = numbers[numbers["blend"] == blend]
        for every, part in of_blend.groupby("every"):
            colour, marker = FREQUENCIES.get(int(str(every)), (GREY, "x"))
            look = Look(f"every {every} epochs", colour, marker=marker)
            draw_line(axis, part, "sparsity", "top1", look)
        axis.set_title(LOOKS[blend].label, fontsize=10)
        _label_sparsity(axis, sorted(numbers["sparsity"].unique()))
    panels[0].set_ylabel(ACCURACY)
    _add_legend(figure)
    return figure


def over_epochs(numbers: pd.DataFrame) -> Figure:
    """Figure 5.12: training beside validation accuracy; a line per score."""
    panels = {"train_top1": "(a) training accuracy", "test_top1": "(b) validation accuracy"}
    figure = Figure(figsize=(8.6, 4.6), layout="constrained")
    for axis, (quantity, title) in zip(
        figure.subplots(1, 2, sharey=True), panels.items(), strict=True
    ):
        for method, part in numbers.groupby("row", sort=False):
            look, dashes = looks(str(method))
            draw_line(axis, part, "epoch", quantity, look, dashes)
        axis.set(title=title, xlabel="epoch")
        axis.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
        axis.grid(alpha=0.25)
    figure.axes[0].set_ylabel("accuracy (%), mean ± standard error")
    _add_legend(figure)
    return figure


def looks(method: str) -> tuple[Look, str]:
    """Look and dashes of a method; the program's version has the colour of the text's."""
    plain = method.removesuffix(CODED)
    look = look_of(plain, LOOKS)
    if method != plain:
        return Look(f"{look.label}, as coded", look.colour, 1.2, marker=look.marker), DOTTED
    return look, DASHED if method in OURS else "-"


def draw_line(
    axis: Axes, numbers: pd.DataFrame, x: str, y: str, look: Look, dashes: str = "-"
) -> None:
    """Mean over seeds, with one standard error around it where there are several."""
    line = numbers.groupby(x)[y].agg(["mean", "sem"])
    few = len(line) <= 12
    axis.plot(
        line.index,
        line["mean"],
        dashes,
        color=look.colour,
        linewidth=look.width,
        marker=look.marker if few else "",
        markersize=2 + look.width,
        zorder=2 + look.width,
        label=look.label,
    )
    if line["sem"].notna().any():
        low, high = line["mean"] - line["sem"], line["mean"] + line["sem"]
        axis.fill_between(line.index, low, high, color=look.colour, alpha=0.12, linewidth=0)


def _add_legend(figure: Figure) -> None:
    """One entry per line that is drawn anywhere, with its dashes, below the panels."""
    lines = {str(line.get_label()): line for axis in figure.axes for line in axis.get_lines()}
    figure.legend(
        handles=list(lines.values()),
        loc="outside lower center",
        ncols=int(figure.get_size_inches()[0] / 2.3),
        fontsize=9,
        frameon=False,
    )


def _label_sparsity(axis: Axes, sparsities: list[float]) -> None:
    axis.set_xticks(sparsities)
    axis.xaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    axis.set_xlabel("share of weights removed")
    axis.grid(alpha=0.25)
