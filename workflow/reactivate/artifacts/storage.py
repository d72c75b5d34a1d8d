"""Folders as DVC keeps them: a pointer in git, a list of files, and their contents by checksum."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from reactivate.artifacts.contents import check_harmless
from reactivate.foundation.configuration import read_yaml
from reactivate.foundation.files import digest, write_atomically

BUSY = "Unable to acquire lock"
BUSY_SECONDS = 120
LOCKS = Path(".dvc/tmp/rwlock")
SHOWN = 5  # file names in a message
MD5 = re.compile("[0-9a-f]{32}")
KEYS = ("relpath", "md5")  # of an entry in the list of a folder's files
PATH = re.compile(r"\w[\w.-]*(/\w[\w.-]*)*", re.ASCII)  # inside: the names that stages give
NOTHING = hashlib.md5(b"", usedforsecurity=False).hexdigest()  # checksum of an empty file
WRITING_SECONDS = 0.1  # longer than DVC leaves a file empty while it tries to clone one


def dvc(*arguments: str) -> str:
    """Output of a DVC command; waits for another one that is at work in this clone.

    Raises:
        ValueError: It failed, with what it said.
    """
    command = [sys.executable, "-m", "dvc", *arguments]
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout
        if BUSY not in done.stderr and _remove_broken_locks():
            continue
        if BUSY not in done.stderr or time.monotonic() > deadline:
            said = done.stderr.strip() or done.stdout.strip()
            raise ValueError(f"dvc {' '.join(arguments)} failed: {said[-2000:]}")
        time.sleep(1)


def _remove_broken_locks() -> bool:
    """Removes the file in which DVC lists who works on what, if it cannot be read.

    DVC does not write it atomically: killed meanwhile, it leaves a file with which every later
    command fails, without a word if it is told to be quiet. One that is being written can be
    read a moment later.
    """
    if not _are_locks_broken():
        return False
    time.sleep(WRITING_SECONDS)
    if not _are_locks_broken():
        return True  # by now; the command may be tried again
    LOCKS.unlink(missing_ok=True)
    return True


def _are_locks_broken() -> bool:
    try:
        json.loads(LOCKS.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except ValueError:
        return True
    return False


def pointer_path(folder: Path) -> Path:
    """The small file in git that stands for a folder.

    Example:
        >>> pointer_path(Path("results/smoke")).as_posix()
        'results/smoke.dvc'
    """
    return folder.with_name(f"{folder.name}.dvc")


def list_checksum(folder: Path) -> str:
    """Checksum of the list of a folder's files, from its pointer."""
    path = pointer_path(folder)
    content = read_yaml(path)
    outs = content.get("outs") if isinstance(content, dict) else None
    first = outs[0] if isinstance(outs, list) and len(outs) == 1 else None
    value = first.get("md5") if isinstance(first, dict) else None
    if not isinstance(value, str) or not re.fullmatch(r"[0-9a-f]{32}\.dir", value):
        raise ValueError(
            f"{path} does not point to one folder (outs: {outs!r}); "
            f"accepted: what `reactivate freeze` writes. Restore it with: git checkout {path}"
        )
    return value


def remove_half_written(store: Path) -> int:
    """Removes what a killed DVC left behind in a cache or remote; returns how many files.

    DVC makes a file under its final name before it tries to clone the content into it, so one
    that was killed in between leaves an empty file, which every later DVC takes for the content.

    Example:
        >>> remove_half_written(Path("no_such_folder"))
        0
    """
    empty = [path for path in store.glob("??/*") if not path.stat().st_size]
    suspects = [path for path in empty if path.parent.name + path.name != NOTHING]
    if suspects:
        time.sleep(WRITING_SECONDS)
    half_written = [path for path in suspects if path.exists() and not path.stat().st_size]
    for path in half_written:
        path.unlink()
    return len(half_written)


def remote_folder() -> Path | None:
    """Folder in which the remote keeps contents; None if this machine sees no such folder."""
    from dvc.repo import Repo

    with Repo(".") as repo:
        store = repo.cloud.get_remote_odb(command="push")
        return Path(store.path) if store.fs.protocol == "local" else None


class Cache:
    """DVC's cache of this clone, where fetched files arrive."""

    def __init__(self) -> None:
        self.folder = Path(dvc("cache", "dir").strip()) / "files" / "md5"
        remove_half_written(self.folder)

    def path(self, checksum: str) -> Path:
        """Path of the file with this checksum."""
        return self.folder / checksum[:2] / checksum[2:]

    def files(self, folder: Path) -> dict[str, str]:
        """MD5 of every file of a frozen folder, by its path inside.

        The list comes from the cache, else from the remote, and counts only if it is the one that
        the pointer in git names; DVC itself would follow any.

        Raises:
            ValueError: There is no such list, or a path in it leads outside.
        """
        checksum = list_checksum(folder)
        path = self.path(checksum)
        content = path.read_bytes() if path.exists() else _remote_content(checksum, folder)
        if hashlib.md5(content, usedforsecurity=False).hexdigest() + ".dir" != checksum:
            path.unlink(missing_ok=True)  # so that the next fetch asks for it again
            raise ValueError(
                f"the list of files of {folder} is not the one that {pointer_path(folder)} names "
                f"({checksum}); the remote was changed. Restore from a remote you trust"
            )
        return dict(_entries(content, folder))

    def check(self, folder: Path, files: dict[str, str], problem: str = "") -> None:
        """Checks that every file of a frozen folder is in the cache, unchanged and harmless.

        Args:
            folder: The folder.
            files: What it must hold.
            problem: What DVC said when it fetched them.
        """
        missing = [name for name, checksum in files.items() if not self.path(checksum).exists()]
        if missing:
            raise ValueError(
                f"the remote does not give {_named(folder, missing)}{problem}; push again from a "
                "clone that has it (dvc push), or run snakemake"
            )
        changed = [
            n for n, checksum in files.items() if digest(self.path(checksum), "md5") != checksum
        ]
        if changed:
            for name in changed:
                self.path(files[name]).unlink()  # so that the next fetch asks for it again
            raise ValueError(
                f"the remote has another content for {_named(folder, changed)} than was frozen; "
                "nothing was restored. Restore from a remote you trust"
            )
        for name, checksum in files.items():
            check_harmless(folder / name, self.path(checksum))

    def place(self, folder: Path, files: dict[str, str]) -> int:
        """Copies the files of a frozen folder to their places; returns how many were not there.

        Raises:
            ValueError: A file is there already with another content.
        """
        there = {name: folder / name for name in files if (folder / name).exists()}
        changed = [name for name, path in there.items() if digest(path, "md5") != files[name]]
        if changed:
            raise ValueError(
                f"{_named(folder, changed)} is not the frozen one: it was changed or damaged "
                "here. Move it away or delete it, then restore again"
            )
        for name in files.keys() - there.keys():
            path = folder / name
            if not path.resolve().is_relative_to(folder.resolve()):
                raise ValueError(f"{path} leads outside {folder} through a link; remove the link")
            with write_atomically(path) as part:
                shutil.copyfile(self.path(files[name]), part)
        return len(files) - len(there)


def _remote_content(checksum: str, folder: Path) -> bytes:
    """Content of a file of the remote; by DVC's own client, so for any kind of remote."""
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    try:
        with Repo(".") as repo:
            store = repo.cloud.get_remote_odb(command="fetch")
            with store.fs.open(store.oid_to_path(checksum), "rb") as file:
                return bytes(file.read())
    except (DvcException, OSError) as error:
        raise ValueError(
            f"the remote does not give the list of files of {folder} that {pointer_path(folder)} "
            f"names ({error}); push again from a clone that has it (dvc push), or set the remote: "
            f"dvc remote modify storage url <address>; or make {folder} here, with snakemake"
        ) from None


def _entries(content: bytes, folder: Path) -> Iterator[tuple[str, str]]:
    """Path and checksum of every file, from a list that anybody may have written."""
    try:
        listed = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _untrusted(folder, f"is no JSON ({error})") from None
    if not isinstance(listed, list):
        raise _untrusted(folder, f"is {_shown(listed)}, not a list")
    seen = set[str]()
    for entry in listed:
        if not isinstance(entry, dict) or {type(entry.get(k)) for k in KEYS} != {str}:
            raise _untrusted(folder, f"holds {_shown(entry)}, which names no file")
        name, checksum = entry["relpath"], entry["md5"]
        if not PATH.fullmatch(name) or ".." in PurePosixPath(name).parts:
            raise _untrusted(folder, f"names {name!r} ({checksum!r}), which leads outside")
        if not MD5.fullmatch(checksum):
            raise _untrusted(folder, f"names {name!r} with the checksum {checksum!r}")
        if name in seen:
            raise _untrusted(folder, f"names {name!r} twice")
        seen.add(name)
        yield name, checksum


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def _untrusted(folder: Path, said: str) -> ValueError:
    return ValueError(
        f"the list of files of {folder} {said}; accepted: relpath and md5 of each file. Nothing "
        "was restored. Restore from a remote you trust"
    )


def _named(folder: Path, names: list[str]) -> str:
    first = ", ".join(str(folder / name) for name in sorted(names)[:SHOWN])
    return f"{first} and {len(names) - SHOWN} more" if len(names) > SHOWN else first
