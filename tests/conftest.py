"""For all tests: one thread each, and the same examples in every run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

os.environ["OMP_NUM_THREADS"] = "1"  # small tensors, tests side by side; torch reads it once

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def copy_project():
    """``copy(folder, *datasets)``: the working tree, without results, and data if prepared."""

    def copy(folder, *datasets):
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        for name in listed.stdout.splitlines():
            if (ROOT / name).is_file() and not name.startswith(("results/", "published/")):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        for name in datasets:  # sets of images are large
            for path in (ROOT / "data/prepared").glob(f"{name}.*"):
                (folder / "data/prepared").mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, folder / "data/prepared")

    return copy
