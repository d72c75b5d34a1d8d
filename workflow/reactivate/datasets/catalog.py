"""The datasets of config/datasets.yaml: what they are, their sources, how to read them."""

import hashlib
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reactivate.configuration import Strict, read_yaml, validate
from reactivate.registry import unknown_name

CATALOG = Path("config/datasets.yaml")

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Md5 = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$")]
PackageKind = Literal["npm", "pip", "pip_sdist", "debian", "python"]


class Layout(Strict):
    """How the numbers stand in a file."""

    format: Literal["csv", "semicolon", "tab", "whitespace", "xlsx"]
    header: int = Field(default=0, ge=0)  # lines before the first row of numbers
    sheet: str | None = None


class Verified(Strict):
    """Bytes that are known before they are fetched."""

    sha256: Sha256
    md5: Md5 | None = None
    read: Layout


class UrlSource(Verified):
    """The official download."""

    kind: Literal["url"]
    url: str = Field(pattern="^https://")

    @property
    def filename(self) -> str:
        return PurePosixPath(self.url).name

    def __str__(self) -> str:
        return f"url {self.url}"


class PackageSource(Verified):
    """A file inside a package that an ordinary package client can fetch."""

    kind: PackageKind
    package: str = Field(pattern="^@?[A-Za-z0-9][A-Za-z0-9_./-]*$")  # never starts like an option
    version: str = Field(pattern="^[0-9][A-Za-z0-9.+~:-]*$")
    member: str
    archive: Sha256 | None = None  # of the package, if it is the same on every platform

    @model_validator(mode="after")
    def _source_package_is_known(self) -> Self:
        if self.kind == "pip_sdist" and self.archive is None:
            raise ValueError("archive is missing; pip_sdist needs the sha256 of the package")
        return self

    @property
    def filename(self) -> str:
        return PurePosixPath(self.member).name

    def __str__(self) -> str:
        return f"{self.kind} {self.package} {self.version}: {self.member}"


class MirrorSource(Verified):
    """A file that a person put into data/raw or into the folder ``REACTIVATE_MIRROR``."""

    kind: Literal["mirror"]
    file: FileName

    @property
    def filename(self) -> str:
        return self.file

    def __str__(self) -> str:
        return f"mirror {self.file}"


Source = Annotated[UrlSource | PackageSource | MirrorSource, Field(discriminator="kind")]


class Dataset(Strict):
    """A table of numbers: the first columns are the features, the next one is the target."""

    title: str
    licence: str
    rows: int = Field(ge=1)
    features: int = Field(ge=1)
    target: str
    unused: int = Field(default=0, ge=0)  # columns after the target
    decimals: int | None = Field(default=None, ge=0)  # values are rounded to so many
    prepared: Sha256
    sources: tuple[Source, ...] = Field(min_length=1, strict=False)

    @property
    def columns(self) -> int:
        """Number of columns in the file."""
        return self.features + 1 + self.unused

    def fingerprint(self) -> str:
        """Digest of all that is said of the dataset; changes when anything does."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


def dataset(name: str, path: Path = CATALOG) -> Dataset:
    """The dataset of that name."""
    known = catalog(path)
    if name not in known:
        raise unknown_name("dataset", name, list(known), str(path))
    return known[name]


def catalog(path: Path = CATALOG) -> dict[str, Dataset]:
    """All datasets by name, in the order of the file."""
    return _catalog(path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=8)
def _catalog(path: Path, _mtime: int) -> dict[str, Dataset]:
    entries = read_yaml(path).items()
    return {str(name): validate(Dataset, entry, path, str(name)) for name, entry in entries}
