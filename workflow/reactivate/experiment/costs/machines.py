"""Descriptions of machines, and the time and memory that work takes on them."""

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from reactivate.experiment.costs.pieces import NUMBER, Piece, Work
from reactivate.experiment.numbers import NonNegative, Positive, Share, Speed
from reactivate.foundation.configuration import Strict, read_yaml, validate
from reactivate.foundation.registry import unknown_name

MACHINES = Path("config/machines")
CALIBRATED = Path("profiles/slurm")  # where `reactivate calibrate` leaves gpu.yaml and cpu.yaml
ASSUMED = {"gpu": "a100", "cpu": "cpu"}  # where nothing is calibrated
Kind = Literal["gpu", "cpu"]
Precision = Literal["bf16", "tf32", "fp32"]


class Machine(Strict):
    """A processor that computes, and the cores beside it.

    Attributes:
        title: Its name, for people.
        kind: A GPU launches kernels ahead of time; a CPU does one thing after another.
        flops: Operations per second of matrix products, at most, by precision.
        bandwidth: Bytes per second between processor and memory that networks reach.
        achieved: Share of ``flops`` that networks reach, by precision.
        launch: Seconds that it takes to launch a kernel.
        together: Share of its speed that a processor keeps where several train one network.
        decode: Pictures that a core decodes and cuts per second.
        start: Seconds until a job computes: imports, data, first kernels.
        memory_gb: Memory of the processor.
        says: Where the numbers are from, and what was assumed.
    """

    title: str
    kind: Kind
    flops: dict[Precision, Speed] = Field(min_length=1)
    bandwidth: Speed
    achieved: dict[Precision, Share]
    launch: Positive
    together: Share
    decode: Positive
    start: NonNegative
    memory_gb: Positive
    says: list[str] = Field(min_length=1)

    def computing(self, tf32: bool) -> "Machine":
        """The machine as it is where products of float32 numbers are shortened, or are not."""
        if not tf32 or "tf32" not in self.flops:
            return self
        flops = self.flops | {"fp32": self.flops["tf32"]}
        achieved = self.achieved | {"fp32": self.achieved["tf32"]}
        return self.model_copy(update={"flops": flops, "achieved": achieved})

    def seconds(self, work: Work, cores: int = 1) -> float:
        """Time of a job, the start included.

        A GPU computes while kernels are launched and pictures are decoded: the slowest of the
        three counts. A CPU does all of it itself.

        Args:
            work: What is done.
            cores: That decode pictures.
        """
        busy = sum(piece.times * self._once(piece) for piece in work.pieces)
        decoding = work.decoded / (self.decode * cores)
        return self.start + (max(busy, decoding) if self.kind == "gpu" else busy + decoding)

    def cores_for(self, work: Work, most: int) -> int:
        """Cores that decode as fast as the processor computes, at most so many."""
        busy = sum(piece.times * self._once(piece) for piece in work.pieces)
        if not work.decoded or not busy:
            return 1
        return max(1, min(most, -int(-work.decoded // (self.decode * busy))))

    def arithmetic_seconds(self, work: Work) -> float:
        """Time of the matrix products alone, at the processor's peak: no job is faster."""
        return sum(
            piece.times * piece.flops / self.flops[self._precision(piece)] for piece in work.pieces
        )

    def _precision(self, piece: Piece) -> Precision:
        return "bf16" if piece.mixed and "bf16" in self.flops else "fp32"

    def _once(self, piece: Piece) -> float:
        precision = self._precision(piece)
        moved = piece.traffic / (2 if precision == "bf16" else 1)
        rate = self.flops[precision] * self.achieved[precision]
        needed = piece.flops / rate + moved / self.bandwidth
        launched = piece.kernels * self.launch
        alone = max(needed, launched) if self.kind == "gpu" else needed + launched
        return alone / self.together if piece.shared else alone


def memory_mb(work: Work, gpu: bool) -> int:
    """Memory of the processes of a job: on a CPU that is everything, beside a GPU the rest."""
    libraries = LIBRARIES["gpu" if gpu else "cpu"]
    needed = work.host_bytes + (NUMBER if gpu else work.device_bytes)
    return libraries + int(needed / 1e6)


LIBRARIES = {"gpu": 3000, "cpu": 450}  # megabytes of Python, torch and what it loads


@lru_cache
def load_machine(name: str | None, kind: Kind = "gpu") -> Machine:
    """A machine of config/machines, or of a file; None for the one of the profile, or assumed.

    Args:
        name: The name of a file in config/machines, or a path; None for that which
            ``reactivate calibrate`` left beside the profile, or else the assumed one.
        kind: Of which kind, where no name is given.

    Raises:
        ValueError: There is no such machine, or its file says something else.
    """
    if name is None:
        calibrated = CALIBRATED / f"{kind}.yaml"
        path = calibrated if calibrated.exists() else MACHINES / f"{ASSUMED[kind]}.yaml"
    else:
        path = Path(name) if name.endswith(".yaml") else MACHINES / f"{name}.yaml"
    if not path.exists():
        known = sorted(file.stem for file in MACHINES.glob("*.yaml"))
        raise unknown_name("machine", str(name), known, f"{MACHINES}, or give a path to a .yaml")
    return validate(Machine, read_yaml(path), path)
