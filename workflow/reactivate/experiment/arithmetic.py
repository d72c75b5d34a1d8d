"""Choices of how a machine computes, from config/arithmetic.yaml."""

from functools import lru_cache
from pathlib import Path
from typing import Literal

from reactivate.foundation.configuration import Strict, read_yaml, validate

ARITHMETIC = Path("config/arithmetic.yaml")

Compilation = Literal["none", "default", "reduce-overhead"]


class Arithmetic(Strict):
    """The choices of a machine; none is a setting of a run, and every record tells them.

    Attributes:
        tf32: Whether a GPU multiplies float32 numbers with 10 bits of mantissa instead of 23.
        compile: How torch compiles the network of plain training steps; ``reduce-overhead``
            replays them as CUDA graphs.
    """

    tf32: bool = False
    compile: Compilation = "none"


@lru_cache
def load_arithmetic(path: Path = ARITHMETIC) -> Arithmetic:
    """The choices in the file, checked."""
    return validate(Arithmetic, read_yaml(path), path)
