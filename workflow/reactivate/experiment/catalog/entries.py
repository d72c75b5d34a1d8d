"""Entries of a catalog: those that several papers share, and those that belong to one."""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from reactivate.experiment.cell import checked_name
from reactivate.foundation.configuration import read_yaml
from reactivate.foundation.registry import unknown_name
from reactivate.foundation.workplace import of_project

Written = dict[str, tuple[Any, Path]]  # an entry as written, and its file


def own_files(path: Path) -> list[Path]:
    """Files of the same name that papers have in their own folders."""
    return [Path(file) for file, _ in _dated(_of_papers(path))]


def forget() -> None:
    """Reads every file anew from now on; two may be written within one tick of the clock."""
    _joined.cache_clear()


def written_entry(kind: str, name: str, path: Path) -> tuple[Any, Path]:
    """One entry as it is written, and the file it is written in.

    A file of a paper that cannot be read is of no concern to whoever asks for another's entry.

    Raises:
        ValueError: No file has such an entry.
    """
    entries, mistakes = _read(path)
    if name not in entries:
        if mistakes:
            raise ValueError(mistakes[0])
        raise unknown_name(kind, name, list(entries), str(path))
    return entries[name]


def written_entries(path: Path) -> Written:
    """All entries as they are written, the shared ones first."""
    return _read(path)[0]


def _read(path: Path) -> tuple[Written, tuple[str, ...]]:
    path = of_project(path)
    return _joined(path, _dated([str(path)]), _dated(_of_papers(path)))


Dated = tuple[tuple[str, int], ...]  # files that exist, each with the time of its last change


# asked for every cell of every paper, for which a glob takes too long
def _of_papers(path: Path) -> list[str]:
    """Places for files of the same name in the folders of papers."""
    try:
        with os.scandir(path.parent / "papers") as folders:
            return sorted(f"{folder.path}/{path.name}" for folder in folders)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _dated(files: list[str]) -> Dated:
    dated = []
    for file in files:
        with suppress(FileNotFoundError, NotADirectoryError):
            dated.append((file, os.stat(file).st_mtime_ns))  # noqa: PTH116 half of Path.stat's time
    return tuple(dated)


@lru_cache(maxsize=8)
def _joined(path: Path, shared: Dated, own: Dated) -> tuple[Written, tuple[str, ...]]:
    entries: Written = {}
    mistakes = []
    if shared or not own:
        entries |= {name: (entry, path) for name, entry in _named(path)}
    for file in [Path(name) for name, _ in own]:
        try:
            own_entries = dict(_named(file))
        except ValueError as error:
            mistakes.append(str(error))
            continue
        for name in own_entries.keys() & entries.keys():
            raise ValueError(
                f"{file}: {name} is written in {entries[name][1]} too; keep one of them"
            )
        entries |= {name: (entry, file) for name, entry in own_entries.items()}
    return entries, tuple(mistakes)


def _named(path: Path) -> Iterator[tuple[str, Any]]:
    for name, entry in read_yaml(path).items():
        yield checked_name(str(name), path), entry
