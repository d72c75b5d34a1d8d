"""Resources that a job of a rule asks a cluster for: predicted, or from config/resources.yaml."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from pydantic import Field, RootModel

from reactivate.experiment.cell import Name
from reactivate.experiment.costs.limits import group_name, load_limits, predict
from reactivate.experiment.loading import load_scales
from reactivate.experiment.numbers import LARGEST, Count, CountOrZero
from reactivate.experiment.signed import signed
from reactivate.foundation.configuration import Strict, read_yaml, validate
from reactivate.foundation.registry import unknown_name

RESOURCES = Path("config/resources.yaml")
EVERY = "every"  # stands for each scale


class Resources(Strict):
    """The resources that one job asks for."""

    cpus: Count
    memory_mb: int = Field(ge=100, le=LARGEST)
    minutes: Count
    gpus: CountOrZero

    def of(self, processes: int) -> "Resources":
        """The resources of processes that each ask for these, in one job."""
        return Resources(
            cpus=self.cpus * processes,
            memory_mb=self.memory_mb * processes,
            minutes=self.minutes,
            gpus=self.gpus * processes,
        )


class Rules(RootModel[dict[Name, dict[Name, Resources]]]):
    """The resources that jobs ask for, by rule and scale."""


@lru_cache
def load_resources(path: Path = RESOURCES) -> dict[str, dict[str, Resources]]:
    """The resources of every rule at every scale, checked."""
    rules = validate(Rules, read_yaml(path), path).root
    known = [EVERY, *load_scales()]
    for rule, scales in rules.items():
        for scale in scales:
            if scale not in known:
                raise ValueError(f"{path}: {rule}: {unknown_name('scale', scale, known, rule)}")
    return rules


def asked(rule: str, scale: str | None = None, path: Path = RESOURCES) -> Resources:
    """The resources of a rule at a scale; without a scale, those it has at every one.

    Raises:
        ValueError: The file says nothing of that rule, or nothing of that scale.
    """
    rules = load_resources(path)
    if rule not in rules:
        raise unknown_name("rule", rule, list(rules), str(path))
    resources = rules[rule].get(scale or EVERY) or rules[rule].get(EVERY)
    if resources is None:
        raise ValueError(
            f"{path}: {rule} says nothing of scale {scale!r}, only of {', '.join(rules[rule])}; "
            f"add it, or {EVERY!r} for all"
        )
    return resources


Entry = Callable[..., str]  # wildcards -> name in the file, where it is not that of the rule


def resources(
    rule: str, names: Mapping[str, str], entry: Entry | None = None, processes: int = 1
) -> Resources:
    """The resources of one job: what the cost model predicts, or else what its rule is given.

    The file decides in every case whether there is a GPU, and the cores of a process without one.

    Args:
        rule: The rule of the job.
        names: Its wildcards.
        entry: The name in the file, where it is not that of the rule.
        processes: That the job starts, each with a GPU of its own where there is one.
    """
    configured = asked(rule if entry is None else entry(names), names.get("scale"))
    predicted = predict(rule, dict(names.items()), configured.gpus, processes=processes)
    if predicted is None:
        return configured.of(processes)
    one = Resources(
        cpus=predicted.cpus if configured.gpus else configured.cpus,
        memory_mb=predicted.limit_memory_mb,
        minutes=predicted.limit_minutes,
        gpus=configured.gpus,
    )
    return one.of(processes)


def cpus(rule: str, processes: int = 1, entry: Entry | None = None) -> Callable[..., int]:
    """The value of ``threads:`` of a rule whose jobs start so many processes."""
    return signed(lambda wildcards: resources(rule, wildcards, entry, processes).cpus)


def asks(
    rule: str, processes: int = 1, entry: Entry | None = None
) -> dict[str, Callable[..., int]]:
    """The value of ``resources:`` of a rule, in Snakemake's names.

    Memory and time grow by attempt, to the most that a job asks for: a partition that has no more
    would never start it. Processes of a job are on one machine.
    """
    most = load_limits().most

    def of(wildcards: Mapping[str, str]) -> Resources:
        return resources(rule, wildcards, entry, processes)

    asking: dict[str, Callable[..., int]] = {
        "mem_mb": lambda wildcards, attempt: _grown(
            of(wildcards).memory_mb, attempt, most.memory_mb * processes
        ),
        "runtime": lambda wildcards, attempt: _grown(of(wildcards).minutes, attempt, most.minutes),
        "gpu": lambda wildcards: of(wildcards).gpus,
        # threads are at most the cores of the machine that sends the jobs
        "cpus_per_task": lambda wildcards: of(wildcards).cpus,
    }
    if processes > 1:
        asking["nodes"] = lambda wildcards: 1
    return {name: signed(function) for name, function in asking.items()}


def _grown(value: int, attempt: int, most: int) -> int:
    return min(value * attempt, max(value, most))


def group_of(rule: str, processes: int = 1) -> Callable[..., str | None]:
    """The value of ``group:`` of a rule: short jobs that take about as long may go together."""

    def group(wildcards: Mapping[str, str]) -> str | None:
        gpus = asked(rule, wildcards.get("scale")).gpus
        predicted = predict(rule, dict(wildcards.items()), gpus, processes=processes)
        return None if predicted is None or not gpus else group_name(predicted.seconds)

    return signed(group)
