"""A private SLURM and a copy of the project to run on it; only `make test-slurm` asks for them."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import CannotInstall, Cluster, install

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
def project(tmp_path_factory, copy_project):
    folder = tmp_path_factory.mktemp("project")
    copy_project(folder, "power", "yacht")
    return folder
