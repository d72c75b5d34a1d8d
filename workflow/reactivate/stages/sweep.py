"""Train all seeds of a cell as one batch of small networks, and leave their records."""

import csv
import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from reactivate.evidence.details import Data, Tried, checksums
from reactivate.evidence.records import Record, making, watched, write_record
from reactivate.evidence.requests import Request
from reactivate.experiment.cell import Cell
from reactivate.experiment.paths import dataset_file
from reactivate.experiment.settings import SweepSettings
from reactivate.foundation import workplace
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import verify_checksum, write_atomically
from reactivate.foundation.progress import Progress
from reactivate.preparation.prepared import load_prepared
from reactivate.training.batched import Outcome
from reactivate.training.checkpoints import Checkpoints
from reactivate.training.splits import Samples, subset
from reactivate.training.sweep import Sweep, Task, choose_lr

HISTORY_COLUMNS = ["seed", "epoch", "loss", "watched", "lr"]
WRITTEN = ("metrics.csv", "history.csv", "model.safetensors")
METRIC_COLUMNS = ["seed", "test_rmse", "watched", "best_epoch", "epochs", "diverged_at", "lr"]


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.sweep --scale S --paper P --dataset D --cell C --out DIR``."""
    asked = Request.from_arguments("sweep", __doc__)
    if torch.cuda.is_available():  # on the CPU these operations are deterministic, and asking
        torch.use_deterministic_algorithms(True)  # costs more imports than a small run takes
    run(asked)


def run(asked: Request) -> None:
    """Trains a cell and writes metrics, history, weights and, last, the record."""
    cell, chosen, out = asked.cell, asked.resolved.sweep_settings, asked.out
    data_sha256 = verify_checksum(dataset_file(cell.dataset))
    identity = f"{chosen.model_dump_json()} {asked.code} {data_sha256}"
    folder = workplace.checkpoints(out)
    checkpoints = Checkpoints(folder, hashlib.sha256(identity.encode()).hexdigest())
    with watched() as watch:
        tasks, outcomes, weights, tuning = train(cell, chosen, checkpoints)
    write_tables(out, tasks, outcomes)
    with write_atomically(out / "model.safetensors") as part:
        save_file(weights, part)
    record = Record(
        stage="sweep",
        paper=asked.paper,
        scale=asked.scale,
        cell=cell,
        seeds=[task.seed for task in tasks],
        settings=chosen.model_dump(),
        code=asked.code,
        data=Data(name=cell.dataset, sha256=data_sha256),
        tuning=tuning,
        files=checksums(out, WRITTEN),
        **making(watch, resumes=checkpoints.resumes),
    )
    write_record(out, record)
    shutil.rmtree(checkpoints.folder, ignore_errors=True)


def train(
    cell: Cell, chosen: SweepSettings, checkpoints: Checkpoints
) -> tuple[list[Task], list[Outcome], dict[str, Tensor], list[Tried]]:
    """Tasks, outcomes and weights of all seeds, and the scores that chose their learning rates."""
    part = subset(Samples(*load_prepared(cell.dataset)), cell.dataset, chosen.data_fraction)
    sweep = Sweep(cell, chosen, part)
    seeds = range(chosen.recipe.splits.seeds)
    tuning: list[Tried] = []
    if chosen.lr is None:
        trials = sweep.trials(seeds)
        scores = _train_all("tune", sweep, trials, checkpoints)[0]
        tuned = zip(trials, scores, strict=True)
        tuning = [Tried(**asdict(trial), rmse=outcome.score) for trial, outcome in tuned]
        tasks = [Task(seed, choose_lr(seed, trials, scores)) for seed in seeds]
    else:
        tasks = [Task(seed, chosen.lr) for seed in seeds]
    outcomes, weights = _train_all("train", sweep, tasks, checkpoints)
    return tasks, outcomes, weights, tuning


def _train_all(
    phase: str, sweep: Sweep, tasks: Sequence[Task], checkpoints: Checkpoints
) -> tuple[list[Outcome], dict[str, Tensor]]:
    outcomes: list[Outcome] = []
    weights: list[dict[str, Tensor]] = []
    total = len(tasks) * sweep.settings.recipe.epochs
    with Progress(f"{phase} {sweep.cell.dataset} {sweep.cell.stem}", total) as progress:
        for number, batch in enumerate(sweep.batches(tasks)):
            name = f"{phase}-{number}"
            result = checkpoints.load(name)
            if result is None:
                result = sweep.train(batch, progress)
                checkpoints.save(name, *result)
            outcomes += result[0]
            weights.append(result[1])
            skipped = len(outcomes) * sweep.settings.recipe.epochs - progress.done
            progress.advance(skipped, progress.loss)
    return outcomes, {name: torch.cat([w[name] for w in weights]) for name in weights[0]}


def write_tables(out: Path, tasks: list[Task], outcomes: list[Outcome]) -> None:
    """One row of metrics per seed, and the history of every seed."""
    pairs = list(zip(tasks, outcomes, strict=True))
    metrics = [
        (t.seed, o.score, o.watched, o.best_epoch, o.epochs, o.diverged_at, t.lr) for t, o in pairs
    ]
    history = [(task.seed, *row) for task, outcome in pairs for row in outcome.history]
    _write_csv(out / "metrics.csv", METRIC_COLUMNS, metrics)
    _write_csv(out / "history.csv", HISTORY_COLUMNS, history)


def _write_csv(path: Path, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with write_atomically(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
