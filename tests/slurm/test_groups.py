"""Short trainings in one SLURM job: one GPU, one after another."""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

CELLS = [
    "mlp_3x64-relu-sp-fcnn",
    "mlp_3x64-sigmoid-sp-fcnn",
    "fcnn-relu-bn-fcnn",
    "fcnn-gelu-bn-fcnn",
]
RUNS = [Path("results/smoke/thesis/runs/mnist") / cell / "seed0" for cell in CELLS]
PROFILES = ("--profile", "profiles/slurm", "--profile", "tests/slurm/overlay")
SECONDS = 900  # to wait for anything
FIELDS = ("JobID", "State", "NumCPUs", "MinMemory", "TimeLimit", "tres-per-job", "Comment")


@pytest.fixture(scope="module")
def project(tmp_path_factory, copy_project):
    """A copy of the project whose smoke trainings ask for a GPU."""
    folder = tmp_path_factory.mktemp("grouped")
    copy_project(folder, "mnist")
    path = folder / "config/resources.yaml"
    resources = yaml.safe_load(path.read_text())
    resources["train"]["smoke"]["gpus"] = 1
    path.write_text(yaml.safe_dump(resources))
    return folder


def snakemake(project, environment, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "snakemake", *(f"{run}/run.json" for run in RUNS), *arguments],
        cwd=project,
        env=environment | {"PYTHONPATH": "workflow"},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


@pytest.fixture(scope="module")
def jobs(cluster, project):
    """The SLURM jobs of trainings, after Snakemake has run them on the cluster."""
    earlier = {job["JobID"] for job in listed(cluster)}
    done = snakemake(project, cluster.environment, *PROFILES)
    assert done.returncode == 0, done.stdout + done.stderr
    new = [job for job in listed(cluster) if job["JobID"] not in earlier]
    return [job for job in new if "prepare" not in job["Comment"]]


def listed(cluster):
    form = ",".join(f"{field}:|" for field in FIELDS)
    for line in cluster.run("squeue", "-h", "-t", "all", "-O", form).splitlines():
        yield dict(zip(FIELDS, line.split("|"), strict=False))


def declared(project):
    """What each of the trainings asks for by itself, from a dry run without the profile."""
    done = snakemake(project, dict(os.environ), "-n", "--forceall")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.split("rule train:")[1:]
    found = [text.split("resources: ")[1].splitlines()[0].split(", ") for text in lines]
    return [dict(pair.split("=") for pair in pairs) for pairs in found]


def test_short_trainings_are_one_job_with_one_gpu(jobs, project):
    each = declared(project)
    assert [member["gpu"] for member in each] == ["1"] * len(CELLS)
    (job,) = jobs
    assert job["State"] == "COMPLETED"
    assert job["tres-per-job"].rpartition(":")[2] == "1"


def test_the_job_has_the_time_of_all_and_the_memory_of_the_largest(jobs, project):
    each = declared(project)
    (job,) = jobs
    hours, minutes, _ = (["0", *job["TimeLimit"].split(":")])[-3:]
    assert 60 * int(hours) + int(minutes) == sum(int(member["runtime"]) for member in each)
    largest = max(int(member["mem_mb"]) for member in each)
    assert job["MinMemory"] == f"{largest}M"


def test_the_trainings_ran_one_after_another(jobs, project):
    (log,) = (project / ".snakemake/slurm_logs").glob("group_*/*.log")
    events = re.findall(r"localrule train:|Finished jobid: 0 \(Rule: train\)", log.read_text())
    starts = [number for number, event in enumerate(events) if event.startswith("local")]
    assert len(starts) == len(CELLS)
    assert all(later - earlier > 1 for earlier, later in pairwise(starts))


def test_all_networks_are_trained(jobs, project):
    assert [run for run in RUNS if not (project / run / "model.safetensors").exists()] == []
