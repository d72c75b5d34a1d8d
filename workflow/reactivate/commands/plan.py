"""Print what it takes to make targets, before anything runs: jobs, hours, missing data."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reactivate.artifacts.proof import Job, dry_run, jobs_of
from reactivate.artifacts.storage import pointer_path
from reactivate.commands.forecast import BASES, READINGS, UNKNOWN, WAYS, Forecast, Forecaster
from reactivate.commands.parsing import Parser
from reactivate.commands.terminal import folded, print_json
from reactivate.evidence.times import Pace
from reactivate.experiment.arithmetic import ARITHMETIC
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet, SceneSet
from reactivate.experiment.costs.limits import load_limits
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.loading import load_exhibit, paper_names
from reactivate.experiment.paths import PUBLISHED, RESULTS, dataset_file, exhibit_file

HEAD = f"{'jobs':>6}{'GPU-hours':>10}{'arithmetic':>11}{'CPU-hours':>10}{'longest':>8}  times are"


@dataclass
class Share:
    """The number and the hours of some jobs together."""

    jobs: int = 0
    gpu_hours: float = 0.0
    arithmetic: float = 0.0  # GPU-hours at the peak of the machine
    cpu_hours: float = 0.0
    longest: float = 0.0  # hours
    asked: float = 0.0  # GPU-hours of the limits
    bases: Counter[str] = field(default_factory=Counter)

    def add(self, told: Forecast) -> None:
        """Counts one more job."""
        self.jobs += 1
        self.bases[told.basis] += 1
        hours = told.seconds / 3600
        self.longest = max(self.longest, hours)
        self.gpu_hours += told.gpus * hours
        self.arithmetic += told.arithmetic_seconds / 3600 if told.gpus else 0.0
        self.cpu_hours += 0.0 if told.gpus else hours * told.threads
        self.asked += told.gpus * told.limit_minutes / 60

    def plain(self) -> dict[str, object]:
        """The numbers by their names, for programs."""
        return {**vars(self), "bases": dict(self.bases)}

    def line(self, name: str) -> str:
        """A line of the table."""
        most = max(BASES, key=self.bases.__getitem__)
        part = self.bases[most] / self.jobs
        basis = most if part == 1 else f"{part:.0%} {most}"
        numbers = f"{self.gpu_hours:10.1f}{self.arithmetic:11.1f}{self.cpu_hours:10.2f}"
        if self.bases[UNKNOWN] == self.jobs:
            numbers = f"{'unknown':>31}"
        return f"{name:20}{self.jobs:6}{numbers}{self.longest:8.2f}  {basis}"


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate plan``."""
    told = "an exhibit, e.g. gmp/table3; or for Snakemake: files, or a scale"
    parser.add_argument("target", nargs="+", help=told)
    parser.add_scale()
    parser.add_argument("--config", action="append", default=[], help="e.g. reach=cpu")
    parser.add_argument("--machine", help="in config/machines, or a file, e.g. a100")
    parser.add_json()
    parser.examples(
        "reactivate plan gmp/table3 --scale paper",
        "reactivate plan results/laptop/gmp/table3.csv",
        "reactivate plan paper --machine a100",
    )
    parser.set_defaults(
        run=lambda a: plan([target(t, a.scale) for t in a.target], a.config, a.machine, a.json)
    )


def target(name: str, scale: str) -> str:
    """What Snakemake is asked for: the file of an exhibit that is named, else the name itself.

    Raises:
        ValueError: A paper has no such exhibit.
    """
    paper, _, exhibit = name.partition("/")
    if paper not in paper_names() or not exhibit:
        return name
    ending = "csv" if isinstance(load_exhibit(paper, exhibit), Grid) else "png"
    return exhibit_file(scale, paper, exhibit, ending).as_posix()


def plan(
    targets: list[str], config: list[str], machine: str | None = None, as_json: bool = False
) -> None:
    """Prints jobs and hours by exhibit and by rule, what they rest on, and gaps.

    Args:
        targets: What Snakemake is asked for: files below results/, or scales.
        config: Settings for Snakemake, such as ``reach=cpu``.
        machine: A name in config/machines, or a path; None for the calibrated one or else the
            assumed one.
        as_json: Whether to print for programs.
    """
    options = ["--config", *config, "--"] if config else []
    jobs = jobs_of(dry_run(*options, *targets).splitlines())
    if not jobs:
        print_json({"total": Share().plain()}) if as_json else print("nothing to be done")
        return
    forecaster = Forecaster(scales_of(jobs), machine)
    told = [forecaster.forecast(job) for job in jobs]
    shares = {
        "exhibit": _shares(told, lambda one: one.exhibit, forecaster.order),
        "rule": _shares(told, lambda one: one.job.rule, sorted({job.rule for job in jobs})),
        "reading": _shares(told, lambda one: one.reading, list(READINGS)),
    }
    total = _shares(told, lambda _: "total", ["total"])
    notes = [*_notes(told, forecaster.times.pace), *missing(jobs)]
    if as_json:
        plain = {
            f"{head}s": {name: one.plain() for name, one in by.items()}
            for head, by in shares.items()
        }
        print_json({**plain, "total": total["total"].plain(), "notes": notes})
        return
    for head, by in shares.items():
        print(f"{head:20}{HEAD}")
        for name, share in {**by, **total}.items():
            print(share.line(name))
        print()
    for note in notes:
        print(folded(note, "  "))


def _shares(
    told: list[Forecast], key: Callable[[Forecast], str], order: list[str]
) -> dict[str, Share]:
    """What the jobs of each exhibit or rule take together."""
    shares = {name: Share() for name in order}
    for one in told:
        shares[key(one)].add(one)
    return {name: share for name, share in shares.items() if share.jobs}


def scales_of(jobs: list[Job]) -> list[str]:
    """The scales that jobs belong to."""
    return sorted({job.wildcards["scale"] for job in jobs if "scale" in job.wildcards})


def _notes(told: list[Forecast], pace: Pace) -> Iterator[str]:
    """Lines on what the hours rest on."""
    yield "a job that several exhibits need is counted for the first of them"
    yield "recorded: as long as the same run took; predicted: by the cost model (docs/cluster.md)"
    if pace.factor != 1:
        yield (
            f"pace: a core of this machine takes {pace.factor:.2f} times as long as those of "
            f"published runs, by the median of {pace.runs} runs that were made on both"
        )
    asked = sum(one.gpus * one.limit_minutes for one in told) / 60
    if asked:
        rule = load_limits()
        longest = rule.most.minutes / 60
        yield (
            f"limits asked for: {asked:.0f} GPU-hours, {rule.time_factor:g} times the prediction, "
            f"at most {longest:g} hours for a job"
        )
        beyond = sum(one.seconds / 3600 > longest for one in told)
        if beyond:
            yield f"longer than that: {beyond} jobs, which go on from snapshots when retried"
        yield "arithmetic: GPU-hours of matrix products alone at the GPU's peak; none is faster"
        yield from _ways(told)
    described = {one.machine.title: one.machine for one in told if one.machine is not None}
    for machine in described.values():
        yield f"machine: {machine.title} ({machine.kind})"
        yield from (f"  {line}" for line in machine.says)
    large = sum(one.exceeds_memory for one in told)
    if large:
        yield f"memory: {large} jobs may need more than the memory of the GPU"


def _ways(told: list[Forecast]) -> Iterator[str]:
    """Lines on the hours of the same jobs by the ways in which a GPU may compute."""
    fixed = sum(one.gpus * one.seconds for one in told if not one.ways) / 3600
    for number, way in enumerate(WAYS):
        hours = fixed + sum(one.gpus * one.ways[number] for one in told if one.ways) / 3600
        yield (
            f"with tf32: {str(way.tf32).lower()}, compile: {way.compile} in {ARITHMETIC}: "
            f"{hours:.0f} GPU-hours"
        )


def missing(jobs: list[Job]) -> Iterator[str]:
    """Lines on what has to be supplied or fetched first, and on what need not be made."""
    named = Counter(job.wildcards["dataset"] for job in jobs if "dataset" in job.wildcards)
    for name, count in sorted(named.items()):
        known = dataset(name)
        if dataset_file(name).exists():
            continue
        if isinstance(known, SceneSet):
            yield f"to make: {name}, of the objects of {known.objects}"
        elif not isinstance(known, FolderSet):
            sources = ", ".join(str(source) for source in known.sources)
            yield f"to fetch: {name}, from the first that works of: {sources}"
        elif not Path(os.environ.get(known.variable) or "/nowhere").expanduser().is_dir():
            yield (
                f"missing: {name} has to be supplied for {count} jobs: set {known.variable} to "
                f"the folder that holds {known.title} (data/README.md says in what form)"
            )
    outputs = [o for job in jobs for o in job.outputs if o.endswith("model.safetensors")]
    records = [Path(o).with_name("run.json").relative_to(RESULTS) for o in outputs]
    published = sum((PUBLISHED / record).exists() for record in records)
    if published:
        yield (
            f"missing: weights of {published} networks whose records are in {PUBLISHED}: "
            "they are trained again"
        )
    for scale in scales_of(jobs):
        if pointer_path(RESULTS / scale).exists():
            yield f"frozen: reactivate restore --scale {scale} may bring back what was made before"
