"""Pickles of numpy arrays, opened without letting them call anything else."""

import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy._core.multiarray import _reconstruct

# What a wrong byte can lead to while a pickle is read.
DAMAGED: tuple[type[Exception], ...] = (pickle.UnpicklingError, EOFError, ValueError, TypeError)
DAMAGED += (LookupError, AttributeError, OverflowError, MemoryError)


def _dtype(code: str, *_flags: object) -> np.dtype[Any]:
    """A dtype without the alignment flag, which old pickles write as a number."""
    return np.dtype(code)


def _encode(text: str, encoding: str) -> bytes:
    """Bytes of a text: so Python 3 writes them in a pickle that Python 2 can read."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"it encodes text as {encoding!r}; only latin1 is expected")
    return text.encode(encoding)


ALLOWED: dict[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): _dtype,
    ("numpy.core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy._core.multiarray", "_reconstruct"): _reconstruct,
    ("_codecs", "encode"): _encode,
}


class _ArraysOnly(pickle.Unpickler):
    """An unpickler that makes numpy arrays and plain values only."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return ALLOWED[module, name]


def load_arrays(name: str, content: bytes) -> dict[str, Any]:
    """The mapping in a pickle, by text keys.

    Args:
        name: Name of the file, for the message.
        content: The pickle; numbers, text, lists, mappings and numpy arrays are accepted.

    Raises:
        ValueError: The pickle is damaged, holds no mapping, or asks for anything but numpy arrays
            (which is then neither imported nor called).
    """
    try:
        loaded = _ArraysOnly(io.BytesIO(content), encoding="latin1").load()
    except DAMAGED as error:
        raise ValueError(
            f"{name} is not a pickle of numpy arrays: {error}; supply the official file"
        ) from None
    if not isinstance(loaded, dict):
        raise ValueError(
            f"{name} holds a {type(loaded).__name__}, expected a mapping; supply the official file"
        )
    return {key.decode() if isinstance(key, bytes) else key: loaded[key] for key in loaded}
