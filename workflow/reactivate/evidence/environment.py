"""The circumstances in which something was made: commit, Python, packages, machine, memory."""

import platform
import resource
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from reactivate.foundation.configuration import Strict
from reactivate.foundation.workplace import of_project

PACKAGES = ("torch", "numpy", "scipy", "pandas", "safetensors", "snakemake")


class Git(Strict):
    """A commit, and whether tracked files differ from it; both None outside a repository."""

    commit: str | None
    dirty: bool | None


class Machine(Strict):
    """A computer, and how many of its threads torch was given."""

    system: str
    cpu: str
    gpu: str | None
    threads: int


class Environment(Strict):
    """The facts around the code that one needs to know to run it again."""

    git: Git
    python: str
    packages: dict[str, str]
    machine: Machine
    peak_memory_mb: int


def present_environment() -> Environment:
    """The circumstances of this process, as far as it has come.

    Nobody waits for torch here who did without it: then there is no GPU to tell of.
    """
    torch = sys.modules.get("torch")
    return Environment(
        git=git_state(),
        python=platform.python_version(),
        packages={name: version(name) for name in PACKAGES},
        machine=Machine(
            system=f"{platform.system()} {platform.machine()}",
            cpu=_cpu(),
            gpu=torch.cuda.get_device_name() if torch and torch.cuda.is_available() else None,
            threads=torch.get_num_threads() if torch else 1,
        ),
        peak_memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )


def git_state() -> Git:
    """The commit of the working folder, and whether its tracked files were changed since."""
    changes = _git("status", "--porcelain", "--untracked-files=no")
    dirty = None if changes is None else bool(changes)
    return Git(commit=_git("rev-parse", "HEAD"), dirty=dirty)


def changed_paths(folder: Path) -> set[Path] | None:
    """Files of a folder that differ from the committed ones; None where nothing is committed."""
    names = _git("diff", "--name-only", "--relative", "-z", "HEAD", "--", str(folder))
    return None if names is None else {Path(name) for name in names.split("\0") if name}


@cache
def changed_since(commit: str) -> frozenset[str] | None:
    """Files of the project that are not as a commit has them; None if it is not known here."""
    names = _git("diff", "--name-only", "-z", commit, "--")
    return None if names is None else frozenset(names.split("\0"))


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=of_project("."), capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((x.split(":")[1].strip() for x in lines if x.startswith("model name")), "unknown")
