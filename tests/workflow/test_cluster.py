"""What a scale asks a cluster for is what its rules declare, on a machine without SLURM too."""

import os
import shutil
import subprocess
import sys
from collections import defaultdict

import pytest
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.experiment.paths import observation_folder
from reactivate.experiment.resources import asked

pytestmark = pytest.mark.slow


def needed(paper, exhibit):
    """The folders behind an exhibit, each with the rule that makes it."""
    source = load_paper(paper)
    kind = source.exhibits[exhibit].kind
    resolved = Experiment.load("paper").exhibit(paper, exhibit)
    for place in resolved.places:
        if kind == "observed":
            yield "observe", observation_folder("paper", paper, place.cell, 0)
            continue
        seeds = slice(1) if kind in ("networks", "measured") else slice(None)
        trained = source.recipes[place.cell.recipe].stage
        for folder in resolved.cell(place).folders()[seeds]:
            yield trained, folder
        if place.measurement is not None:
            measured = source.measurements[place.measurement].stage
            for folder in resolved.folders(place)[seeds]:
                yield measured, folder


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
    jobs = defaultdict(set)
    for paper in paper_names():
        for exhibit in load_paper(paper).run_exhibits:
            for rule, folder in needed(paper, exhibit):
                jobs[rule].add(folder)
    trained = {"sweep", "train", "defend", "prune", "observe"}
    assert set(jobs) == trained | {"attack", "certify", "reconstruct"}
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
