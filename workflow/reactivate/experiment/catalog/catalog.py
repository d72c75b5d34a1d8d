"""The datasets of config/datasets.yaml: what they are, their sources, how to read them."""

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from reactivate.experiment.catalog.entries import written_entries, written_entry
from reactivate.experiment.catalog.formats import TABLE_FORMATS, TableFormat
from reactivate.experiment.catalog.imagesets import Described, FolderSet, ImageSet, SceneSet
from reactivate.experiment.catalog.locations import (
    MirrorFile,
    PackageFile,
    Sha256,
    UrlFile,
    Verified,
)
from reactivate.experiment.numbers import Count, CountOrZero, Positive
from reactivate.foundation.configuration import Strict, validate

CATALOG = Path("config/datasets.yaml")


class Layout(Strict):
    """The arrangement of the numbers in a file."""

    format: TableFormat
    header: CountOrZero = 0  # lines before the first row of numbers
    sheet: str | None = None


class Readable(Verified):
    """A file that holds a table."""

    read: Layout


class UrlSource(UrlFile, Readable):
    """A table at its official address."""


class PackageSource(PackageFile, Readable):
    """A table inside a package."""


class MirrorSource(MirrorFile, Readable):
    """A table supplied by hand."""


Source = Annotated[UrlSource | PackageSource | MirrorSource, Field(discriminator="kind")]


class Dataset(Described):
    """A table of numbers: the first columns are the features, the next one is the target."""

    # Not part of the fingerprint: most tables leave it out.
    kind: Literal["table"] = Field(default="table", exclude=True)
    rows: Count
    features: Count
    target: str
    # of the target; not part of the fingerprint, because it decides nothing that is prepared
    deviation: Positive | None = Field(default=None, exclude=True)
    unused: CountOrZero = 0  # columns after the target
    decimals: CountOrZero | None = None  # values are rounded to so many
    prepared: Sha256
    sources: tuple[Source, ...] = Field(min_length=1, strict=False)

    @property
    def columns(self) -> int:
        """Number of columns in the file."""
        return self.features + 1 + self.unused

    @property
    def readers(self) -> tuple[str, ...]:
        """The functions that read its sources, each as ``module:function``."""
        return tuple(TABLE_FORMATS.target(source.read.format) for source in self.sources)


Entry = Dataset | ImageSet | FolderSet | SceneSet
KINDS: dict[str, type[Entry]] = {
    "table": Dataset,
    "images": ImageSet,
    "folder": FolderSet,
    "scenes": SceneSet,
}


def dataset(name: str, path: Path = CATALOG) -> Entry:
    """The entry of the dataset of that name; no other entry is checked."""
    return _entry(name, *written_entry("dataset", name, path))


def catalog(path: Path = CATALOG) -> dict[str, Entry]:
    """All datasets by name, in the order they are written."""
    return {name: _entry(name, *written) for name, written in written_entries(path).items()}


def is_lacking(name: str) -> bool:
    """Whether a dataset has to be supplied by the user, and no variable says where it is."""
    entry = dataset(name)
    return isinstance(entry, FolderSet) and not os.environ.get(entry.variable)


def _entry(name: str, entry: Any, path: Path) -> Entry:
    kind = entry.get("kind", "table") if isinstance(entry, dict) else "table"
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"{path}: {name}.kind is {kind!r}; accepted: {', '.join(KINDS)}")
    try:
        written = json.dumps(entry, sort_keys=True)
    except TypeError as error:
        raise ValueError(f"{path}: {name} has odd keys: {error}; accepted: words") from None
    return _validated(written, kind, path, name)


@lru_cache(maxsize=256)
def _validated(entry: str, kind: str, path: Path, name: str) -> Entry:
    return validate(KINDS[kind], json.loads(entry), path, name)
