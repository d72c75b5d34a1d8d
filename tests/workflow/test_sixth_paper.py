"""A sixth paper touches only what carries its key, and makes nothing of the others stale."""

import csv
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
KEY = "sixth"
OWN = (f"config/papers/{KEY}/", f"workflow/reactivate/documents/{KEY}/", "data/raw/houses.csv")
COMMANDS = [
    ("paper", KEY),
    ("exhibit", f"{KEY}/table1"),
    ("exhibit", f"{KEY}/figure1"),
    ("activation", f"{KEY}/swoosh"),
    ("dataset", f"{KEY}/houses", "data/raw/houses.csv"),
]


def write_table(path):
    """Numbers whose last column is the product of the first two."""
    numbers = random.Random(0)
    rows = [[numbers.gauss(0, 1) for _ in range(3)] for _ in range(60)]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow("abcy")
        writer.writerows([*(f"{x:.5f}" for x in row), f"{row[0] * row[1]:.5f}"] for row in rows)


def run(folder, *command):
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "workflow")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


# In a process of its own, because the clone has code of its own: digests of published records.
DIGESTS = """
import json, pathlib, sys
from reactivate.auditing.currency import targets_of
from reactivate.evidence.records import read_record
from reactivate.foundation.digests import code_digest
digests = {}
for path in sorted(pathlib.Path(sys.argv[1]).rglob("run.json"))[::5]:
    try:
        digests[str(path)] = code_digest(*targets_of(read_record(path)))
    except ValueError:  # of a cell that the configuration no longer has
        digests[str(path)] = None
print(json.dumps(digests))
"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory, copy_project):
    """A clone of the project to which the paper was added; digests before and after."""
    folder = tmp_path_factory.mktemp("sixth") / "clone"
    copy_project(folder)
    for command in (
        ("init", "-q"),
        ("add", "-A"),
        ("-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", "all"),
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    before = json.loads(run(folder, "-c", DIGESTS, ROOT / "published"))
    write_table(folder / "data/raw/houses.csv")
    for command in COMMANDS:
        run(folder, "-m", "reactivate.cli", "new", *command)
    table = folder / f"config/papers/{KEY}/table1.yaml"
    text = table.read_text(encoding="utf-8").replace("yacht", "houses").replace("tanh", "swoosh")
    table.write_text(text, encoding="utf-8")
    after = json.loads(run(folder, "-c", DIGESTS, ROOT / "published"))
    return folder, before, after


def test_no_other_file_is_touched(clone):
    folder, _, _ = clone
    command = ["git", "status", "--porcelain", "--untracked-files=all"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    touched = [line.split()[1] for line in done.stdout.splitlines()]
    assert len(touched) >= 9
    assert [name for name in touched if not name.startswith(OWN)] == []


def test_no_record_of_another_paper_becomes_stale(clone):
    _, before, after = clone
    assert sum(digest is not None for digest in before.values()) > 100
    assert after == before


def test_its_audit_has_its_own_jobs_only(clone):
    folder, _, _ = clone
    target = f"results/smoke/{KEY}/audit.html"
    told = run(folder, "-m", "snakemake", "--cores", "2", target)
    jobs = re.findall(r"^(?:local)?rule (\w+):", told, re.MULTILINE)
    assert sorted(jobs) == ["analyse", "audit", "plot", "prepare", "sweep", "sweep", "tabulate"]
    assert {path.name for path in (folder / "results/smoke").iterdir()} == {KEY}
    with (folder / f"results/smoke/{KEY}/audit.csv").open(encoding="utf-8") as file:
        claims = {row["claim"]: row["verdict"] for row in csv.DictReader(file)}
    assert list(claims) == [
        "sixth/table1/relu/houses",
        "sixth/table1/swoosh/houses",
        "sixth/claims/table1_best",
    ]


def test_its_mistakes_stop_no_other_paper(clone):
    folder, _, _ = clone
    path = folder / f"config/papers/{KEY}/paper.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("loss: mse", "lost: mse"), encoding="utf-8")
    try:
        run(folder, "-m", "snakemake", "--cores", "2", "-n", "results/smoke/gmp/table3.csv")
    finally:
        path.write_text(text, encoding="utf-8")
