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
from reactivate.foundation.files import write_with_checksum
from safetensors.torch import save_file
from test_jobs import jobs

CELL = "fcnn-relu-bn-fcnn"
RUN = Path("results/smoke/thesis/runs/mnist") / CELL / "seed0"
STAGE = ("reactivate.stages.train", "--scale", "smoke", "--paper", "thesis", "--dataset", "mnist")
SECONDS = 600  # to wait for anything


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
    with write_with_checksum(folder / "data/prepared/mnist.safetensors") as part:
        save_file(tensors, part)
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
    asked = (str(RUN / "run.json"), *profiles, "--config", "processes=2")
    log = project / "snakemake.log"
    earlier = len(list(jobs(cluster)))
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
    return environments, sorted(jobs(cluster), key=lambda job: job.got.minutes)[earlier:], log


def test_a_job_of_two_processes_asks_for_two_gpus_and_is_tried_again_with_more(finished, project):
    each = yaml.safe_load((project / "config/resources.yaml").read_text())["train"]["smoke"]
    first, second = (job for job in finished[1] if job.rule == "train")
    assert (first.state, second.state) == ("FAILED", "COMPLETED")
    for tries, job in enumerate((first, second), start=1):
        assert job.got.gpus == 2
        assert job.got.cpus == 2 * each["cpus"]
        assert job.got.memory_mb == 2 * each["memory_mb"] * tries
        assert job.got.minutes == each["minutes"] * tries
    assert finished[2].read_text().count("Trying to restart job") == 1


def test_the_command_is_started_once_with_all_gpus_and_starts_the_processes(finished):
    environments = finished[0]
    assert set(environments) == {"", "0", "1"}
    for names in environments.values():
        assert len(names["CUDA_VISIBLE_DEVICES"].split(",")) == 2
        assert names["SLURM_CPUS_PER_TASK"] == "2"
        assert names["SLURM_NTASKS"] == "1"


def test_what_was_told_to_end_goes_on_to_the_bytes_of_one_left_alone(finished, project, tmp_path):
    record = json.loads((project / RUN / "run.json").read_text())
    assert record["times"]["resumes"] == 1
    assert record["division"] == {"processes": 2, "micro_batch": None, "statistics": "batch"}
    launch = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m")
    arguments = (*STAGE, "--cell", CELL, "--seed", "0", "--out", str(tmp_path))
    subprocess.run(
        [sys.executable, *launch, *arguments, "--threads", "2"],
        cwd=project,
        env=os.environ | {"PYTHONPATH": "workflow"},
        check=True,
    )
    alone = json.loads((tmp_path / "run.json").read_text())
    assert alone["times"]["resumes"] == 0
    assert alone["files"] == record["files"]
