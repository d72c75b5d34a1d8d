"""Verified source files of this user, by checksum: a second clone downloads nothing."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from reactivate.experiment.catalog.locations import Place
from reactivate.foundation.files import digest, sha256, write_atomically
from reactivate.foundation.room import CACHE, cannot_write
from reactivate.preparation.problems import SourceError

LOCK_SECONDS = 1800


def cache_folder() -> Path:
    """The cache: ``$REACTIVATE_CACHE``, or reactivate in ``$XDG_CACHE_HOME`` or ``~/.cache``."""
    if chosen := os.environ.get(CACHE):
        return Path(chosen).expanduser()
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "reactivate"
    return Path.home() / ".cache" / "reactivate"


def cached(source: Place) -> Path | None:
    """The verified file of ``source``, if this user has it; a damaged one is removed."""
    path = _place(source)
    if not path.is_file():
        return None
    try:
        check_file(path, source)
    except SourceError as error:
        print(f"cache: {path} is damaged and is removed: {error}", file=sys.stderr)
        path.unlink(missing_ok=True)
        return None
    return path


def keep(path: Path, source: Place) -> Path:
    """Verifies a fetched file and copies it into the cache; returns the copy."""
    check_file(path, source)
    place = _place(source)
    with write_atomically(place, CACHE) as part:
        shutil.copyfile(path, part)
    return place


def check_file(path: Path, source: Place) -> None:
    """Raises unless the bytes of a file are those of its source.

    Raises:
        SourceError: The checksums differ; both are shown.
    """
    _compare(path, "sha256", sha256(path), source.sha256)
    if source.md5 is not None:
        _compare(path, "md5", digest(path, "md5"), source.md5)


def check_archive(path: Path, expected: str | None) -> None:
    """Raises unless a package has its checksum, where that is known."""
    if expected is not None:
        _compare(path, "sha256", sha256(path), expected)


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Lets one process at a time fetch ``name``; the others then find it cached."""
    folder = cache_folder() / "locks"
    lock = folder / f"{''.join(c if c.isalnum() else '_' for c in name)}.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = FileLock(lock, timeout=LOCK_SECONDS)
        held.acquire()
    except Timeout:
        raise SourceError(f"another process has held {lock} for {LOCK_SECONDS} s") from None
    except OSError as error:
        raise cannot_write(lock, error, CACHE) from error
    try:
        yield
    finally:
        held.release()


def _place(source: Place) -> Path:
    """Path of a source's file in the cache."""
    return cache_folder() / source.sha256 / source.filename


def _compare(path: Path, algorithm: str, actual: str, expected: str) -> None:
    """Raises if the checksum of a file is not the expected one."""
    if actual != expected:
        size = path.stat().st_size
        raise SourceError(
            f"wrong checksum of {path.name} ({size} bytes): "
            f"{algorithm} {actual}, expected {expected}"
        )
