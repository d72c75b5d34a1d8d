"""Files written whole or not at all, and checksums that tell whether they are still the same."""

import csv
import errno
import glob
import hashlib
import json
import math
import os
import platform
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from reactivate.foundation.room import cannot_write, os_error, written_file

CHUNK = 1 << 20
MOST_RECALLED = 500  # outcomes that are kept beside one module
_MACHINE = platform.node().replace("/", "_")[:32]


@contextmanager
def write_atomically(path: Path, setting: str | None = None) -> Iterator[Path]:
    """Yields a temporary path beside ``path`` that becomes ``path`` when the block ends well.

    The file is flushed to disk before the rename and its folder after it, so a reader sees the
    old file, the whole new one or none. When the block fails nothing is left; a killed process
    leaves at most a hidden ``.part`` file, which nobody reads and the next writer removes.

    Args:
        path: The file to write; missing folders are made.
        setting: The option or variable that chooses another place, for the error message; by
            default it is told from the path.

    Raises:
        OSError: The folder cannot be written to, or the disk is full.
    """
    part = path.with_name(f".{path.name}.{_MACHINE}-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path)
        part.touch(exist_ok=False)
    except OSError as error:
        raise cannot_write(path, error, setting) from error
    try:
        yield part
        sync(part)
        part.replace(path)
        sync(path.parent)
    except Exception as error:
        told = os_error(error)
        if told is None or told.errno is None or written_file(told) not in (None, str(part)):
            raise  # about something else, or another file, which the block was reading
        raise cannot_write(path, told, setting) from error
    finally:
        part.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that cannot
            raise
    finally:
        os.close(handle)


def _remove_leftovers(path: Path) -> None:
    """Removes parts of a file that processes of this machine left which are no more."""
    for part in path.parent.glob(f".{glob.escape(path.name)}.{glob.escape(_MACHINE)}-*.part"):
        writer = part.name.removesuffix(".part").split("-")[-2]
        if writer.isdigit() and not Path(f"/proc/{writer}").exists() and Path("/proc/1").exists():
            part.unlink(missing_ok=True)


def write_json(path: Path, value: object) -> None:
    """Writes a value as JSON for people and for diff: indented, in the order given."""
    with write_atomically(path) as part:
        text = json.dumps(strict_json(value), indent=2, ensure_ascii=False, allow_nan=False)
        part.write_text(text + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """The object that a JSON file holds.

    Raises:
        ValueError: The file holds no JSON object.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds {type(content).__name__}; accepted: a JSON object")
    return content


def strict_json(value: Any) -> Any:
    """The value with ``nan`` and ``inf`` as texts, which JSON has no numbers for.

    Example:
        >>> strict_json({"values": [1.5, float("inf")]})
        {'values': [1.5, 'inf']}
    """
    if isinstance(value, dict):
        return {key: strict_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [strict_json(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def write_rows(
    path: Path, rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None = None
) -> None:
    """Writes a table; its columns are those of the first row unless they are given."""
    with write_atomically(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns or list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal; the file is read in pieces."""
    return digest(path, "sha256")


def digest(path: Path, algorithm: str) -> str:
    """The checksum of a file by the named algorithm of :mod:`hashlib`, in hexadecimal."""
    summed = hashlib.new(algorithm, usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            summed.update(chunk)
    return summed.hexdigest()


def checksum_path(path: Path) -> Path:
    """Path of the file that keeps the checksum of ``path``, beside it.

    Example:
        >>> checksum_path(Path("boston.safetensors")).name
        'boston.safetensors.sha256'
    """
    return path.with_name(f"{path.name}.sha256")


def write_checksum(path: Path) -> str:
    """Writes the checksum sibling of ``path``, as ``sha256sum`` would, and returns it."""
    value = sha256(path)
    with write_atomically(checksum_path(path)) as part:
        part.write_text(f"{value}  {path.name}\n", encoding="utf-8")
    return value


@contextmanager
def write_with_checksum(path: Path, setting: str | None = None) -> Iterator[Path]:
    """Yields a path as :func:`write_atomically` does, and writes the checksum sibling too.

    The old sibling is removed first: a process killed between the two renames leaves a file that
    :func:`verify_checksum` rejects, never a new file with the checksum of the old one.
    """
    with write_atomically(path, setting) as part:
        yield part
        checksum_path(path).unlink(missing_ok=True)
    write_checksum(path)


def recorded_checksum(path: Path) -> str:
    """The checksum that the sibling of ``path`` records."""
    sibling = checksum_path(path)
    if not sibling.exists():
        raise ValueError(
            f"{path} has no checksum file {sibling.name} beside it; "
            "delete it and make it again with snakemake"
        )
    words = sibling.read_text(encoding="utf-8").split()
    if len(words) != 2 or len(words[0]) != 64 or words[1] != path.name:
        raise ValueError(
            f"{sibling} holds {' '.join(words)!r}; accepted: '<sha256>  {path.name}'. "
            "Delete it and make it again with snakemake"
        )
    return words[0]


def verify_checksum(path: Path) -> str:
    """Returns the checksum of ``path`` if it is the one its sibling records.

    Raises:
        ValueError: The file is missing or differs, or there is no sibling.
    """
    if not path.exists():
        raise ValueError(f"{path} does not exist; make it with: snakemake {path}")
    expected, actual = recorded_checksum(path), sha256(path)
    if actual != expected:
        raise ValueError(
            f"{path} has sha256 {actual}, but {checksum_path(path).name} says {expected}; "
            "it was changed or damaged: delete both and make it again with snakemake"
        )
    return actual


def remembered(path: Path, maker: str, compute: Callable[[str], list[Any]]) -> list[Any]:
    """The outcome of a function of a file's text, from the last time if nothing changed since.

    It is kept where Python keeps compiled code, in ``__pycache__`` beside the file, if that can be
    written. It counts only for the same bytes of the file, the same bytes of the module that
    computes, and the same Python.

    Args:
        path: The file.
        maker: The module that computes, by its ``__file__``.
        compute: Makes what JSON can keep of a text.
    """
    content = path.read_bytes()
    key = hashlib.sha256(_maker(maker) + content).hexdigest()
    kept = path.parent / "__pycache__" / f"{path.stem}.{Path(maker).stem}.json"
    return _recalled(kept, key, lambda: compute(content.decode()))


def recalled(content: bytes, maker: str, compute: Callable[[], list[Any]]) -> list[Any]:
    """The outcome of a function of some bytes, from the last time anybody asked for it.

    It is kept as :func:`remembered` keeps it, but beside the module that computes, wherever the
    bytes came from; what was made longest ago goes when there is too much of it.

    Args:
        content: All that the outcome depends on but the module.
        maker: The module that computes, by its ``__file__``.
        compute: Makes what JSON can keep.
    """
    key = hashlib.sha256(_maker(maker) + content).hexdigest()
    folder, ending = Path(maker).parent / "__pycache__", f"{Path(maker).stem}.json"
    kept = folder / f"{key}.{ending}"
    if kept.exists():
        return _recalled(kept, key, compute)
    made = _recalled(kept, key, compute)
    with suppress(OSError):  # another process may have removed one of them
        by_age = sorted(folder.glob(f"*.{ending}"), key=lambda path: path.stat().st_mtime_ns)
        for path in by_age[:-MOST_RECALLED]:
            path.unlink(missing_ok=True)
    return made


def _recalled(kept: Path, key: str, compute: Callable[[], list[Any]]) -> list[Any]:
    with suppress(OSError, ValueError):
        found = json.loads(kept.read_bytes())
        if isinstance(found, list) and found[:1] == [key]:
            return found[1:]
    made = compute()
    part = kept.with_name(f".{kept.name}.{secrets.token_hex(4)}.part")
    with suppress(OSError):  # no flush to the disk: a torn one is no JSON, and made again
        kept.parent.mkdir(exist_ok=True)
        part.write_text(json.dumps([key, *made]), encoding="utf-8")
        part.replace(kept)
    return made


@cache
def _maker(path: str) -> bytes:
    return hashlib.sha256(sys.version.encode() + Path(path).read_bytes()).digest()
