"""Files of a dataset from the first source that works, with the recorded bytes."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from reactivate.experiment.catalog.catalog import Dataset, Source
from reactivate.experiment.catalog.imagesets import ImageSet, ImageSource
from reactivate.experiment.catalog.locations import MirrorFile, PackageFile, Place, UrlFile
from reactivate.preparation.archives import extract
from reactivate.preparation.cache import cached, check_archive, check_file, keep, locked
from reactivate.preparation.clients import download, download_url
from reactivate.preparation.problems import SourceError

RAW = Path("data/raw")
S = TypeVar("S", Source, ImageSource)
F = TypeVar("F")


@dataclass(frozen=True)
class Fetched:
    """A verified file and the source it is from."""

    path: Path
    source: Source


@dataclass(frozen=True)
class FetchedFiles:
    """Verified files by name, and the source they are from."""

    paths: dict[str, Path]
    source: ImageSource


def fetch(
    name: str, dataset: Dataset, together: tuple[Place, ...] = (), raw: Path = RAW
) -> Fetched:
    """The verified file of a table, from the cache or else from the first source that works.

    A source that fails is reported on stderr and the next one is tried.

    Args:
        name: Name of the dataset, for messages.
        dataset: Catalog entry of the dataset.
        together: Files of other datasets, to be kept if they turn up in the same package.
        raw: The folder of files supplied by hand.

    Raises:
        ValueError: Every source failed; the message says why, and how to supply the file by hand.
    """
    for source in dataset.sources:
        if path := cached(source):
            return Fetched(path, source)
    by_hand = [source for source in dataset.sources if isinstance(source, MirrorFile)]

    def get(source: Source) -> Fetched:
        return Fetched(_get(source, together, raw), source)

    return _first(name, dataset.sources, get, by_hand, raw)


def fetch_files(name: str, images: ImageSet, raw: Path = RAW) -> FetchedFiles:
    """Verified files of a set of images, from the first source that gives all of them."""
    for source in images.sources:
        kept = {key: cached(place) for key, place in source.places().items()}
        if all(kept.values()):
            return FetchedFiles({key: path for key, path in kept.items() if path}, source)
    places = [place for source in images.sources for place in source.places().values()]
    by_hand = [place for place in places if isinstance(place, MirrorFile)]

    def get(source: ImageSource) -> FetchedFiles:
        files = source.places()
        together = tuple(files.values())
        paths = {key: cached(place) or _get(place, together, raw) for key, place in files.items()}
        return FetchedFiles(paths, source)

    return _first(name, images.sources, get, by_hand, raw)


def _first(
    name: str,
    sources: Sequence[S],
    get: Callable[[S], F],
    by_hand: Iterable[MirrorFile],
    raw: Path,
) -> F:
    """The files of the first source that does not fail."""
    attempts = []
    for source in sources:
        try:
            return get(source)
        except SourceError as error:
            attempts.append(f"  {source}\n    {error}")
            print(f"{name}: {source}: {error}", file=sys.stderr)
    raise ValueError(_all_failed(name, by_hand, attempts, raw))


def _get(source: Place, together: tuple[Place, ...], raw: Path) -> Path:
    """The verified file of one source, in the cache."""
    if isinstance(source, MirrorFile):
        return keep(_by_hand(source, raw), source)
    with locked(f"{source.kind}-{_subject(source)}"):
        if path := cached(source):  # another process fetched it while we waited
            return path
        with TemporaryDirectory() as temporary:
            folder = Path(temporary)
            if isinstance(source, UrlFile):
                download_url(source, folder / source.filename)
                return keep(folder / source.filename, source)
            if source.kind == "python":
                return keep(_installed(source), source)
            return _unpack(source, together, folder)


def _subject(source: UrlFile | PackageFile) -> str:
    """Name of what is downloaded, for the lock that other processes wait for."""
    return source.url if isinstance(source, UrlFile) else f"{source.package}-{source.version}"


def _unpack(source: PackageFile, together: tuple[Place, ...], folder: Path) -> Path:
    """Keeps the member wanted now, and those that are wanted next from the same package."""
    packed, unpacked = folder / "packed", folder / "unpacked"
    packed.mkdir()
    unpacked.mkdir()
    archive = download(source, packed)
    check_archive(archive, source.archive)
    for other in together:
        if isinstance(other, PackageFile) and other != source and _same_package(other, source):
            with suppress(SourceError):  # reported when it is wanted itself
                extract(archive, other.member, unpacked / other.filename)
                keep(unpacked / other.filename, other)
    extract(archive, source.member, unpacked / source.filename)
    return keep(unpacked / source.filename, source)


def _same_package(one: PackageFile, other: PackageFile) -> bool:
    """Whether two files are in one package."""
    return (one.kind, one.package, one.version) == (other.kind, other.package, other.version)


def _installed(source: PackageFile) -> Path:
    """Path of a file in an installed Python package, which is not imported."""
    spec = find_spec(source.package)  # a top-level package is found, not imported
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (path := Path(folder, source.member)).is_file():
            return path
    raise SourceError(f"no installed package {source.package} with {source.member}")


def _by_hand(source: MirrorFile, raw: Path) -> Path:
    """Path of a file that the user supplied, or that a mirror has."""
    mirror = os.environ.get("REACTIVATE_MIRROR")
    reasons = [] if mirror else ["REACTIVATE_MIRROR is not set"]
    for folder in [raw, Path(mirror)] if mirror else [raw]:
        path = folder / source.file
        try:
            if path.is_file():
                check_file(path, source)
                return path
            reasons.append(f"{path} does not exist")
        except SourceError as error:
            reasons.append(f"{folder}: {error}")
    raise SourceError("; ".join(reasons))


def _all_failed(name: str, by_hand: Iterable[MirrorFile], attempts: list[str], raw: Path) -> str:
    """Message that no source works, with every reason and how to supply the file by hand."""
    lines = [f"no source of dataset {name!r} works; tried:", *attempts]
    for source in by_hand:
        lines.append(
            f"To supply it by hand, put {source.file} (sha256 {source.sha256}) into {raw}/ "
            "or into the folder named by REACTIVATE_MIRROR, and run again"
        )
    return "\n".join(lines)
