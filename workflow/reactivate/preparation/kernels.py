"""Kernels of a trained network, read from a pickle that may hold nothing but arrays."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.weights import Kernel, WeightSet
from reactivate.preparation.pickles import load_arrays


def read_kernels(path: Path, wanted: WeightSet) -> dict[str, NDArray[np.float32]]:
    """The kernels by layer, ``(filters, channels, height, width)``.

    The file has them as ``(height, width, channels, filters)``, as JAX and TensorFlow do.

    Args:
        path: A file whose checksum was verified.
        wanted: The kernels that it must hold, and their sizes.

    Raises:
        ValueError: The file is no pickle of arrays, or a kernel is missing or of another kind.
    """
    loaded = load_arrays(path.name, path.read_bytes())
    return {
        layer: _kernel(path.name, loaded, layer, kernel)
        for layer, kernel in wanted.kernels.items()
    }


def _kernel(file: str, loaded: dict[str, Any], layer: str, wanted: Kernel) -> NDArray[np.float32]:
    """The kernel of one layer, checked."""
    value: Any = loaded
    for part in wanted.key.split("/"):
        if not isinstance(value, dict) or part not in value:
            there = ", ".join(map(str, value)) if isinstance(value, dict) else "no mapping"
            raise ValueError(
                f"{file} has no {wanted.key} for {layer}: where {part!r} is expected it has "
                f"{there}; change {layer}.key in config/weights.yaml"
            )
        value = value[part]
    if not isinstance(value, np.ndarray) or value.dtype != np.float32 or value.ndim != 4:
        kind = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value)
        raise ValueError(
            f"{wanted.key} in {file} is {kind}; accepted: a float32 kernel of four dimensions; "
            f"change {layer}.key in config/weights.yaml"
        )
    kernel = np.ascontiguousarray(value.transpose(3, 2, 0, 1))
    if kernel.shape != wanted.shape or not np.isfinite(kernel).all():
        raise ValueError(
            f"{layer} in {file} has shape {kernel.shape} and "
            f"{(~np.isfinite(kernel)).sum()} numbers that are not finite; expected "
            f"{wanted.shape} and none; change {layer}.shape in config/weights.yaml"
        )
    return kernel
