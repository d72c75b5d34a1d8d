"""The work that a rule's command line asks a stage for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import torch

from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.launching import DIVIDED
from reactivate.experiment.run_cell import RunCell
from reactivate.foundation.arguments import StageParser
from reactivate.foundation.digests import code_digest
from reactivate.training.memory import keep_freed_memory
from reactivate.training.processes import own_cpus


@dataclass(frozen=True)
class Request:
    """A cell that a stage shall train or measure, and where to leave what comes of it."""

    stage: str
    scale: str
    paper: str
    cell: Cell
    out: Path
    seed: int = 0
    measurement: str = ""
    threads: int = 1
    micro_batch: int | None = None

    @classmethod
    def from_arguments(cls, stage: str, description: str | None, measures: bool = False) -> Self:
        """Reads the command line, and sets how many threads torch may use.

        ``threads`` become this process's part of the CPUs of the job.

        Args:
            stage: The stage that is run.
            description: Help of the command.
            measures: Whether it measures a trained network: then ``--measurement`` says what.
        """
        parser = StageParser(description)
        names = ["scale", "paper", "dataset", "cell", *(["measurement"] if measures else [])]
        for name in names:
            parser.add_argument(f"--{name}", required=True)
        parser.add_argument("--out", type=Path, required=True)
        if stage != "sweep":  # which trains all seeds at once, one thread being the fastest
            parser.add_argument("--seed", type=int, required=True)
            parser.add_argument("--threads", type=int, default=1, help="also decode pictures")
        if stage in DIVIDED:
            parser.add_argument("--micro-batch", type=int, help="images passed at once")
        given = parser.parse()
        given["cell"] = Cell.parse(given.pop("dataset"), given["cell"])
        if "threads" in given:
            given["threads"] = own_cpus(given["threads"])
        asked = cls(stage=stage, **given)
        torch.set_num_threads(asked.threads)
        keep_freed_memory()
        return asked

    @property
    def resolved(self) -> RunCell:
        """The cell as it is configured at the scale."""
        return Experiment.load(self.scale).cell(self.paper, self.cell)

    @property
    def code(self) -> str:
        """Digest of the code of the stage on this cell."""
        return code_digest(*self.resolved.modules(self.stage))
