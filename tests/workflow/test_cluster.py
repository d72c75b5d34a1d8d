"""What a scale asks a cluster for is what its rules declare, on a machine without SLURM too."""

import os
import shutil
import subprocess
import sys

import pytest
from reactivate.analysis import analysis_inputs
from reactivate.papers import grid, load_paper, paper_names
from reactivate.places import run_folders
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
    jobs = {"sweep": set(), "train": set(), "observe": set()}
    for paper in paper_names():
        recipes = load_paper(paper).recipes
        for exhibit in load_paper(paper).run_exhibits:
            if exhibit in load_paper(paper).analyses:
                for path in analysis_inputs("paper", paper, exhibit):
                    jobs["observe" if "observe" in path.parts else "train"].add(path.parent)
                continue
            for cell in {place.cell for place in grid("paper", paper, exhibit)}:
                jobs[recipes[cell.recipe].stage].update(run_folders("paper", paper, cell))
    assert len(jobs["train"]) > len(jobs["sweep"]) > len(jobs["observe"]) > 0
    for rule, folders in jobs.items():
        want, number = asked(rule, "paper"), len(folders)
        hours = want.minutes / 60
        each = [want.cpus, want.memory_mb / 1000, hours]
        together = [number * want.cpus * hours, number * want.gpus * hours]
        assert [float(x) for x in rows[rule]] == pytest.approx([number, *each, *together])
    assert float(rows["total"][-1]) == sum(
        float(row[-1]) for rule, row in rows.items() if rule not in ("rule", "total", "CPUs,")
    )
