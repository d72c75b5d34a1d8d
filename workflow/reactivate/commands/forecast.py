"""The time of every job that Snakemake would run, and the exhibit that it is for."""

from dataclasses import dataclass, replace
from pathlib import Path

from reactivate.artifacts.proof import Job
from reactivate.evidence.times import Times
from reactivate.experiment.arithmetic import Arithmetic
from reactivate.experiment.costs.jobs import work_of
from reactivate.experiment.costs.limits import predict
from reactivate.experiment.costs.machines import ASSUMED, Machine, load_machine
from reactivate.experiment.exhibits import Cells
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import analysis_folder, observation_folder
from reactivate.experiment.run_exhibit import RunExhibit

# how a time is known: of the same run; by the cost model
RECORDED, PREDICTED, UNKNOWN = BASES = ("recorded", "predicted", "unknown")
SHARED = "shared"  # jobs that belong to no exhibit: data, audits
# the protocol of an exhibit that is judged is its first; others are other readings of the document
JUDGED, OTHER = READINGS = ("judged", "other readings")
# how a GPU may compute: with products in float32 or TF32, step by step or compiled
WAYS = tuple(Arithmetic(tf32=t, compile=c) for t in (False, True) for c in ("none", "default"))


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
    reading: str = JUDGED
    ways: tuple[float, ...] = ()  # seconds in each of WAYS, where it is predicted for a GPU


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
        self.judged: set[Path] = set()
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
        form = exhibit.form
        own = [analysis_folder(*where, exhibit.name), exhibit.file("csv").with_suffix("")]
        self.judged.update(own)
        folders = list(own)
        for place in exhibit.places:
            cell = exhibit.cell(place)
            needed = [*cell.folders(), *exhibit.folders(place), *cell.backbone_folders()]
            needed += [observation_folder(*where, place.cell, n) for n in range(cell.seeds)]
            folders += needed
            if not isinstance(form, Cells) or place.protocol == form.protocols[0]:
                self.judged.update(needed)
        for folder in folders:
            self.folders.setdefault(folder, name)

    def forecast(self, job: Job) -> Forecast:
        """What a job will take, as the same run took or as the cost model predicts."""
        gpus = 0 if self.only_cpu else int(job.resources.get("gpu", "0"))
        claimed, limit = self._folder(job), int(job.resources.get("runtime", "0"))
        exhibit = SHARED if claimed is None else self.folders[claimed]
        reading = JUDGED if claimed is None or claimed in self.judged else OTHER
        named = self.machine if gpus or self.only_cpu else None
        processes = max(1, int(job.resources.get("gpu", "0")))  # each has one
        of_one = min(gpus, 1)
        predicted = predict(job.rule, job.wildcards, of_one, named, processes)
        past = self.times.recorded(job.outputs)
        if past is not None and (past.machine.gpu is not None) == bool(gpus):
            basis, seconds, threads = RECORDED, past.seconds, past.machine.threads
        elif predicted is not None:
            basis, seconds, threads = PREDICTED, predicted.seconds, processes
            if predicted.machine == load_machine(ASSUMED["cpu"]):  # that of the published runs
                seconds *= self.times.pace.factor
        else:
            basis, seconds, threads = UNKNOWN, 0.0, 1
        if predicted is None:
            found = Forecast(job, exhibit, basis, seconds, threads, gpus, 0.0, limit)
            return replace(found, reading=reading)
        machine, work = predicted.machine, predicted.work
        halved = 2 if any(piece.mixed for piece in work.pieces) else 1  # numbers of 16 bits
        large = bool(gpus) and work.device_bytes / halved > 1e9 * machine.memory_gb
        whole = work_of(job.rule, job.wildcards)
        arithmetic = machine.arithmetic_seconds(whole or work)
        ways: tuple[float, ...] = ()
        if gpus and basis == PREDICTED:
            others = [predict(job.rule, job.wildcards, 1, named, processes, way) for way in WAYS]
            ways = tuple(one.seconds for one in others if one is not None)
        found = Forecast(job, exhibit, basis, seconds, threads, gpus, arithmetic, limit, machine)
        return replace(found, exceeds_memory=large, reading=reading, ways=ways)

    def _folder(self, job: Job) -> Path | None:
        """The folder that a job leaves, if an exhibit needs it."""
        for output in map(Path, job.outputs):
            for folder in (output.parent, output.with_suffix("")):
                if folder in self.folders:
                    return folder
        return None
