"""Read the kernels of a trained network from a pickle that may hold nothing but arrays."""

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
        ValueError: It is no pickle of arrays, a kernel is missing or has another size or type.
    """
    loaded = load_arrays(path.name, path.read_bytes())
    return {
        layer: _kernel(path.name, loaded, layer, kernel)
        for layer, kernel in wanted.kernels.items()
    }


def _kernel(file: str, loaded: dict[str, Any], layer: str, wanted: Kernel) -> NDArray[np.float32]:
    found: Any = loaded
    for part in wanted.key.split("/"):
        if not isinstance(found, dict) or part not in found:
            there = ", ".join(map(str, found)) if isinstance(found, dict) else "no mapping"
            raise ValueError(
                f"{file} has no {wanted.key} for {layer}: where {part!r} is expected it has "
                f"{there}; change {layer}.key in config/weights.yaml"
            )
        found = found[part]
    if not isinstance(found, np.ndarray) or found.dtype != np.float32 or found.ndim != 4:
        kind = f"{found.dtype} {found.shape}" if isinstance(found, np.ndarray) else type(found)
        raise ValueError(
            f"{wanted.key} in {file} is {kind}; accepted: a float32 kernel of four dimensions; "
            f"change {layer}.key in config/weights.yaml"
        )
    kernel = np.ascontiguousarray(found.transpose(3, 2, 0, 1))
    if kernel.shape != wanted.shape or not np.isfinite(kernel).all():
        raise ValueError(
            f"{layer} in {file} has shape {kernel.shape} and "
            f"{(~np.isfinite(kernel)).sum()} numbers that are not finite; expected "
            f"{wanted.shape} and none; change {layer}.shape in config/weights.yaml"
        )
    return kernel
