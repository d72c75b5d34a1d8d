"""The files that every run leaves in its folder, by the stage that makes them."""

from collections.abc import Iterable
from pathlib import Path

from reactivate.experiment.paths import RECORD, VALUES

METRICS = "metrics.csv"
TRAINED = {
    "metrics": METRICS,
    "history": "history.csv",
    "predictions": "predictions.safetensors",
    "weights": "model.safetensors",
    "record": RECORD,
}
SWEPT = {name: TRAINED[name] for name in ("metrics", "history", "weights", "record")}
OBSERVED = {
    "activations": "activations.csv",
    "of_weights": "weights.csv",
    "network": "network.csv",
    "similarities": "similarities.csv",
    "entropies": "entropies.csv",
}
MASKS = "masks.csv"  # of parameters that a network lost while it was trained
MEASURED = {"images": "images.csv", "metrics": METRICS, "record": RECORD}
TIMES = "times.csv"  # of certificates


def made_with(records: Iterable[Path], pruned: Iterable[str] = ()) -> list[Path]:
    """All files of the folders of records, which a stage that reads one may ask for.

    Args:
        records: Records of runs, measurements and analyses; other files stand for themselves.
        pruned: Recipes of networks that lose parameters.

    Example:
        >>> record = Path("results/smoke/gmp/runs/yacht/mlp100-relu-sp-document/run.json")
        >>> [path.name for path in made_with([record])]
        ['metrics.csv', 'history.csv', 'model.safetensors', 'run.json']
    """
    pruned = frozenset(pruned)
    return [path.parent / name for path in records for name in _files(path, pruned)]


def _files(path: Path, pruned: frozenset[str]) -> list[str]:
    if path.name != RECORD:
        return [path.name]
    stage = path.parts[3]  # results, scale, paper, stage
    if stage == "analyse":
        return [VALUES, RECORD]
    if stage == "observe":
        return [*TRAINED.values(), *OBSERVED.values()]
    if stage != "runs":
        return [*MEASURED.values(), *([TIMES] if stage == "certify" else [])]
    if not path.parent.name.startswith("seed"):
        return list(SWEPT.values())
    recipe = path.parent.parent.name.rpartition("-")[2]
    return [*TRAINED.values(), *([MASKS] if recipe in pruned else [])]
