"""Catalog entries of sets of images: their sizes, their files and the sources of these."""

import hashlib
from typing import Annotated, Literal

from pydantic import Field

from reactivate.experiment.catalog.formats import (
    FOLDER_FORMATS,
    IMAGE_FORMATS,
    SCENE_FORMATS,
    FolderFormat,
    ImageFormat,
    SceneFormat,
)
from reactivate.experiment.catalog.locations import (
    FileName,
    Md5,
    MemberPath,
    MirrorFile,
    PackageFile,
    PackageName,
    Place,
    Sha256,
    UrlFile,
    Version,
)
from reactivate.experiment.cell import Name
from reactivate.experiment.numbers import Count
from reactivate.foundation.configuration import Strict


class Described(Strict):
    """The keys that every entry of a catalog has."""

    title: str
    licence: str

    def fingerprint(self) -> str:
        """Digest of the whole entry; it changes when anything in the entry does."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


class Bundle(Strict):
    """Files that together are a whole set of images, all from one place."""

    format: ImageFormat
    files: dict[MemberPath, Sha256] = Field(min_length=1)  # path -> checksum

    def places(self) -> dict[str, Place]:
        """The place of each file, by its name without folder and ``.gz``."""
        places = (self._place(name, checksum) for name, checksum in self.files.items())
        return {place.filename.removesuffix(".gz"): place for place in places}

    def _place(self, name: str, checksum: str) -> Place:
        raise NotImplementedError


class UrlBundle(Bundle):
    """Files in one folder of the official site."""

    kind: Literal["url"]
    folder: str = Field(pattern="^https://.*[^/]$")

    def _place(self, name: str, checksum: str) -> Place:
        return UrlFile(kind="url", url=f"{self.folder}/{name}", sha256=checksum)

    def __str__(self) -> str:
        return f"url {self.folder}"


class PackageBundle(Bundle):
    """Files inside one package."""

    kind: Literal["npm", "pip", "debian"]
    package: PackageName
    version: Version
    archive: Sha256  # of the package

    def _place(self, name: str, checksum: str) -> Place:
        return PackageFile(
            kind=self.kind,
            package=self.package,
            version=self.version,
            archive=self.archive,
            member=name,
            sha256=checksum,
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.package} {self.version}"


class MirrorBundle(Bundle):
    """Files supplied by hand."""

    kind: Literal["mirror"]
    files: dict[FileName, Sha256] = Field(min_length=1)  # never leads outside

    def _place(self, name: str, checksum: str) -> Place:
        return MirrorFile(kind="mirror", file=name, sha256=checksum)

    def __str__(self) -> str:
        return f"mirror {', '.join(self.files)}"


ImageSource = Annotated[UrlBundle | PackageBundle | MirrorBundle, Field(discriminator="kind")]


class Sized(Described):
    """Images with one of ``classes`` labels each, in two parts."""

    classes: Count
    train: Count  # images
    test: Count
    official: dict[FileName, Md5] = Field(default={})  # published checksums, by name


class ImageSet(Sized):
    """Images of one size, small enough to be one file."""

    kind: Literal["images"]
    shape: tuple[Count, Count, Count] = Field(strict=False)  # channels, height, width
    prepared: Sha256
    sources: tuple[ImageSource, ...] = Field(min_length=1, strict=False)

    @property
    def readers(self) -> tuple[str, ...]:
        """The functions that read its sources, each as ``module:function``."""
        return tuple(IMAGE_FORMATS.target(source.format) for source in self.sources)


class SceneSet(Sized):
    """Objects of another set, pasted on canvases: a stand-in, laid out as the official set is."""

    kind: Literal["scenes"]
    format: SceneFormat
    objects: Name  # the set of images that the objects are from
    names: tuple[str, ...] = Field(min_length=1, strict=False)  # of the objects' classes
    side: Count  # of a canvas
    prepared: Sha256

    @property
    def sources(self) -> tuple[ImageSource, ...]:
        """None of its own: it is made of another set."""
        return ()

    @property
    def readers(self) -> tuple[str, ...]:
        """The functions that write it and read its objects, each as ``module:function``."""
        from reactivate.experiment.catalog.catalog import dataset

        return (SCENE_FORMATS.target(self.format), *dataset(self.objects).readers)


class FolderSet(Sized):
    """Images that may not be passed on: the user names the folder that holds them."""

    kind: Literal["folder"]
    format: FolderFormat
    variable: str = Field(pattern="^REACTIVATE_[A-Z0-9_]+$")  # names the folder
    shape: tuple[Count, Count, Count] | None = Field(default=None, strict=False)

    @property
    def is_streamed(self) -> bool:
        """Whether the set is too large to be prepared, and pictures are read one by one."""
        return self.shape is None

    @property
    def readers(self) -> tuple[str, ...]:
        """The function that reads the folder, as ``module:function``."""
        return (FOLDER_FORMATS.target(self.format),)
