"""Picture of the accuracy of every network behind Tables 3.2 and 3.3."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.looks import GREY, look_of
from reactivate.documents.shared.printed import printed_numbers
from reactivate.documents.thesis.chapter3.tables3_2_3_3_claims import TABLES

NETWORKS = {"vgg16": "VGG16", "resnet34": "ResNet34"}
SETTINGS = {"benchmark": "neither", "init": "initialization", "bn": "BN", "bn_init": "both"}
STEP = 0.19  # between activations
SEEDS = 0.08  # over which the seeds of a network are spread


def accuracies(numbers: pd.DataFrame) -> Figure:
    """A panel per network: every seed, and a cross where the thesis prints one."""
    figure = Figure(figsize=(9.6, 4.2), layout="constrained")
    names = list(dict.fromkeys(numbers["row"]))
    for axis, (network, title) in zip(
        figure.subplots(1, len(NETWORKS), sharey=True), NETWORKS.items(), strict=True
    ):
        printed = printed_numbers("thesis", TABLES[network])
        for number, name in enumerate(names):
            look = look_of(name)
            for place, setting in enumerate(SETTINGS):
                x = place + STEP * (number - (len(names) - 1) / 2)
                is_own = (numbers["row"] == name) & (numbers["column"] == f"{network}_{setting}")
                own = numbers.loc[is_own, "top1"]
                spread = [SEEDS * (k / max(1, len(own) - 1) - 0.5) for k in range(len(own))]
                axis.scatter([x + shift for shift in spread], own, s=14, color=look.colour)
                axis.scatter([x], [printed[setting][name]], marker="x", s=26, color=look.colour)
        axis.set_xticks(range(len(SETTINGS)), list(SETTINGS.values()), fontsize=9)
        axis.set_title(title, fontsize=10)
        axis.set_ylim(0, 100)
        axis.grid(axis="y", alpha=0.25)
    figure.axes[0].set_ylabel("validation accuracy (%)")
    looks = [look_of(name) for name in names]
    dots = [Line2D([], [], color=x.colour, marker="o", ls="", label=x.label) for x in looks]
    cross = Line2D([], [], color=GREY, marker="x", ls="", label="printed")
    figure.legend(
        handles=[*dots, cross], loc="outside lower center", ncols=5, fontsize=9, frameon=False
    )
    return figure
