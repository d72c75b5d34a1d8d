"""The one entry of all stages that train an image network: arguments, training, files, record."""

from collections.abc import Callable
from typing import Literal

from reactivate.evidence.details import Computing, Data, Division, checksums, read_file
from reactivate.evidence.records import Record, Stopwatch, Trains, making, watched, write_record
from reactivate.evidence.requests import Request
from reactivate.experiment.arithmetic import load_arithmetic
from reactivate.layers.shared_statistics import has_batch_statistics
from reactivate.training.ending import Ending
from reactivate.training.precision import choose_tf32, uses_tf32
from reactivate.training.processes import processes
from reactivate.training.run import Run, Treatment
from reactivate.training.setup import data_identity
from reactivate.training.trainer import Trainer


def train_as_asked(
    stage: Trains, description: str | None, treat: Callable[[Request], Treatment]
) -> None:
    """Trains the network that the command line names, and leaves its files and record.

    Args:
        stage: The stage that is run.
        description: Help of the command.
        treat: Tells what the stage does to a network while it trains.
    """
    asked = Request.from_arguments(stage, description)
    arithmetic = load_arithmetic()
    choose_tf32(arithmetic.tf32)
    with processes() as (share, device), Ending() as ending:
        run = Run(
            asked.cell,
            asked.resolved.image_settings,
            asked.seed,
            asked.out,
            asked.code,
            data_identity(asked.cell.dataset),
            stage,
            treat(asked),
            arithmetic,
            asked.micro_batch,
        )
        with watched() as watch:
            run.train(share, device, asked.threads, ending=ending)
        if share.rank == 0:
            leave(run, stage=stage, scale=asked.scale, paper=asked.paper, watch=watch)


def leave(run: Run, *, stage: Trains, scale: str, paper: str, watch: Stopwatch) -> None:
    """Writes the files of a finished run and, last, its record; then snapshots can go."""
    trainer = run.trainer
    computing = Computing(
        device=trainer.device.type,
        precision=trainer.precision.name,
        tf32=uses_tf32(trainer.device),
        compiled=trainer.compilation,
    )
    left = run.write()
    record = Record(
        stage=stage,
        paper=paper,
        scale=scale,
        cell=run.cell,
        seeds=[run.seed],
        settings=run.chosen.model_dump(),
        code=run.digest,
        data=Data(name=run.cell.dataset, sha256=run.data),
        read=[read_file(path) for path in run.treatment.read],
        computing=computing,
        division=division_of(run.trainer),
        files=checksums(run.out, left.files),
        **left.entries,
        **making(watch, run.state.seconds, run.state.resumes),
    )
    write_record(run.out, record)
    run.forget()


def division_of(trainer: Trainer) -> Division | None:
    """How batches were divided; None if they were passed whole by one process."""
    micro, processes = trainer.micro_batch, trainer.share.processes
    if micro is None and processes == 1:
        return None
    statistics: Literal["batch", "micro_batch"] | None = None
    if has_batch_statistics(trainer.network):
        whole = micro is None or micro * processes >= trainer.recipe.batch_size
        statistics = "batch" if whole else "micro_batch"
    return Division(processes=processes, micro_batch=micro, statistics=statistics)
