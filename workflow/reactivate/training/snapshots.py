"""Keep the state of a training so that it can go on after any interruption, to the same bytes."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from reactivate.files import verify_checksum, write_with_checksum


@dataclass
class State:
    """Where a training is, besides its tensors. Random streams are keyed by the epoch."""

    epoch: int = 0  # finished ones
    history: list[dict[str, float]] = field(default_factory=list)
    factor: float = 1.0  # of a plateau schedule
    best: float = float("-inf")
    best_epoch: int = 0
    waited: int = 0
    diverged_at: int | None = None
    stopped: bool = False
    seconds: float = 0.0
    resumes: int = 0


@dataclass(frozen=True)
class Snapshots:
    """One file that holds the newest state of a run.

    Args:
        path: The file, and its checksum beside it.
        identity: Digest of settings, code and data; a snapshot of anything else is not used.
    """

    path: Path
    identity: str

    def save(self, state: State, network: nn.Module, optimizer: Optimizer) -> None:
        """Replaces the file whole; if that fails the old one stays."""
        tensors = {f"network.{name}": t for name, t in network.state_dict().items()}
        for number, values in optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{number}.{name}": _tensor(v) for name, v in values.items()}
        metadata = {"identity": self.identity, "state": json.dumps(asdict(state))}
        with write_with_checksum(self.path) as part:
            try:
                save_file({k: t.contiguous() for k, t in tensors.items()}, part, metadata)
            except SafetensorError as error:
                raise OSError(f"cannot write {self.path}: {error}; free some space") from error

    def load(self, network: nn.Module, optimizer: Optimizer) -> State | None:
        """Puts the state back into network and optimizer; None if there is none that fits.

        Raises:
            ValueError: The file is not the one its checksum records.
        """
        if not self.path.exists():
            return None
        verify_checksum(self.path)
        with safe_open(self.path, framework="pt") as file:
            metadata = file.metadata() or {}
            if metadata.get("identity") != self.identity:
                return None
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        network.load_state_dict(_below("network.", tensors))
        slots: dict[int, dict[str, Tensor]] = {}
        for name, tensor in _below("optimizer.", tensors).items():
            number, _, key = name.partition(".")
            slots.setdefault(int(number), {})[key] = tensor
        content = optimizer.state_dict()
        content["state"] = slots
        optimizer.load_state_dict(content)
        state = State(**json.loads(metadata["state"]))
        state.resumes += 1
        return state


def _tensor(value: Any) -> Tensor:
    return value if isinstance(value, Tensor) else torch.tensor(value)


def _below(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {k.removeprefix(prefix): t for k, t in tensors.items() if k.startswith(prefix)}
