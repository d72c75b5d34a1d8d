"""Files taken out of a package, named ones or all, without unpacking it to disk."""

import lzma
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from reactivate.preparation.problems import SourceError

DEB_SECONDS = 300
MOST_BYTES = 1 << 30  # of one file of a package, unpacked
MOST_MEMBERS = 200_000  # of a tarball that is read whole
DAMAGED = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError)


def extract(archive: Path, member: str, out: Path) -> None:
    """Copies the regular file ``member`` of a wheel, tarball or Debian package to ``out``.

    Only that file is written, and only to ``out``: names inside the archive never become paths,
    so ``..``, absolute names and links lead nowhere.

    Raises:
        SourceError: There is no such member, it is not a regular file, or the archive is damaged.
    """
    if _is_outside(member):
        raise SourceError(f"the member {member!r} points outside the package")
    try:
        if archive.suffix in (".whl", ".zip"):
            _from_zip(archive, member, out)
        elif archive.suffix == ".deb":
            _from_deb(archive, member, out)
        else:
            _from_tar(archive, member, out)
    except DAMAGED as error:
        raise SourceError(f"cannot unpack {archive.name}: {error}") from error


def read_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of every regular file of a tarball, in its order; nothing is written.

    Raises:
        SourceError: The archive is damaged, or holds a link, a device, or a path outside itself.
    """
    try:
        with tarfile.open(archive) as package:
            for number, info in enumerate(package):
                if number >= MOST_MEMBERS or info.size > MOST_BYTES:
                    raise SourceError(
                        f"{archive.name} unpacks to more than {MOST_MEMBERS} files or one of more "
                        f"than {MOST_BYTES} bytes ({info.name}); nothing more of it is used"
                    )
                if _is_outside(info.name):
                    raise SourceError(
                        f"{archive.name} holds the path {info.name!r}, which points outside its "
                        "folder; nothing of it is used. Supply the official file"
                    )
                inside = package.extractfile(info) if info.isreg() else None
                if inside is not None:
                    yield info.name.removeprefix("./"), inside.read()
                elif not info.isdir():
                    raise SourceError(f"{info.name} in {archive.name} is not a regular file")
    except DAMAGED as error:
        raise SourceError(
            f"cannot unpack {archive.name}: {error}; supply the whole official file"
        ) from error


def _is_outside(name: str) -> bool:
    """Whether a name in an archive points outside of it."""
    return PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts


def _from_zip(archive: Path, member: str, out: Path) -> None:
    """Copies a member of a wheel or another zip archive."""
    with zipfile.ZipFile(archive) as package:
        if member not in package.namelist():
            raise _missing(archive, member)
        is_link = package.getinfo(member).external_attr >> 16 & 0o170000 == 0o120000
        if member.endswith("/") or is_link:
            raise SourceError(f"{member} in {archive.name} is not a regular file")
        with package.open(member) as inside, out.open("wb") as file:
            _copy_bounded(inside, file, f"{member} in {archive.name}")


def _from_tar(archive: Path, member: str, out: Path) -> None:
    """Copies a member of a tarball."""
    with tarfile.open(archive) as package:
        _copy(package, archive, member, out)


def _from_deb(archive: Path, member: str, out: Path) -> None:
    """Copies a member of a Debian package."""
    tarball = out.with_name(f"{out.name}.tar")
    with tarball.open("wb") as file:
        command = ["dpkg-deb", "--fsys-tarfile", str(archive)]
        done = subprocess.run(
            command, stdout=file, stderr=subprocess.PIPE, timeout=DEB_SECONDS, check=False
        )
    if done.returncode:
        raise SourceError(f"dpkg-deb cannot read {archive.name}: {done.stderr.decode().strip()}")
    with tarfile.open(tarball) as package:
        _copy(package, archive, member, out)
    tarball.unlink()


def _copy(package: tarfile.TarFile, archive: Path, member: str, out: Path) -> None:
    """Copies a member of an open tarball."""
    for info in package:
        if info.name.removeprefix("./") != member:
            continue
        inside = package.extractfile(info) if info.isreg() else None
        if inside is None:
            raise SourceError(f"{member} in {archive.name} is not a regular file")
        with inside, out.open("wb") as file:
            _copy_bounded(inside, file, f"{member} in {archive.name}")
        return
    raise _missing(archive, member)


def _copy_bounded(inside: IO[bytes], file: IO[bytes], what: str) -> None:
    """Copies a file out of a package, but never more than a file of a dataset can have."""
    left = MOST_BYTES
    while chunk := inside.read(min(1 << 20, left + 1)):
        left -= len(chunk)
        if left < 0:
            raise SourceError(f"{what} is larger than {MOST_BYTES} bytes; nothing of it is used")
        file.write(chunk)


def _missing(archive: Path, member: str) -> SourceError:
    """The error for a member that an archive does not hold."""
    return SourceError(f"{archive.name} holds no {member}")
