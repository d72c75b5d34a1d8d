"""Pictures of GmP Figures 2 and 3: the panels of many trained networks that both share."""

from collections.abc import Callable

import pandas as pd
from matplotlib.axes import Axes

from reactivate.documents.gmp.looks import LOOKS

ORDER = ("sp", "wn", "bn", "gmp")


def draw_largest(
    axis: Axes, frame: pd.DataFrame, quantity: str, told: Callable[[float], str]
) -> pd.DataFrame:
    """Draws the largest change at each step, with that of all seeds in the legend.

    Args:
        axis: The panel.
        frame: Numbers of the figure.
        quantity: The change; the largest ever of a network is ``{quantity}_ever``.
        told: The largest change of all seeds in words.

    Returns:
        The rows that are drawn.
    """
    rows = frame[frame["quantity"] == quantity]
    ever = frame[frame["quantity"] == f"{quantity}_ever"]
    for name in ORDER:
        part = rows[rows["parameterization"] == name]
        all_seeds = ever[(ever["parameterization"] == name) & ever["rate"].isin(part["rate"])]
        look = LOOKS[name]
        words = f"{look.label} (all seeds: up to {told(all_seeds['value'].max())})"
        axis.plot(
            part["step"], part["value"], color=look.colour, ls=look.dashes, lw=1, label=words
        )
    axis.set_xlabel("step")
    axis.grid(alpha=0.25)
    axis.legend(fontsize=8, ncols=2, loc="upper right")
    return rows


def scores_of_shown(
    frame: pd.DataFrame, name: str, shown: str, score: str
) -> tuple[float, "pd.Series[float]", float]:
    """Rate and scores of the networks of a parameterization of which one is shown, and its own.

    Args:
        frame: Numbers of the figure.
        name: The parameterization.
        shown: A quantity that only the network has that is shown.
        score: The quantity that is its score.

    Returns:
        The learning rate, the scores of all seeds at that rate, and that of the network shown.
    """
    own = frame[frame["parameterization"] == name]
    first = own[own["quantity"] == shown].iloc[0]
    scores = own[(own["quantity"] == score) & (own["rate"] == first["rate"])]
    mine = scores.loc[scores["seed"] == first["seed"], "value"].iloc[0]
    return float(first["rate"]), scores["value"], float(mine)
