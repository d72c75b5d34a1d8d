"""Thesis, Figure 6.7: networks trained with reformed fixed or float paths, under attack."""

import pandas as pd

from reactivate.evidence.networks import NetworkRun
from reactivate.evidence.probes import METRICS
from reactivate.experiment.recipes import Defended, Scrfp2


def refactored(runs: list[NetworkRun]) -> pd.DataFrame:
    """Accuracies in percent by attack, kind of paths and eta.

    Args:
        runs: Networks with the folders of their attacks; the row names the attack.

    Returns:
        Columns paths, eta, attack, clean, adversarial and adversarial_top5.
    """
    rows = []
    for run in runs:
        recipe = run.settings.recipe
        assert isinstance(recipe, Defended)
        assert isinstance(recipe.defence, Scrfp2)
        measured = pd.read_csv(run.folder / METRICS).iloc[0]
        rows.append(
            {
                "paths": recipe.defence.paths,
                "eta": recipe.defence.eta,
                "attack": run.place[0],
                "clean": measured["clean"],
                "adversarial": measured["adversarial"],
                "adversarial_top5": measured["adversarial_top5"],
            }
        )
    return pd.DataFrame(rows).sort_values(["paths", "attack", "eta"], ignore_index=True)
