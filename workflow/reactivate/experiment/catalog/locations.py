"""Sources of a file of known bytes: its official address, a package, or a person."""

from pathlib import PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reactivate.foundation.configuration import Strict

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Md5 = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
# A name, or a folder and a name; no part starts with a dot.
FileName = Annotated[str, Field(pattern=r"^(\w[\w.-]*/)?\w[\w.-]*$")]
MemberPath = Annotated[str, Field(pattern=r"^([\w@+-][\w.@+-]*/)*[\w+-][\w.+-]*$")]  # of any depth
PackageKind = Literal["npm", "pip", "pip_sdist", "debian", "python"]
PackageName = Annotated[str, Field(pattern="^@?[A-Za-z0-9][A-Za-z0-9_./-]*$")]  # not an option
Version = Annotated[str, Field(pattern="^[0-9][A-Za-z0-9.+~:-]*$")]


class Verified(Strict):
    """Bytes that are known before they are fetched."""

    sha256: Sha256
    md5: Md5 | None = None


class UrlFile(Verified):
    """A file at its official address."""

    kind: Literal["url"]
    url: str = Field(pattern="^https://")

    @property
    def filename(self) -> str:
        return PurePosixPath(self.url).name

    def __str__(self) -> str:
        return f"url {self.url}"


class PackageFile(Verified):
    """A file inside a package that an ordinary package client can fetch."""

    kind: PackageKind
    package: PackageName
    version: Version
    member: MemberPath
    archive: Sha256 | None = None  # of the package; only an installed one has none

    @model_validator(mode="after")
    def _package_is_known(self) -> Self:
        if self.kind != "python" and self.archive is None:
            raise ValueError(f"archive is missing; {self.kind} needs the sha256 of the package")
        return self

    @property
    def filename(self) -> str:
        return PurePosixPath(self.member).name

    def __str__(self) -> str:
        return f"{self.kind} {self.package} {self.version}: {self.member}"


class MirrorFile(Verified):
    """A file that a person put into data/raw or into the folder ``REACTIVATE_MIRROR``."""

    kind: Literal["mirror"]
    file: FileName

    @property
    def filename(self) -> str:
        return PurePosixPath(self.file).name

    def __str__(self) -> str:
        return f"mirror {self.file}"


Place = UrlFile | PackageFile | MirrorFile
