"""Finished parts of a run, kept until the run is whole, so that a killed run continues."""

import json
from dataclasses import asdict
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from reactivate.foundation.files import write_atomically
from reactivate.training.batched import Outcome


class Checkpoints:
    """Outcomes and weights of finished batches of networks in a folder of their own.

    A part is used again only for the same settings, code and data; one from anything else, or one
    that cannot be read, is as good as none.

    Args:
        folder: Where they are.
        identity: Digest of settings, code and data.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = folder
        self.identity = identity
        self.resumes = 0

    def load(self, name: str) -> tuple[list[Outcome], dict[str, Tensor]] | None:
        """The part saved under a name, if there is one that fits."""
        path = self.folder / f"{name}.safetensors"
        if not path.exists():
            return None
        try:
            with safe_open(path, framework="pt") as file:
                metadata = file.metadata()
                if metadata["identity"] != self.identity:
                    return None
                weights = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        except (SafetensorError, KeyError, TypeError):
            return None
        self.resumes = 1
        return [Outcome(**outcome) for outcome in json.loads(metadata["outcomes"])], weights

    def save(self, name: str, outcomes: list[Outcome], weights: dict[str, Tensor]) -> None:
        """Keeps a finished part."""
        metadata = {
            "identity": self.identity,
            "outcomes": json.dumps([asdict(outcome) for outcome in outcomes]),
        }
        with write_atomically(self.folder / f"{name}.safetensors") as part:
            save_file(weights, part, metadata)
