"""Keep the state of a training so that it can go on after any interruption, to the same bytes."""

import hashlib
import json
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load, save
from torch import Tensor, nn
from torch.optim import Optimizer

from reactivate.foundation.files import write_atomically
from reactivate.training.callbacks import Callback

DIGEST_BYTES = hashlib.sha256().digest_size


@dataclass
class State:
    """The progress of a training, besides its tensors; random streams are keyed by the epoch."""

    epoch: int = 0  # finished ones
    batches: int = 0  # finished ones of the next epoch
    sums: list[list[float]] = field(default_factory=list)  # over them, of each process
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
    """One file that holds the newest state of a run, after the checksum of all that follows.

    It holds the tensors of network, optimizer and callbacks, and a :class:`State`.

    Args:
        path: The file.
        identity: Digest of settings, code and data; a snapshot of anything else is not used.
    """

    path: Path
    identity: str

    def save(
        self,
        state: State,
        network: nn.Module,
        optimizer: Optimizer,
        callbacks: Sequence[Callback] = (),
    ) -> None:
        """Replaces the file whole; if that fails the old one stays."""
        tensors = {f"network.{name}": t for name, t in network.state_dict().items()}
        tensors["identity"] = _letters(self.identity)
        tensors["state"] = _letters(json.dumps(asdict(state)))
        for number, values in optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{number}.{name}": _tensor(v) for name, v in values.items()}
        for number, callback in enumerate(callbacks):
            kept = callback.state_dict()
            tensors |= {f"callbacks.{number}.{name}": tensor for name, tensor in kept.items()}
        content = save({name: tensor.contiguous() for name, tensor in tensors.items()})
        with write_atomically(self.path) as part, part.open("wb") as file:
            file.write(hashlib.sha256(content).digest())
            file.write(content)

    def load(
        self, network: nn.Module, optimizer: Optimizer, callbacks: Sequence[Callback] = ()
    ) -> State | None:
        """Puts the state back where it was saved from; None if there is none that fits.

        A damaged file is reported and not used: the training starts anew.
        """
        for unfinished in self.path.parent.glob(f".{self.path.name}.*.part"):
            unfinished.unlink(missing_ok=True)  # of a process killed while it saved
        tensors = self._read()
        if tensors is None or _text(tensors["identity"]) != self.identity:
            return None
        network.load_state_dict(_below("network.", tensors))
        slots: dict[int, dict[str, Tensor]] = {}
        for name, tensor in _below("optimizer.", tensors).items():
            slot, _, key = name.partition(".")
            slots.setdefault(int(slot), {})[key] = tensor
        content = optimizer.state_dict()
        content["state"] = slots
        optimizer.load_state_dict(content)
        _lay_out_as_parameters(optimizer)
        for number, callback in enumerate(callbacks):
            callback.load_state_dict(_below(f"callbacks.{number}.", tensors))
        state = State(**json.loads(_text(tensors["state"])))
        state.resumes += 1
        return state

    def _read(self) -> dict[str, Tensor] | None:
        if not self.path.exists():
            return None
        content = self.path.read_bytes()
        digest, tensors = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
        if hashlib.sha256(tensors).digest() != digest:
            warnings.warn(f"{self.path} is damaged; the training starts anew", stacklevel=3)
            return None
        return load(tensors)


def _lay_out_as_parameters(optimizer: Optimizer) -> None:
    """Gives restored tensors the strides of their parameters, on which rounding may depend."""
    for parameter, values in optimizer.state.items():
        for name, value in values.items():
            if value.dim() == 4:
                values[name] = torch.empty_like(parameter).copy_(value)


def _letters(text: str) -> Tensor:
    return torch.tensor(list(text.encode()), dtype=torch.uint8)


def _text(letters: Tensor) -> str:
    return bytes(letters.tolist()).decode()


def _tensor(value: Any) -> Tensor:
    return value if isinstance(value, Tensor) else torch.tensor(value)


def _below(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {k.removeprefix(prefix): t for k, t in tensors.items() if k.startswith(prefix)}
