"""One network trained by two processes on two GPUs, told to end by SLURM, and tried again."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
import yaml
from made_up import write_prepared
from test_jobs import minutes

CELL = "fcnn-relu-bn-fcnn"
RUN = Path("results/smoke/thesis/runs/mnist") / CELL / "seed0"
STAGE = ("reactivate.stages.train", "--scale", "smoke", "--paper", "thesis", "--dataset", "mnist")
PROCESSES = ("--config", "processes=2", "--resources", "gpu=2")
SECONDS = 600  # to wait for anything
FIELDS = ("JobID", "State", "NumCPUs", "MinMemory", "TimeLimit", "tres-per-job")


@pytest.fixture(scope="module")
def project(tmp_path_factory, copy_project):
    """A copy of the project with made-up images, and a smoke training that takes a while."""
    folder = tmp_path_factory.mktemp("processes")
    copy_project(folder)
    random = torch.Generator().manual_seed(0)
    tensors = {}
    for part, count in (("train", 2000), ("test", 100)):
        shape = (count, 1, 28, 28)
        pixels = torch.randint(256, shape, generator=random, dtype=torch.uint8)
        tensors[f"{part}_images"] = pixels
        tensors[f"{part}_labels"] = torch.randint(10, (count,), generator=random)
    write_prepared(folder, "mnist", tensors)
    change(folder / "config/papers/thesis/scales.yaml", epochs=60)
    change(folder / "config/resources.yaml", gpus=1)
    return folder


def change(path, epochs=None, gpus=None):
    content = yaml.safe_load(path.read_text())
    if epochs is not None:
        limits = {"epochs": epochs, "data_fraction": 1.0}
        content["smoke"]["recipes"]["fcnn"] = content["smoke"]["recipes"]["fcnn"] | limits
    if gpus is not None:
        content["train"]["smoke"]["gpus"] = gpus
    path.write_text(yaml.safe_dump(content))


def processes_of(project):
    """Environments of the processes that train, by their rank; the one that starts them is ''."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_text().split("\0")
            here = (process / "cwd").readlink() == project
            variables = (process / "environ").read_text().split("\0")
        except OSError:
            continue
        if here and STAGE[0] in words and "snakemake" not in words and str(RUN) in words:
            names = dict(variable.split("=", 1) for variable in variables if variable)
            found[names.get("RANK", "")] = names
    return found


@pytest.fixture(scope="module")
def finished(cluster, project):
    """Trains on the cluster; SLURM sends SIGTERM once, to all processes of the job."""
    profiles = ("--profile", "profiles/slurm", "--profile", "tests/slurm/overlay")
    asked = (str(RUN / "run.json"), *profiles, *PROCESSES)
    log = project / "snakemake.log"
    earlier = {job["JobID"] for job in listed(cluster)}
    with log.open("w") as file:
        snakemake = subprocess.Popen(
            [sys.executable, "-m", "snakemake", *asked],
            cwd=project,
            env=cluster.environment | {"PYTHONPATH": "workflow"},
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            deadline = time.monotonic() + SECONDS
            while not (project / RUN / "heartbeat.json").exists():
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.05)
            environments = processes_of(project)
            cluster.run("scancel", "--signal=TERM", environments["0"]["SLURM_JOB_ID"])
            code = snakemake.wait(timeout=SECONDS)
        finally:
            snakemake.kill()
    assert code == 0, log.read_text()
    new = [job for job in listed(cluster) if job["JobID"] not in earlier]
    return environments, sorted(new, key=lambda job: int(job["JobID"])), log


def listed(cluster):
    """Every job the cluster remembers, as ``squeue`` shows it."""
    form = ",".join(f"{field}:|" for field in FIELDS)
    for line in cluster.run("squeue", "-h", "-t", "all", "-O", form).splitlines():
        yield dict(zip(FIELDS, line.split("|"), strict=False))


def declared(project):
    """What a job of one process would ask for, from a dry run."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", "--forcerun", "train", str(RUN / "run.json")],
        cwd=project,
        env=os.environ | {"PYTHONPATH": "workflow"},
        capture_output=True,
        text=True,
        check=True,
    )
    text = done.stdout.split("rule train:")[1].split("resources: ")[1].splitlines()[0]
    return dict(pair.split("=") for pair in text.split(", "))


def test_a_job_of_two_processes_asks_for_two_gpus_and_is_tried_again_with_more(finished, project):
    one = declared(project)
    _, jobs, log = finished
    assert [job["State"] for job in jobs] == ["FAILED", "COMPLETED"]
    for tries, job in enumerate(jobs, start=1):
        assert job["tres-per-job"].endswith("gpu:2")
        assert int(job["NumCPUs"]) == 2 * int(one["cpus_per_task"])
        assert job["MinMemory"] == f"{2 * tries * int(one['mem_mb'])}M"
        assert minutes(job["TimeLimit"]) == tries * int(one["runtime"])
    assert log.read_text().count("Trying to restart job") == 1


def test_the_command_is_started_once_with_all_gpus_and_starts_the_processes(finished, project):
    environments, cpus = finished[0], 2 * int(declared(project)["cpus_per_task"])
    assert set(environments) == {"", "0", "1"}
    for names in environments.values():
        assert len(names["CUDA_VISIBLE_DEVICES"].split(",")) == 2
        assert names["SLURM_CPUS_PER_TASK"] == str(cpus)
        assert names["SLURM_NTASKS"] == "1"


def test_what_was_told_to_end_goes_on_to_the_bytes_of_one_left_alone(finished, project, tmp_path):
    record = json.loads((project / RUN / "run.json").read_text())
    assert record["times"]["resumes"] == 1
    assert record["division"] == {"processes": 2, "micro_batch": None, "statistics": "batch"}
    cpus = int(finished[0]["0"]["SLURM_CPUS_PER_TASK"])
    threads = min(cpus, len(os.sched_getaffinity(0)))  # as in the job: sums depend on it
    launch = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m")
    arguments = (*STAGE, "--cell", CELL, "--seed", "0", "--out", str(tmp_path))
    subprocess.run(
        [sys.executable, *launch, *arguments, "--threads", str(threads)],
        cwd=project,
        env=os.environ | {"PYTHONPATH": "workflow"},
        check=True,
    )
    alone = json.loads((tmp_path / "run.json").read_text())
    assert alone["times"]["resumes"] == 0
    assert alone["files"] == record["files"]
