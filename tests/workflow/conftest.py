"""Clones of a small version of the project, one of which has computed and frozen an exhibit."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock
from small_projects import keep_two_cells

COMMAND = "from reactivate.cli import main; main()"
TABLE = "results/smoke/gmp/table3.csv"


@dataclass(frozen=True)
class Clone:
    """A clone of the project, with DVC's remote in a folder beside it."""

    folder: Path

    @property
    def environment(self):
        names = {
            f"GIT_{who}_{what}": "test@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        return os.environ | names | {"PYTHONPATH": "workflow", "PYTHONUNBUFFERED": "1"}

    def run(self, *command):
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def start(self, *arguments):
        """Starts ``reactivate`` in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-c", COMMAND, *arguments],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def reactivate(self, *arguments):
        return self.run(sys.executable, "-c", COMMAND, *arguments)

    def snakemake(self, *arguments):
        return self.run(sys.executable, "-m", "snakemake", *arguments)

    def git(self, *arguments):
        done = self.run("git", *arguments)
        assert done.returncode == 0, done.stdout
        return done.stdout


def built_once(tmp_path_factory, name, build):
    """A clone that the first of the test processes builds, and the others wait for."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    clone = Clone(base / name / "a")
    with FileLock(base / f"{name}.lock"):
        if not (base / name / "whole").exists():
            build(clone)
            (base / name / "whole").touch()
    return clone


@pytest.fixture(scope="session")
def whole_project(copy_project):
    """``whole_project(folder)``: a clone of all of the project, without data and results."""

    def make(folder):
        copy_project(folder)
        return Clone(folder)

    return make


@pytest.fixture(scope="session")
def small_project(copy_project):
    """``small_project(folder)``: a clone whose smoke scale is two cells, not yet computed."""

    def make(folder):
        copy_project(folder, "yacht")
        keep_two_cells(folder)
        return Clone(folder)

    return make


@pytest.fixture(scope="session")
def computed(tmp_path_factory, copy_project):
    """A clone that has computed a table and has not frozen it; tests work on copies."""

    def build(clone):
        copy_project(clone.folder, "yacht")
        keep_two_cells(clone.folder)
        clone.git("init", "--quiet")
        clone.git("add", "--all")
        clone.git("commit", "--quiet", "-m", "start")
        done = clone.snakemake(TABLE)
        assert done.returncode == 0, done.stdout

    return built_once(tmp_path_factory, "computed", build)


@pytest.fixture
def unfrozen(tmp_path, computed):
    """A copy of the clone that has computed a table, to freeze."""
    shutil.copytree(computed.folder, tmp_path / "a", symlinks=True)
    return Clone(tmp_path / "a")


@pytest.fixture(scope="session")
def frozen(tmp_path_factory, computed):
    """A clone that has computed and frozen a table."""

    def build(clone):
        shutil.copytree(computed.folder, clone.folder, symlinks=True)
        done = clone.reactivate("freeze")
        assert done.returncode == 0, done.stdout

    return built_once(tmp_path_factory, "frozen", build)


@pytest.fixture
def fresh(tmp_path, frozen):
    """A fresh clone of the frozen one, with a remote of its own beside it."""
    shutil.copytree(frozen.folder.parent / "reactivate-dvc", tmp_path / "reactivate-dvc")
    frozen.git("clone", "--quiet", ".", str(tmp_path / "b"))
    return Clone(tmp_path / "b")
