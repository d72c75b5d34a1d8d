"""The files that every run leaves in its folder, by the stage that makes them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

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
DETECTIONS = "detections.json"  # of every test image, in the form of COCO's results
# of networks that are trained one by one, by the stage of their recipe
OF_STAGE = {
    "train": TRAINED,
    "defend": TRAINED,
    "prune": TRAINED | {"masks": MASKS},
    "detect": TRAINED | {"predictions": DETECTIONS},
    "segment": TRAINED | {"predictions": "images.csv"},
}
MEASURED = {"images": "images.csv", "metrics": METRICS, "record": RECORD}
TIMES = "times.csv"  # of certificates


def made_with(
    records: Iterable[Path], stages: Mapping[str, str] = MappingProxyType({})
) -> list[Path]:
    """All files of the folders of records, which a stage that reads one may ask for.

    Args:
        records: Records of runs, measurements and analyses; other files stand for themselves.
        stages: Stage of each recipe of an image network; of those that are not named, train.

    Example:
        >>> record = Path("results/smoke/gmp/runs/yacht/mlp100-relu-sp-document/run.json")
        >>> [path.name for path in made_with([record])]
        ['metrics.csv', 'history.csv', 'model.safetensors', 'run.json']
    """
    return [path.parent / name for path in records for name in _files(path, stages)]


def _files(path: Path, stages: Mapping[str, str]) -> list[str]:
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
    return list(OF_STAGE[stages.get(recipe, "train")].values())
