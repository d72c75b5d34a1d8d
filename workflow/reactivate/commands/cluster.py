"""Print the resources that a scale asks a cluster for, from a dry run with its profile."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from reactivate.artifacts.proof import dry_run, jobs_of
from reactivate.commands.parsing import Parser
from reactivate.commands.terminal import print_json
from reactivate.experiment.loading import load_scale

PROFILE = "profiles/slurm"


@dataclass
class Demand:
    """The resources that all jobs of a rule ask for together."""

    jobs: int = 0
    cpus: int = 0  # of the largest job, like memory and hours
    memory_gb: float = 0.0
    hours: float = 0.0
    cpu_hours: float = 0.0
    gpu_hours: float = 0.0

    def add(self, job: dict[str, str]) -> None:
        """Counts one more job."""
        cpus, hours = int(job["cpus_per_task"]), int(job["runtime"]) / 60
        self.jobs += 1
        self.cpus = max(self.cpus, cpus)
        self.memory_gb = max(self.memory_gb, int(job["mem_mb"]) / 1000)
        self.hours = max(self.hours, hours)
        self.cpu_hours += cpus * hours
        self.gpu_hours += int(job.get("gpu", "0")) * hours


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate cluster``."""
    parser.add_scale()
    parser.add_json()
    parser.examples("reactivate cluster --scale paper", "reactivate cluster --scale paper --json")
    parser.set_defaults(run=lambda a: cluster(a.scale, a.json))


def cluster(scale: str, as_json: bool = False) -> None:
    """Prints jobs, memory, time, CPU- and GPU-hours that each rule asks for at a scale.

    Everything counts, also what is made already; hours are the limits asked for, so at most.

    Args:
        scale: The scale.
        as_json: Whether to print for programs.
    """
    load_scale(scale)
    demands = demands_of(dry_run(scale, "--forceall", "--profile", PROFILE).splitlines())
    if as_json:
        print_json({rule: asdict(demand) for rule, demand in demands.items()})
        return
    print(
        f"{'rule':12}{'jobs':>7}{'CPUs':>6}{'GB':>7}{'hours':>8}{'CPU-hours':>12}{'GPU-hours':>12}"
    )
    for rule, d in demands.items():
        each = f"{d.jobs:7}{d.cpus:6}{d.memory_gb:7.1f}{d.hours:8.1f}"
        print(f"{rule:12}{each}{d.cpu_hours:12.1f}{d.gpu_hours:12.1f}")
    total = [
        sum(getattr(d, k) for d in demands.values()) for k in ("jobs", "cpu_hours", "gpu_hours")
    ]
    print(f"{'total':12}{total[0]:7}{'':21}{total[1]:12.1f}{total[2]:12.1f}")
    print("CPUs, GB and hours: asked for by the largest job of the rule")


def demands_of(lines: Iterable[str]) -> dict[str, Demand]:
    """The resources that jobs ask for, by rule, from what ``snakemake --dry-run`` prints.

    Example:
        >>> lines = ["rule train:", "    output: results/run.json", "    threads: 2",
        ...          "    resources: mem_mb=16000, runtime=90, gpu=1, cpus_per_task=4", ""]
        >>> demands_of(lines)["train"].gpu_hours
        1.5
    """
    demands: dict[str, Demand] = {}
    for job in jobs_of(lines):
        if "runtime" in job.resources:
            demands.setdefault(job.rule, Demand()).add(job.resources)
    return demands
