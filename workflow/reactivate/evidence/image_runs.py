"""The one entry of all stages that train an image network: arguments, training, files, record."""

from collections.abc import Callable

from reactivate.evidence.details import Computing, Data, checksums
from reactivate.evidence.records import Record, Stopwatch, Trains, making, watched, write_record
from reactivate.evidence.requests import Request
from reactivate.experiment.arithmetic import load_arithmetic
from reactivate.training.precision import choose_tf32, uses_tf32
from reactivate.training.processes import processes
from reactivate.training.run import Run, Treatment
from reactivate.training.setup import data_identity


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
    with processes() as (share, device):
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
        )
        with watched() as watch:
            run.train(share, device, asked.threads)
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
        computing=computing,
        files=checksums(run.out, left.files),
        **left.entries,
        **making(watch, run.state.seconds, run.state.resumes),
    )
    write_record(run.out, record)
    run.forget()
