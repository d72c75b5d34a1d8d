"""Publications are replaced whole or not at all, together with the texts that tell of them.

A new publication is made in a folder of its own, flushed to disk and then named ``ready``. From
then on it counts: what kills the process before leaves the old one, and what kills it afterwards
leaves a folder from which the next command of ``reactivate`` goes on.
"""

import ctypes
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reactivate.experiment.paths import PUBLISHED
from reactivate.foundation.files import sync, write_atomically

README, ANSWERS = Path("README.md"), Path("docs/answers.md")
TEXTS = (README, ANSWERS)  # with blocks that are made from publications
STAGING = Path(".publishing")
LOCK = Path(".publishing.lock")
NEW, READY = STAGING / "new", STAGING / "ready"
WORK = STAGING / "work"  # where a new publication is made
IDENTITY = STAGING / "identity"  # of the new folder, which tells whether it is in place
EXCHANGE = 2  # flag of renameat2(2): two names change places at once
HERE = -100  # AT_FDCWD


@contextmanager
def alone(wait: bool = False) -> Iterator[None]:
    """Lets no other process of this clone replace publications while the block runs.

    Args:
        wait: Whether to wait for another one, and not to refuse.

    Raises:
        ValueError: Another one is at work.
    """
    handle = _locked(wait)
    try:
        yield
    finally:
        LOCK.unlink(missing_ok=True)
        os.close(handle)


def _locked(wait: bool) -> int:
    """A handle of the lock file, which no other process has locked.

    The lock belongs to this process alone, not to those it forks, and ends with it.
    """
    while True:
        handle = os.open(LOCK, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except (BlockingIOError, PermissionError):
            os.close(handle)
            raise ValueError(
                "another publish is at work in this clone; let it end, then publish again"
            ) from None
        if LOCK.exists() and LOCK.stat().st_ino == os.fstat(handle).st_ino:
            return handle
        os.close(handle)  # it was removed by the one who had it


def prepare() -> tuple[Path, Path]:
    """Two empty folders: one to work in, and one for a new ``published/`` and its texts.

    What a publish that was killed has left is completed, or gone. To be called ``alone``.
    """
    _put_in_place()
    discard()
    for folder in (WORK, NEW):
        folder.mkdir(parents=True)
    return WORK.absolute(), NEW


def discard() -> None:
    """Removes everything that was prepared and is not ready."""
    shutil.rmtree(STAGING, ignore_errors=True)


def commit() -> None:
    """Replaces publications and texts by the prepared ones. To be called ``alone``."""
    for folder, _, names in os.walk(NEW):
        for name in names:
            sync(Path(folder) / name)
        sync(Path(folder))
    IDENTITY.write_text(_identity(NEW / PUBLISHED), encoding="utf-8")
    sync(IDENTITY)
    NEW.rename(READY)
    sync(STAGING)
    _put_in_place()


def finish() -> None:
    """Goes on where a process was killed that was replacing a publication, if one was."""
    if READY.is_dir():
        with alone(wait=True):
            _put_in_place()


def _put_in_place() -> None:
    """Puts in place what is ready; nothing is done where nothing is."""
    if not READY.is_dir():
        return
    if _identity(PUBLISHED) != IDENTITY.read_text(encoding="utf-8"):
        _exchange(READY / PUBLISHED, PUBLISHED)
    for text in TEXTS:
        if (READY / text).exists():
            with write_atomically(text) as part:
                shutil.copyfile(READY / text, part)
    READY.rename(STAGING / "done")
    shutil.rmtree(STAGING)


def _identity(folder: Path) -> str:
    """The number that a folder keeps when it gets another name; empty if there is none."""
    return str(folder.stat().st_ino) if folder.exists() else ""


def _exchange(new: Path, old: Path) -> None:
    """Lets two folders change places, at once where the system can."""
    if not old.exists():
        new.rename(old)
    elif not _exchanged(new, old):
        aside = STAGING / "old"
        shutil.rmtree(aside, ignore_errors=True)
        old.rename(aside)
        new.rename(old)
    sync(old.absolute().parent)


def _exchanged(new: Path, old: Path) -> bool:
    """Whether the system let two names change places at once."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):  # not of Linux
        return False
    return int(rename(HERE, os.fsencode(new), HERE, os.fsencode(old), EXCHANGE)) == 0
