"""Picture of thesis Figure 6.7: accuracies of networks with reformed paths."""

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import BLACK, BLUE, PURPLE, RED
from reactivate.experiment.labels import label

KINDS = {"fixed": "(a) fixed paths reformed", "float": "(b) float paths reformed"}
COLOURS = {"clean": (BLACK, "o-"), "fgsm": (BLUE, "s--"), "pgd": (RED, "D-")}


def refactored(numbers: pd.DataFrame) -> Figure:
    """Per kind of paths: clean accuracy, and top 1 and top 5 under each attack, against eta."""
    kinds = [kind for kind in KINDS if kind in set(numbers["paths"])]
    figure = Figure(figsize=(10.5, 3.1 * len(kinds) + 0.4), layout="constrained")
    panels = figure.subplots(len(kinds), 3, squeeze=False)
    for line, kind in zip(panels, kinds, strict=True):
        part = numbers[numbers["paths"] == kind]
        clean = part.drop_duplicates("eta").sort_values("eta")
        line[0].plot(clean["eta"], clean["clean"], "o-", color=COLOURS["clean"][0], label="clean")
        for attack, own in part.groupby("attack"):
            for panel, measured in zip(line[1:], ("adversarial", "adversarial_top5"), strict=True):
                colour, style = COLOURS.get(str(attack), (PURPLE, "^:"))
                panel.plot(
                    own["eta"], own[measured], style, color=colour, label=label(str(attack))
                )
        titles = ("clean, top 1", "attacked, top 1", "attacked, top 5")
        for panel, title in zip(line, titles, strict=True):
            panel.set_title(f"{KINDS[kind]}: {title}", fontsize=9)
            panel.set_xlabel("η, coefficient of the reformed paths")
            panel.grid(alpha=0.25)
        line[0].set_ylabel("accuracy (%)")
        line[1].legend(frameon=False, fontsize=8)
    return figure
