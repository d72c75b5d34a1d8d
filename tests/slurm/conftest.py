"""A private SLURM and a copy of the project to run on it; only `make test-slurm` asks for them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import CannotInstall, Cluster, install

ROOT = Path(__file__).parents[2]
# They install packages and start daemons, so a plain `pytest` passes them over.
collect_ignore_glob = [] if "REACTIVATE_SLURM" in os.environ else ["test_*.py"]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    try:
        install()
    except CannotInstall as reason:
        if os.environ.get("CI"):
            pytest.fail(f"SLURM must be tested in CI, but it cannot be installed: {reason}")
        pytest.skip(f"SLURM NOT TESTED, it cannot be installed here: {reason}")
    cluster = Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
    assert cluster.running() == []


@pytest.fixture(scope="session")
def project(tmp_path_factory):
    """The working tree without results: what git tracks or would track, and prepared data."""
    folder = tmp_path_factory.mktemp("project")
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    if (ROOT / "data/prepared").exists():
        shutil.copytree(ROOT / "data/prepared", folder / "data/prepared")
    return folder
