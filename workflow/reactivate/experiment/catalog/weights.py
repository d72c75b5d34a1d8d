"""The weights of config/weights.yaml: networks that others trained, and where to get them."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from reactivate.experiment.catalog.imagesets import Count, Described
from reactivate.experiment.catalog.locations import MirrorFile, PackageFile, Sha256
from reactivate.foundation.configuration import Strict, read_yaml, validate
from reactivate.foundation.registry import unknown_name

WEIGHTS = Path("config/weights.yaml")
WeightSource = Annotated[PackageFile | MirrorFile, Field(discriminator="kind")]


class Kernel(Strict):
    """The kernel of a convolution: where it stands in the file, and its size."""

    key: str = Field(pattern=r"^\w+(/\w+)*$")  # of the nested mappings, from the outside
    shape: tuple[Count, Count, Count, Count] = Field(strict=False)  # filters, channels, h, w


class WeightSet(Described):
    """Kernels of a trained network, in a pickle of nested mappings of numpy arrays."""

    kernels: dict[str, Kernel] = Field(min_length=1)  # by layer, in the order of the network
    prepared: Sha256
    sources: tuple[WeightSource, ...] = Field(min_length=1, strict=False)


def weight_set(name: str, path: Path = WEIGHTS) -> WeightSet:
    """The weights of that name."""
    known = weight_sets(path)
    if name not in known:
        raise unknown_name("weights", name, list(known), str(path))
    return known[name]


def weight_sets(path: Path = WEIGHTS) -> dict[str, WeightSet]:
    """All weights by name, in the order of the file."""
    return _weight_sets(path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=8)
def _weight_sets(path: Path, _mtime: int) -> dict[str, WeightSet]:
    entries = read_yaml(path).items()
    return {str(name): validate(WeightSet, entry, path, str(name)) for name, entry in entries}
