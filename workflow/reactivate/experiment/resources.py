"""What a job of a rule asks a cluster for, from config/resources.yaml."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from pydantic import Field, RootModel

from reactivate.experiment.loading import load_scales
from reactivate.foundation.configuration import Strict, read_yaml, validate
from reactivate.foundation.registry import unknown_name

RESOURCES = Path("config/resources.yaml")
EVERY = "every"  # stands for each scale


class Resources(Strict):
    """What one job asks for."""

    cpus: int = Field(ge=1)
    memory_mb: int = Field(ge=100)
    minutes: int = Field(ge=1)
    gpus: int = Field(ge=0, le=1)  # SLURM starts a job's command once per GPU


class Rules(RootModel[dict[str, dict[str, Resources]]]):
    """Rule -> scale -> what it asks for."""


@lru_cache
def load_resources(path: Path = RESOURCES) -> dict[str, dict[str, Resources]]:
    """What every rule asks for at every scale, checked."""
    rules = validate(Rules, read_yaml(path), path).root
    known = [EVERY, *load_scales()]
    for rule, scales in rules.items():
        for scale in scales:
            if scale not in known:
                raise ValueError(f"{path}: {rule}: {unknown_name('scale', scale, known, rule)}")
    return rules


def asked(rule: str, scale: str | None = None, path: Path = RESOURCES) -> Resources:
    """What a job of a rule asks for at a scale; without one, what the rule asks at every scale.

    Raises:
        ValueError: The file says nothing of that rule, or nothing of that scale.
    """
    rules = load_resources(path)
    if rule not in rules:
        raise unknown_name("rule", rule, list(rules), str(path))
    found = rules[rule].get(scale or EVERY) or rules[rule].get(EVERY)
    if found is None:
        raise ValueError(
            f"{path}: {rule} says nothing of scale {scale!r}, only of {', '.join(rules[rule])}; "
            f"add it, or {EVERY!r} for all"
        )
    return found


def cpus(rule: str) -> Callable[..., int]:
    """``threads:`` of a rule."""
    return lambda wildcards: asked(rule, wildcards.get("scale")).cpus


def asks(rule: str) -> dict[str, Callable[..., int]]:
    """``resources:`` of a rule, in Snakemake's names; memory grows with each attempt."""

    def memory(wildcards: dict[str, str], attempt: int) -> int:
        return asked(rule, wildcards.get("scale")).memory_mb * attempt

    return {
        "mem_mb": memory,
        "runtime": lambda wildcards: asked(rule, wildcards.get("scale")).minutes,
        "gpu": lambda wildcards: asked(rule, wildcards.get("scale")).gpus,
        # threads are at most the cores of the machine that sends the jobs
        "cpus_per_task": lambda wildcards: asked(rule, wildcards.get("scale")).cpus,
    }
