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
from reactivate.experiment.resources import resources

pytestmark = pytest.mark.slow
NOT_RULES = ("rule", "total", "CPUs,")


def needed(paper, exhibit):
    """The folders behind an exhibit, each with the rule that makes it."""
    source = load_paper(paper)
    kind = source.exhibits[exhibit].kind
    resolved = Experiment.load("paper").exhibit(paper, exhibit)
    for place in resolved.places:
        alone = kind in ("networks", "measured", "observed") and not resolved.reads_every_seed
        seeds = slice(1) if alone else slice(None)
        if kind == "observed":
            for seed in range(resolved.cell(place).seeds)[seeds]:
                yield "observe", observation_folder("paper", paper, place.cell, seed)
            continue
        trained = source.recipes[place.cell.recipe].stage
        for folder in resolved.cell(place).folders()[seeds]:
            yield trained, folder
        for folder in resolved.cell(place).backbone_folders()[seeds]:
            yield "train", folder
        if place.measurement is not None:
            measured = source.measurements[place.measurement].stage
            for folder in resolved.folders(place)[seeds]:
                yield measured, folder


def named(folder):
    """The wildcards of a job, from the folder that it leaves."""
    _, scale, paper, _, dataset, cell, *rest = folder.parts
    measured = {"measurement": rest[0]} if len(rest) > 1 else {}
    return {"scale": scale, "paper": paper, "dataset": dataset, "cell": cell, **measured}


def test_the_paper_dag_is_listed_with_what_it_asks_for(tmp_path):
    for tool in ("which", "bash", "git"):  # and none of SLURM's
        (tmp_path / tool).symlink_to(shutil.which(tool))
    bare = os.environ | {"PATH": str(tmp_path)}
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from reactivate.cli import main; main()",
            "cluster",
            "--scale",
            "paper",
        ],
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
    trained = {"sweep", "train", "defend", "prune", "observe", "detect", "segment"}
    assert set(jobs) == trained | {"attack", "certify", "reconstruct"}
    assert len(jobs["train"]) > len(jobs["sweep"]) > len(jobs["observe"]) > 0
    for rule, folders in jobs.items():
        want = [resources(rule, named(folder)) for folder in folders]
        hours = [one.minutes / 60 for one in want]
        largest = [max(one.cpus for one in want), max(one.memory_mb for one in want) / 1000]
        together = [
            sum(one.cpus * one.minutes for one in want) / 60,
            sum(one.gpus * one.minutes for one in want) / 60,
        ]
        expected = [len(folders), *largest, max(hours), *together]
        assert [float(x) for x in rows[rule]] == pytest.approx(expected, abs=0.06)
    others = [float(row[-1]) for rule, row in rows.items() if rule not in NOT_RULES]
    assert float(rows["total"][-1]) == pytest.approx(sum(others), abs=1)
