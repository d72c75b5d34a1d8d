"""Print what it takes to make targets, before anything runs: jobs, hours, missing data."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from reactivate.artifacts.proof import Job, dry_run, jobs_of
from reactivate.artifacts.storage import pointer_path
from reactivate.evidence.times import BASES, SCALED, UNKNOWN, Estimate, Times
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.experiment.paths import PUBLISHED, RESULTS, dataset_file


@dataclass
class Share:
    """The number and the hours of all jobs of a rule together."""

    jobs: int = 0
    cpu_hours: float = 0.0
    gpu_hours: float = 0.0
    at_most: float = 0.0  # GPU-hours, of jobs that nobody has timed on a GPU
    bases: Counter[str] = field(default_factory=Counter)

    def add(self, job: Job, time: Estimate) -> None:
        """Counts one more job."""
        self.jobs += 1
        self.bases[time.basis] += 1
        hours = time.seconds / 3600
        self.cpu_hours += hours * time.threads
        gpus = int(job.resources.get("gpu", "0"))
        if gpus and time.gpu:
            self.gpu_hours += gpus * hours
        elif gpus:
            self.at_most += gpus * int(job.resources["runtime"]) / 60

    def line(self, name: str) -> str:
        """A line of the table."""
        gpu = f"{self.gpu_hours:.1f}" + (f" + <{self.at_most:.0f}" if self.at_most else "")
        told = ", ".join(f"{self.bases[basis]} {basis}" for basis in BASES if self.bases[basis])
        cpu = "unknown" if self.bases[UNKNOWN] == self.jobs else f"{self.cpu_hours:.2f}"
        return f"{name:12}{self.jobs:7}{cpu:>12}{gpu:>18}  {told}"


def plan(targets: list[str], config: list[str]) -> None:
    """Prints jobs per rule, the hours they will take as far as times were recorded, and gaps.

    Args:
        targets: What Snakemake is asked for: files below results/, or scales.
        config: Settings for Snakemake, such as ``reach=cpu``.
    """
    options = ["--config", *config, "--"] if config else []
    jobs = jobs_of(dry_run(*options, *targets).splitlines())
    if not jobs:
        print("nothing to be done")
        return
    shares, total = dict[str, Share](), Share()
    times = Times()
    for job in jobs:
        time = times.estimate(job.outputs)
        for share in (shares.setdefault(job.rule, Share()), total):
            share.add(job, time)
    print(f"{'rule':12}{'jobs':>7}{'CPU-hours':>12}{'GPU-hours':>18}  times are")
    for rule, share in sorted(shares.items()):
        print(share.line(rule))
    print(total.line("total"))
    for note in [*_notes(shares, times, scales_of(jobs)), *missing(jobs)]:
        print(note)


def scales_of(jobs: list[Job]) -> list[str]:
    """The scales that jobs belong to."""
    return sorted({job.wildcards["scale"] for job in jobs if "scale" in job.wildcards})


def _notes(shares: dict[str, Share], times: Times, scales: list[str]) -> Iterator[str]:
    yield "CPU-hours: of the processors that the times were recorded on, one thread each"
    scaled = [rule for rule, share in shares.items() if share.bases[SCALED]]
    if scaled:
        yield "scaled: from another scale or recipe, by epochs x images x pixels x width; rough"
    for rule, scale in product(scaled, scales):
        factor, runs = times.exaggeration(scale, rule)
        if runs:
            yield f"scaled: {factor:.2g} times what {runs} jobs of {rule} at {scale} took (median)"
    if any(share.at_most for share in shares.values()):
        yield "GPU-hours after <: nobody has timed these on a GPU; the limit they ask for"


def missing(jobs: list[Job]) -> Iterator[str]:
    """Lines on what has to be supplied or fetched first, and on what need not be made."""
    named = Counter(job.wildcards["dataset"] for job in jobs if "dataset" in job.wildcards)
    for name, count in sorted(named.items()):
        known = dataset(name)
        if dataset_file(name).exists():
            continue
        if not isinstance(known, FolderSet):
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
