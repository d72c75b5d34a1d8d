"""The time of every job that Snakemake would run, and the exhibit that it is for."""

from dataclasses import dataclass
from pathlib import Path

from reactivate.artifacts.proof import Job
from reactivate.evidence.times import Times
from reactivate.experiment.costs.jobs import work_of
from reactivate.experiment.costs.limits import predict
from reactivate.experiment.costs.machines import Machine, load_machine
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import analysis_folder, observation_folder
from reactivate.experiment.run_exhibit import RunExhibit

# how a time is known: of the same run; by the cost model
RECORDED, PREDICTED, UNKNOWN = BASES = ("recorded", "predicted", "unknown")
SHARED = "shared"  # jobs that belong to no exhibit: data, audits


@dataclass(frozen=True)
class Forecast:
    """A job, the exhibit that it is for, and what it will take."""

    job: Job
    exhibit: str
    basis: str
    seconds: float = 0.0
    threads: int = 1
    gpus: int = 0
    arithmetic_seconds: float = 0.0  # of all its GPUs
    limit_minutes: int = 0
    machine: Machine | None = None  # that it is predicted for
    exceeds_memory: bool = False


class Forecaster:
    """Tells the time of jobs at some scales, on a machine.

    Args:
        scales: Whose exhibits the jobs are for.
        machine: See :func:`reactivate.commands.plan.plan`.
    """

    def __init__(self, scales: list[str], machine: str | None = None) -> None:
        self.times = Times()
        self.machine = machine
        self.only_cpu = machine is not None and load_machine(machine).kind == "cpu"
        self.folders: dict[Path, str] = {}
        self.order: list[str] = []
        for scale in scales:
            experiment = Experiment.load(scale)
            for paper in experiment.papers:
                for exhibit in experiment.exhibits(paper):
                    self._claim(exhibit)
        self.order = [*dict.fromkeys(self.order), SHARED]

    def _claim(self, exhibit: RunExhibit) -> None:
        """Notes the folders of an exhibit that no earlier one has."""
        name = f"{exhibit.paper.paper}/{exhibit.name}"
        self.order.append(name)
        where = exhibit.scale, exhibit.paper.paper
        folders = [analysis_folder(*where, exhibit.name), exhibit.file("csv").with_suffix("")]
        for place in exhibit.places:
            cell = exhibit.cell(place)
            folders += [*cell.folders(), *exhibit.folders(place)]
            folders += [observation_folder(*where, place.cell, n) for n in range(cell.seeds)]
        for folder in folders:
            self.folders.setdefault(folder, name)

    def forecast(self, job: Job) -> Forecast:
        """What a job will take, as the same run took or as the cost model predicts."""
        gpus = 0 if self.only_cpu else int(job.resources.get("gpu", "0"))
        exhibit, limit = self._exhibit(job), int(job.resources.get("runtime", "0"))
        named = self.machine if gpus or self.only_cpu else None
        processes = max(1, int(job.resources.get("gpu", "0")))  # each has one
        of_one = min(gpus, 1)
        predicted = predict(job.rule, job.wildcards, of_one, named, processes)
        past = self.times.recorded(job.outputs)
        if past is not None and (past.machine.gpu is not None) == bool(gpus):
            basis, seconds, threads = RECORDED, past.seconds, past.machine.threads
        elif predicted is not None:
            basis, seconds, threads = PREDICTED, predicted.seconds, processes
        else:
            basis, seconds, threads = UNKNOWN, 0.0, 1
        if predicted is None:
            return Forecast(job, exhibit, basis, seconds, threads, gpus, 0.0, limit)
        machine, work = predicted.machine, predicted.work
        halved = 2 if any(piece.mixed for piece in work.pieces) else 1  # numbers of 16 bits
        large = bool(gpus) and work.device_bytes / halved > 1e9 * machine.memory_gb
        whole = work_of(job.rule, job.wildcards)
        arithmetic = machine.arithmetic_seconds(whole or work)
        return Forecast(
            job, exhibit, basis, seconds, threads, gpus, arithmetic, limit, machine, large
        )

    def _exhibit(self, job: Job) -> str:
        """The first exhibit that needs what a job leaves."""
        for output in map(Path, job.outputs):
            for folder in (output.parent, output.with_suffix("")):
                if folder in self.folders:
                    return self.folders[folder]
        return SHARED
