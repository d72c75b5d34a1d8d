"""Packages from the ordinary package clients: downloaded, never installed or run."""

import http.client
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

from reactivate.experiment.catalog.locations import PackageFile, UrlFile
from reactivate.preparation.problems import SourceError

SECONDS = 900  # for one package
CONNECT_SECONDS = 20
CLIENTS = {"npm": ["npm"], "pip": [sys.executable, "-m", "pip"], "apt": ["apt-get"]}

# pip asks a source package for its metadata, which would run its setup.py. It finds this in place
# of setuptools and gets the answer from here; and it asks only after checking the archive's hash.
BACKEND = """
import sys
from pathlib import Path

def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = Path(folder, "{name}-{version}.dist-info")
    info.mkdir()
    lines = ["Metadata-Version: 2.1", "Name: {name}", "Version: {version}", ""]
    info.joinpath("METADATA").write_text("\\n".join(lines))
    return info.name

__legacy__ = sys.modules[__name__]
"""


def download(source: PackageFile, folder: Path) -> Path:
    """Path of the package of a source, after it was downloaded into an empty folder.

    Raises:
        SourceError: The client is missing, fails, takes too long or leaves no package.
    """
    command, variables = _command(source, folder)
    _run(command, folder, variables)
    files = [path for path in folder.iterdir() if path.is_file()]
    if len(files) != 1:
        names = ", ".join(path.name for path in files) or "no file"
        raise SourceError(f"{source.kind} left {names}, not one package")
    return files[0]


def _command(source: PackageFile, folder: Path) -> tuple[list[str], dict[str, str]]:
    """The command that downloads a package, and the environment variables it needs."""
    pip = [*CLIENTS["pip"], "download", "--no-deps", "--no-input", "--disable-pip-version-check"]
    pip += ["--quiet", "--retries", "1", "--timeout", str(CONNECT_SECONDS), "--dest", str(folder)]
    pinned = f"{source.package}=={source.version}"
    if source.kind == "npm":
        options = ["--ignore-scripts", "--loglevel=error", "--fetch-retries=1"]
        return [*CLIENTS["npm"], "pack", *options, f"{source.package}@{source.version}"], {}
    if source.kind == "pip":
        return [*pip, "--only-binary", ":all:", pinned], {}
    if source.kind == "pip_sdist":
        backend = _backend(source, folder)
        options = ["--no-binary", ":all:", "--no-build-isolation", "--use-pep517"]
        options += ["--require-hashes", "--requirement", str(backend / "requirements.txt")]
        return [*pip, *options], {"PYTHONPATH": str(backend)}
    return [*CLIENTS["apt"], "download", f"{source.package}={source.version}"], {}


def _backend(source: PackageFile, folder: Path) -> Path:
    """A folder with a build backend that runs nothing, and the pinned requirement."""
    backend = folder / "backend" / "setuptools"
    backend.mkdir(parents=True)
    backend.joinpath("__init__.py").touch()
    text = BACKEND.format(name=source.package.replace("-", "_"), version=source.version)
    backend.joinpath("build_meta.py").write_text(text, encoding="utf-8")
    pinned = f"{source.package}=={source.version} --hash=sha256:{source.archive}\n"
    backend.parent.joinpath("requirements.txt").write_text(pinned, encoding="utf-8")
    return backend.parent


def _run(command: list[str], folder: Path, variables: dict[str, str]) -> None:
    """Runs a client in a folder; a failure is a :class:`SourceError`."""
    name = "pip" if "--dest" in command else Path(command[0]).name
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise SourceError(f"{name} is not installed") from None
    except subprocess.TimeoutExpired:
        raise SourceError(f"{name} took more than {SECONDS} s") from None
    if done.returncode:
        raise SourceError(f"{name} failed (exit code {done.returncode}): {_said(done.stderr)}")


def _said(stderr: str) -> str:
    """The first lines of a client's complaint that are about an error or a checksum."""
    lines = [" ".join(line.split()) for line in stderr.splitlines() if line.strip()]
    told = re.compile("error|^expected sha256|^got ", re.IGNORECASE)
    errors = [line for line in lines if told.search(line) and "complete log" not in line]
    return "; ".join(line[:200] for line in (errors or lines or ["it said nothing"])[:3])


def download_url(source: UrlFile, out: Path) -> None:
    """Downloads an official file to ``out``; a connection cut short is a :class:`SourceError`."""
    try:
        with urllib.request.urlopen(source.url, timeout=CONNECT_SECONDS) as answer:
            expected = answer.headers.get("Content-Length")
            with out.open("wb") as file:
                while chunk := answer.read(1 << 20):
                    file.write(chunk)
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise SourceError(f"download failed: {reason}") from error
    if expected is not None and out.stat().st_size != int(expected):
        raise SourceError(f"download cut short: {out.stat().st_size} of {expected} bytes")
