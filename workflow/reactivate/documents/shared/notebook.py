"""Figures and tables for the notebooks, which draw evidence and compute nothing."""

import json
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from reactivate.experiment.loading import load_paper
from reactivate.experiment.paths import audit_file, exhibit_file
from reactivate.experiment.printed import Printed
from reactivate.judging.verdicts import Verdict

COLOURS = {"printed": "#444444", "document": "#1f6fb4", "authors_code": "#d9822b", "cv": "#2a9d62"}
FALLBACK = "#8a63b8"


def beside_printed(evidence: dict[str, Any]) -> Figure:
    """One panel per column of a table: printed and ours per row, with their errors.

    Args:
        evidence: Content of an exhibit's ``provenance.json``.
    """
    cells = evidence["cells"]
    columns = list(dict.fromkeys(cell["column"] for cell in cells))
    rows = list(dict.fromkeys(cell["row"] for cell in cells))
    protocols = ["printed", *dict.fromkeys(cell["protocol"] for cell in cells)]
    figure, axes = plt.subplots(
        1, len(columns), figsize=(2.2 * len(columns) + 0.6, 3.4), layout="constrained"
    )
    for axis, column in zip(axes, columns, strict=True):
        for place, protocol in enumerate(protocols):
            shift = 0.8 * (place - (len(protocols) - 1) / 2) / len(protocols)
            points = [_point(cells, row, column, protocol) for row in rows]
            axis.errorbar(
                [x + shift for x in range(len(rows))],
                [mean for mean, _ in points],
                yerr=[error for _, error in points],
                fmt="o" if protocol != "printed" else "_",
                markersize=4 if protocol != "printed" else 9,
                color=COLOURS.get(protocol, FALLBACK),
                capsize=2,
                label=protocol,
            )
        axis.set_title(column, fontsize=10)
        axis.set_xticks(range(len(rows)), rows)
        axis.set_xlim(-0.6, len(rows) - 0.4)
    axes[0].set_ylabel(f"{evidence['metric']['name']} ({evidence['metric']['unit']})")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(protocols), frameon=False)
    return figure


def _point(
    cells: list[dict[str, Any]], row: str, column: str, protocol: str
) -> tuple[float, float]:
    """Mean and error of one number."""
    for cell in cells:
        if (cell["row"], cell["column"]) == (row, column):
            if protocol == "printed":
                printed = Printed.parse(cell["printed"])
                return printed.value, printed.spread or 0.0
            if cell["protocol"] == protocol:
                return cell["mean"], cell["standard_error"] or 0.0
    return float("nan"), 0.0


def training_curves(history: Any, title: str) -> Figure:
    """Error of the watched rows, or training loss if none are, of every seed over the epochs.

    Args:
        history: Content of a ``history.csv`` as a data frame.
        title: What was trained.
    """
    figure, axis = plt.subplots(figsize=(5.2, 3.2), layout="constrained")
    for seed, run in history.groupby("seed"):
        axis.plot(run["epoch"], run["watched"], linewidth=1, label=f"seed {seed}")
    axis.set(title=title, xlabel="epoch", ylabel="watched", yscale="log")
    axis.legend(fontsize=7, ncols=2, frameon=False)
    return figure


def shown(scale: str, paper: str, *exhibits: str) -> list[Any]:
    """Figures with their captions for a notebook, or a word for one that was not made here."""
    from IPython import display

    image: Any = display.Image
    words: Any = display.Markdown
    displayed = []
    for name in exhibits:
        picture = exhibit_file(scale, paper, name, "png")
        if not picture.exists():
            locator = name.replace("figure", "Figure ").replace("_", ".")
            displayed.append(words(f"*{locator} was not made at scale {scale} on this machine.*"))
            continue
        evidence = exhibit_file(scale, paper, name, "provenance.json")
        caption = json.loads(evidence.read_text(encoding="utf-8"))["caption"]
        displayed += [image(data=picture.read_bytes()), words(caption)]
    return displayed


def judged(scale: str, paper: str, *exhibits: str) -> pd.DataFrame:
    """Verdicts of the audit for a notebook, on statements about some exhibits or about none."""
    asked = exhibits or (None,)
    claims = load_paper(paper).claims.items()
    about = {name: None if c.check is None else c.check.exhibit for name, c in claims}
    names = [f"{paper}/claims/{name}" for name, exhibit in about.items() if exhibit in asked]
    audit = pd.read_csv(audit_file(scale, "csv", paper=paper), dtype=str).set_index("claim")
    rows = audit.loc[names]
    found = [f"It {Verdict.parse(verdict).sentence}." for verdict in rows["verdict"]]
    told = {"claimed": rows["printed"], "found": found, "because": rows["reason"]}
    told["would change it"] = rows["would_change"]
    return pd.DataFrame(told).reset_index(drop=True)
