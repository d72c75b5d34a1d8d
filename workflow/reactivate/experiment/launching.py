"""How a rule starts a stage: where, in how many processes, how many images each passes at once."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DIVIDED = ("train", "defend")  # stages whose batches can be divided


@dataclass(frozen=True)
class Launch:
    """The text that ``{LAUNCH:{rule}}`` becomes in a shell command: it starts a stage.

    Commands have it by its name, not its value: how a network is launched retrains nothing. The
    program takes the place of the shell, which SIGTERM would end before the program has saved.

    Args:
        processes: Number of processes that train one image network together.
        warm: Whether stages may run in a fork of a process that has imported the libraries.

    Example:
        >>> f"{Launch(4):train}"
        'exec torchrun --standalone --nproc-per-node 4 -m'
        >>> f"{Launch(4):prune}"
        'exec python -m'
        >>> f"{Launch(4, warm=True):prune}"
        'exec python -m reactivate.warm'
    """

    processes: int = 1
    warm: bool = False

    def __format__(self, stage: str) -> str:
        if stage in DIVIDED and self.processes > 1:
            return f"exec torchrun --standalone --nproc-per-node {self.processes} -m"
        return "exec python -m reactivate.warm" if self.warm else "exec python -m"


@dataclass(frozen=True)
class Passing:
    """The text that ``{PASSING:{rule}}`` becomes: options of how a stage passes batches.

    Args:
        micro_batch: The most images that a process passes at once; None for all it has.

    Example:
        >>> f"{Passing(64):defend}", f"{Passing(64):prune}", f"{Passing():train}"
        (' --micro-batch 64', '', '')
    """

    micro_batch: int | None = None

    def __format__(self, stage: str) -> str:
        divided = stage in DIVIDED and self.micro_batch is not None
        return f" --micro-batch {self.micro_batch}" if divided else ""


class Root:
    """The text that ``{ROOT:{output[0]}}`` becomes in a shell command: where the stage works.

    It is empty unless a storage plugin hands out copies below a folder of its own. Commands have
    it by its name, not its value: where results are kept reruns nothing.

    Example:
        >>> f"{Root():.snakemake/storage/fs/mnt/results/smoke/gmp/table3.csv}"
        ' --root .snakemake/storage/fs/mnt/'
        >>> f"{Root():results/smoke/gmp/table3.csv}"
        ''
    """

    def __format__(self, output: str) -> str:
        copies = re.match(r"(.*/)(?:results|data/prepared)/", output)
        return f" --root {shlex.quote(copies[1])}" if copies else ""


ROOT = Root()


def launching(
    config: Mapping[str, Any], gpus: int | None = None, *, warm: bool = False
) -> tuple[Launch, Passing]:
    """Launch and passing as ``snakemake --config processes=4 micro_batch=64`` asks for them.

    Args:
        config: The settings of the workflow.
        gpus: The most that Snakemake was told to use (``--resources gpu=1``); it cuts what a job
            asks for, without a word.
        warm: Whether there is a warm process for the jobs.

    Raises:
        ValueError: One of the numbers is not a whole number above 0, or the processes would get
            fewer GPUs than they are.
    """
    found = {name: config[name] for name in ("processes", "micro_batch") if name in config}
    for name, value in found.items():
        if not (isinstance(value, int) and value >= 1):
            raise ValueError(
                f"{name} is {value!r}; accepted: a whole number from 1 on. Change it where "
                "Snakemake is started (--config), or in the profile"
            )
    processes = found.get("processes", 1)
    if gpus and gpus < processes:
        raise ValueError(
            f"processes is {processes}, but Snakemake may use gpu={gpus}, so a job would get no "
            f"more; accepted: a GPU per process. Add --resources gpu={processes}"
        )
    return Launch(processes, warm), Passing(found.get("micro_batch"))
