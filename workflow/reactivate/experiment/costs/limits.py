"""Limits of jobs, made from the time and memory that the cost model predicts."""

from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil
from pathlib import Path

from pydantic import Field

from reactivate.experiment.arithmetic import Arithmetic, load_arithmetic
from reactivate.experiment.costs.jobs import work_of
from reactivate.experiment.costs.machines import Machine, load_machine, memory_mb
from reactivate.experiment.costs.pieces import Work
from reactivate.experiment.numbers import LARGEST, Count, Several
from reactivate.foundation.configuration import Strict, read_yaml, validate

LIMITS = Path("config/costs/limits.yaml")
STEP_MINUTES, STEP_MEMORY = 5, 100  # what is asked for is rounded up to a multiple of these


class Bounds(Strict):
    """Least or most that a job asks for."""

    minutes: Count
    memory_mb: int = Field(ge=100, le=LARGEST)
    cpus: Count


class LimitRule(Strict):
    """The way from a prediction to a limit."""

    time_factor: float = Field(ge=1, le=100)
    memory_factor: float = Field(ge=1, le=100)
    least: Bounds
    most: Bounds
    group_minutes: Several


@lru_cache
def load_limits(path: Path = LIMITS) -> LimitRule:
    """The factors and bounds of the configuration."""
    return validate(LimitRule, read_yaml(path), path)


@dataclass(frozen=True)
class Prediction:
    """The time, memory and cores of a job, as the model predicts them."""

    work: Work
    machine: Machine
    seconds: float
    memory_mb: int
    cpus: int

    @property
    def limit_minutes(self) -> int:
        """Minutes to ask for."""
        rule = load_limits()
        asked = _up(rule.time_factor * self.seconds / 60, STEP_MINUTES)
        return min(max(asked, rule.least.minutes), rule.most.minutes)

    @property
    def limit_memory_mb(self) -> int:
        """Megabytes to ask for."""
        rule = load_limits()
        asked = _up(rule.memory_factor * self.memory_mb, STEP_MEMORY)
        return min(max(asked, rule.least.memory_mb), rule.most.memory_mb)


def predict(
    rule: str,
    names: dict[str, str],
    gpus: int,
    machine: str | None = None,
    processes: int = 1,
    arithmetic: Arithmetic | None = None,
) -> Prediction | None:
    """What a job will take; None where the model does not know its work.

    Of a job of several processes it is the time of all, and the memory and cores of each.

    Args:
        rule: The rule of the job.
        names: Its wildcards.
        gpus: GPUs of a process; without one the CPU counts.
        machine: See :func:`reactivate.experiment.costs.machines.load_machine`.
        processes: That do it together.
        arithmetic: How a GPU computes; None for what config/arithmetic.yaml says.
    """
    way = arithmetic or load_arithmetic()
    kept = tuple(sorted((key, value) for key, value in names.items() if key != "seed"))
    return _predict(rule, kept, gpus, machine, processes, way.tf32, way.compile != "none")


@cache
def _predict(
    rule: str,
    names: tuple[tuple[str, str], ...],
    gpus: int,
    machine: str | None,
    processes: int,
    tf32: bool,
    compiled: bool,
) -> Prediction | None:
    work = work_of(rule, dict(names), processes, compiled and bool(gpus))
    if work is None:
        return None
    described = load_machine(machine, "gpu" if gpus else "cpu").computing(tf32)
    cores = 1
    if gpus:  # one more core drives the GPU
        cores = 1 + described.cores_for(work, load_limits().most.cpus - 1)
    seconds = described.seconds(work, max(1, cores - 1))
    return Prediction(work, described, seconds, memory_mb(work, bool(gpus)), cores)


def group_name(seconds: float) -> str | None:
    """Name of the group of jobs that take about as long; None for those that go alone.

    The time, with a minute as its least, is rounded up to a power of two: jobs of a group then
    take between half of its minutes and all of them.

    Example:
        >>> [group_name(60 * minutes) for minutes in (0.1, 3, 29, 31)]
        ['minutes_1', 'minutes_4', 'minutes_32', None]
    """
    minutes = 1
    while 60 * minutes < seconds:
        minutes *= 2
    together = load_limits().group_minutes // 2 >= seconds / 60
    return f"minutes_{minutes}" if together else None


def _up(value: float, step: int) -> int:
    return step * ceil(value / step)
