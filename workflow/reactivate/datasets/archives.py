"""Take one named file out of a package without unpacking the rest."""

import shutil
import subprocess
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from reactivate.datasets.problems import SourceError

DEB_SECONDS = 300


def extract(archive: Path, member: str, out: Path) -> None:
    """Copies the regular file ``member`` of a wheel, tarball or Debian package to ``out``.

    Only that file is written, and only to ``out``: names inside the archive never become paths,
    so ``..``, absolute names and links lead nowhere.

    Raises:
        SourceError: No such member, not a regular file, or the archive is damaged.
    """
    if PurePosixPath(member).is_absolute() or ".." in PurePosixPath(member).parts:
        raise SourceError(f"the member {member!r} points outside the package")
    try:
        if archive.suffix in (".whl", ".zip"):
            _from_zip(archive, member, out)
        elif archive.suffix == ".deb":
            _from_deb(archive, member, out)
        else:
            _from_tar(archive, member, out)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise SourceError(f"cannot unpack {archive.name}: {error}") from error


def _from_zip(archive: Path, member: str, out: Path) -> None:
    with zipfile.ZipFile(archive) as package:
        if member not in package.namelist():
            raise _missing(archive, member)
        is_link = package.getinfo(member).external_attr >> 16 & 0o170000 == 0o120000
        if member.endswith("/") or is_link:
            raise SourceError(f"{member} in {archive.name} is not a regular file")
        with package.open(member) as inside, out.open("wb") as file:
            shutil.copyfileobj(inside, file)


def _from_tar(archive: Path, member: str, out: Path) -> None:
    with tarfile.open(archive) as package:
        _copy(package, archive, member, out)


def _from_deb(archive: Path, member: str, out: Path) -> None:
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
    for info in package:
        if info.name.removeprefix("./") != member:
            continue
        inside = package.extractfile(info) if info.isreg() else None
        if inside is None:
            raise SourceError(f"{member} in {archive.name} is not a regular file")
        with inside, out.open("wb") as file:
            shutil.copyfileobj(inside, file)
        return
    raise _missing(archive, member)


def _missing(archive: Path, member: str) -> SourceError:
    return SourceError(f"{archive.name} holds no {member}")
