"""What a scale asks a cluster for is what its rules declare, on a machine without SLURM too."""

import os
import shutil
import subprocess
import sys

import pytest
from reactivate.papers import grid, load_paper, paper_names
from reactivate.resources import asked

pytestmark = pytest.mark.slow


def test_the_paper_dag_is_listed_with_what_it_asks_for(tmp_path):
    for tool in ("which", "bash", "git"):  # and none of SLURM's
        (tmp_path / tool).symlink_to(shutil.which(tool))
    bare = os.environ | {"PATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", "from reactivate.cli import main; main()", "cluster"],
        env=bare,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    cells = {
        (paper, cell.cell)
        for paper in paper_names()
        for name, exhibit in load_paper(paper).exhibits.items()
        if exhibit.kind == "trained"
        for cell in grid("paper", paper, name)
    }
    want = asked("sweep", "paper")
    hours = want.minutes / 60
    numbers = [want.cpus, want.memory_mb / 1000, hours, len(cells) * want.cpus * hours]
    assert [float(x) for x in rows["sweep"]] == [
        len(cells),
        *numbers,
        len(cells) * want.gpus * hours,
    ]
    assert float(rows["total"][-1]) == sum(
        float(row[-1]) for rule, row in rows.items() if rule not in ("rule", "total", "CPUs,")
    )
