"""Attack one trained network: how it, and its fixed paths, do on the images it was misled with."""

import math

import pandas as pd
import torch
from torch import Tensor, nn

from reactivate.attacks.fgsm import fgsm
from reactivate.attacks.pgd import pgd
from reactivate.evidence.hardened import unit_images, unit_network
from reactivate.evidence.probes import Probe, Readings, carry_out
from reactivate.experiment.measurements import Attack, Fgsm, Pgd
from reactivate.foundation.device import generator_on
from reactivate.foundation.errors import reports_errors
from reactivate.patterns.paths import fixed_paths
from reactivate.patterns.preactivations import evaluating
from reactivate.patterns.vulnerability import vulnerable
from reactivate.training.accuracy import top

BATCH = 128  # that of the author's code: its running mean is over the last such batches
PER = 10_000  # images: float vulnerable ones are counted among as many
DECIMALS = 5  # of changes in the file of images; metrics are of unrounded ones


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.attack --scale S --paper P --cell C --measurement M ...``."""
    carry_out("attack", __doc__, Attack, measure)


def measure(probe: Probe, chosen: Attack, device: torch.device) -> Readings:
    """Measures a trained network on its test images, as they are and attacked."""
    network = unit_network(probe.network).to(device)
    x, y = unit_images(probe.network, chosen.images)
    rows = attack(network, x.to(device), y.to(device), chosen, probe.cell.dataset)
    return Readings(short(rows), summary(rows, chosen.window))


def attack(network: nn.Module, x: Tensor, y: Tensor, chosen: Attack, dataset: str) -> pd.DataFrame:
    """A row per image: whether network and fixed paths are right, before and after the attack.

    Args:
        network: Takes images from 0 to 1; in evaluation mode.
        x: Images from 0 to 1.
        y: Labels.
        chosen: The attack, and how paths are taken.
        dataset: Of the images; keys random starts.
    """
    parts = []
    for number, (images, labels) in enumerate(
        zip(torch.split(x, BATCH), torch.split(y, BATCH), strict=True)
    ):
        attacked = _attacked(network, images, labels, chosen.attack, (dataset, number))
        scores = _scores(network, images, attacked, labels, chosen.paths)
        parts.append(pd.DataFrame({name: value.tolist() for name, value in scores.items()}))
    rows = pd.concat(parts, ignore_index=True)
    return rows.rename_axis("idx").reset_index()


def _attacked(
    network: nn.Module, x: Tensor, y: Tensor, how: Fgsm | Pgd, key: tuple[object, ...]
) -> Tensor:
    if isinstance(how, Fgsm):
        return fgsm(network, x, y, how.epsilon / 255)
    return pgd(
        network,
        x,
        y,
        how.epsilon / 255,
        how.step / 255,
        how.steps,
        how.norm,
        how.start,
        generator_on(x.device, *key, "attack"),
    )


def _scores(
    network: nn.Module, x: Tensor, attacked: Tensor, labels: Tensor, paths: str
) -> dict[str, Tensor]:
    with evaluating(network):
        before, after = network(x), network(attacked)
    scores = {
        "label": labels,
        "clean": top(before, labels, 1),
        "clean_top5": top(before, labels, 5),
        "adversarial": top(after, labels, 1),
        "adversarial_top5": top(after, labels, 5),
    }
    if paths == "none":
        return scores
    with torch.no_grad():
        here, there = fixed_paths(network, x, attacked, paths)
    fixed = here - there
    floating = before - after - fixed
    scores |= {
        "fixed_clean": top(here, labels, 1),
        "fixed_adversarial": top(there, labels, 1),
        "float_vulnerable": vulnerable(paths, before, after, fixed, floating, labels).floating,
        "fixed_change": fixed.norm(dim=1),
        "float_change": floating.norm(dim=1),
    }
    return scores


def summary(rows: pd.DataFrame, window: int | None = None) -> dict[str, float]:
    """Accuracies in percent over all images, or as the mean of the last batches' accuracies.

    Float vulnerable images are counted over all, as so many among 10,000.

    Args:
        rows: Of :func:`attack`.
        window: How many batches of 128, as the author's running mean; all images if None.

    Example:
        >>> rows = pd.DataFrame({"clean": [True, False], "adversarial": [False, False]})
        >>> summary(rows)
        {'clean': 50.0, 'adversarial': 0.0}
    """
    measured = [name for name in rows if rows[name].dtype == bool and name != "float_vulnerable"]
    seen = rows[measured].astype(float)
    if window is not None:
        batches = seen.groupby(seen.index // BATCH).mean()
        seen = batches.tail(min(window, math.ceil(len(seen) / BATCH)))
    metrics = {str(name): 100 * float(seen[name].mean()) for name in measured}
    if "fixed_adversarial" in metrics:
        metrics["gap"] = metrics["fixed_adversarial"] - metrics["adversarial"]
        metrics["float_vulnerable"] = PER * float(rows["float_vulnerable"].mean())
    return metrics


def short(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of :func:`attack` for a file of less than half the size: 0 or 1, and few decimals.

    Example:
        >>> short(pd.DataFrame({"clean": [True], "float_change": [3.7409675121307373]})).values
        array([[1.     , 3.74097]])
    """
    told = [name for name in rows if rows[name].dtype == bool]
    return rows.astype(dict.fromkeys(told, int)).round(DECIMALS)


if __name__ == "__main__":
    main()
