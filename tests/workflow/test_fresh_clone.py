"""In a fresh clone DVC has nothing to fetch, and shows what was published."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
POINTER = "outs:\n- md5: d3ce75a29d53d2d21f72be90c74a3dc7.dir\n  hash: md5\n  path: laptop\n"


@pytest.fixture(scope="module")
def clone(copy_project, tmp_path_factory):
    """``clone(*words)``: a command of Python's in a clone that has run nothing."""
    folder = tmp_path_factory.mktemp("fresh") / "clone"
    copy_project(folder)
    shutil.copytree(ROOT / "published", folder / "published")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init"], ["add", "--all"], [*who, "commit", "-m", "start"]):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)

    def run(*words):
        return subprocess.run(
            [sys.executable, "-m", *words],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": "workflow"},
            capture_output=True,
            text=True,
            check=False,
        )

    run.folder = folder
    return run


def test_no_pointer_in_git_waits_for_a_remote():
    done = subprocess.run(
        ["git", "ls-files", "*.dvc"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["status"], "no data or pipelines tracked"),
        (["pull"], "Everything is up to date."),
        (["repro"], "up to date"),
        (["metrics", "show"], "published/paper/audit.verdicts.json"),
        (["plots", "show"], "dvc_plots/index.html"),
    ],
)
def test_dvc_has_nothing_to_complain_of(clone, words, told):
    done = clone("dvc", *words)
    assert done.returncode == 0
    assert told in done.stdout + done.stderr
    assert "ERROR" not in done.stderr


def test_the_plots_hold_the_published_numbers(clone):
    assert clone("dvc", "plots", "show").returncode == 0
    page = (clone.folder / "dvc_plots/index.html").read_text(encoding="utf-8")
    lines = (ROOT / "published/laptop/audit.agreement.csv").read_text("utf-8").splitlines()
    tau = lines[1].split(",")[5]
    assert tau in page


def test_restore_says_what_to_do_where_nothing_was_frozen(clone):
    done = clone("reactivate.cli", "restore")
    assert done.returncode == 1
    assert "nothing was frozen under that name; pull the commit that has it" in done.stderr
    assert "What is published needs no restore: reactivate show" in done.stderr


def test_restore_says_what_to_do_where_there_is_no_remote(clone):
    pointer = clone.folder / "results/laptop.dvc"
    pointer.parent.mkdir(exist_ok=True)
    pointer.write_text(POINTER, encoding="utf-8")
    try:
        done = clone("reactivate.cli", "restore")
    finally:
        pointer.unlink()
    assert done.returncode == 1
    assert "dvc remote modify storage url <address>" in done.stderr
    assert "or make results/laptop here, with snakemake" in done.stderr
    assert len(done.stderr.splitlines()) == 1
