"""The weights that config/ describes: networks that others trained, and where to get them."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from reactivate.experiment.catalog.entries import own_files, written_entries, written_entry
from reactivate.experiment.catalog.imagesets import Described
from reactivate.experiment.catalog.locations import MirrorFile, PackageFile, Sha256
from reactivate.experiment.cell import Name
from reactivate.experiment.numbers import Count
from reactivate.foundation.configuration import Strict, validate
from reactivate.foundation.workplace import of_project

WEIGHTS = Path("config/weights.yaml")
WeightSource = Annotated[PackageFile | MirrorFile, Field(discriminator="kind")]


class Kernel(Strict):
    """The kernel of a convolution: where it stands in the file, and its size."""

    key: str = Field(pattern=r"^\w+(/\w+)*$")  # of the nested mappings, from the outside
    shape: tuple[Count, Count, Count, Count] = Field(strict=False)  # filters, channels, h, w


class WeightSet(Described):
    """Kernels of a trained network, in a pickle of nested mappings of numpy arrays."""

    kernels: dict[Name, Kernel] = Field(min_length=1)  # by layer, in the order of the network
    prepared: Sha256
    sources: tuple[WeightSource, ...] = Field(min_length=1, strict=False)


def weight_set(name: str, path: Path = WEIGHTS) -> WeightSet:
    """The weights of that name."""
    entry, file = written_entry("weights", name, path)
    return validate(WeightSet, entry, file, name)


def weight_sets(path: Path = WEIGHTS) -> tuple[str, ...]:
    """Names of all weights, in the order they are written."""
    path = of_project(path)
    return tuple(written_entries(path)) if path.exists() or own_files(path) else ()
