"""Load a prepared dataset, after checking that it is the one that was prepared."""

from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor

from reactivate.foundation.files import verify_checksum

PREPARED = Path("data/prepared")


def load_prepared(name: str, folder: Path = PREPARED) -> tuple[Tensor, Tensor]:
    """Features ``(N, d)`` and targets ``(N, 1)`` of a prepared dataset, float64.

    Raises:
        ValueError: The file is missing or is not the one its checksum file records.
    """
    path = folder / f"{name}.safetensors"
    verify_checksum(path)
    tensors = load_file(path)
    return tensors["x"], tensors["y"]
