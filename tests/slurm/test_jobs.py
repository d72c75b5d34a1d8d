"""Part of the smoke DAG on a real SLURM: declared resources, a cancelled job that resumes."""

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from reactivate.experiment.resources import Resources

TARGET = "results/smoke/gmp/table3.csv"
CELL = "mlp100-relu-gmp-document"
SLOW = Path("results/smoke/gmp/runs/power") / CELL
SECONDS = 200  # to wait for anything
FIELDS = ("JobID", "State", "NumCPUs", "MinMemory", "TimeLimit", "tres-per-job", "Comment")


@dataclass(frozen=True)
class Job:
    """A job as ``squeue`` shows it."""

    state: str
    rule: str
    got: Resources


@dataclass(frozen=True)
class Finished:
    """What is left of a run of Snakemake: its output, its jobs, and one job's environment."""

    folder: Path
    output: str
    jobs: list[Job]
    environment: dict[str, str]

    def of(self, rule):
        return [job for job in self.jobs if job.rule == rule]


def enlarge(project):
    """Makes the smoke scale two quick cells and two of four slow networks, on a GPU each."""
    path = project / "config/papers/gmp/scales.yaml"
    scales = yaml.safe_load(path.read_text())
    scales["smoke"]["recipes"]["document"] = {"epochs": 200, "seeds": 4}
    scales["smoke"]["exhibits"]["table3"]["columns"] = ["power", "yacht"]
    path.write_text(yaml.safe_dump(scales))
    path = project / "config/resources.yaml"
    resources = yaml.safe_load(path.read_text())
    resources["sweep"]["smoke"]["gpus"] = 1
    path.write_text(yaml.safe_dump(resources))


def environment_of_slow_job(project):
    """Environment of the process that trains the slow cell, once its first network is finished."""
    deadline = time.monotonic() + SECONDS
    while not (project / SLOW / "checkpoints/train-0.safetensors").exists():
        assert time.monotonic() < deadline, (project / "snakemake.log").read_text()
        time.sleep(0.05)
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_text().split("\0")
            here = (process / "cwd").readlink() == project
            variables = (process / "environ").read_text().split("\0")
        except OSError:
            continue
        if here and "reactivate.stages.sweep" in words and str(SLOW) in words:
            return dict(variable.split("=", 1) for variable in variables if variable)
    raise AssertionError("no process trains the slow cell")


@pytest.fixture(scope="module")
def finished(cluster, project):
    """Runs Snakemake on the cluster, and cancels the job of the slow cell once."""
    enlarge(project)
    earlier = {number for number, _ in jobs(cluster)}  # of other tests
    profiles = ("--profile", "profiles/slurm", "--profile", "tests/slurm/overlay")
    with (project / "snakemake.log").open("w") as log:
        snakemake = subprocess.Popen(
            [sys.executable, "-m", "snakemake", TARGET, *profiles],
            cwd=project,
            env=cluster.environment | {"PYTHONPATH": "workflow"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            job = environment_of_slow_job(project)
            cluster.run("scancel", job["SLURM_JOB_ID"])
            code = snakemake.wait(timeout=SECONDS)
        finally:
            snakemake.kill()
    output = (project / "snakemake.log").read_text()
    assert code == 0, output
    own = [each for number, each in jobs(cluster) if number not in earlier]
    return Finished(project, output, own, job)


def jobs(cluster):
    """Number of every job that the cluster remembers, and the job."""
    form = ",".join(f"{field}:|" for field in FIELDS)
    for line in cluster.run("squeue", "-h", "-t", "all", "-O", form).splitlines():
        field = dict(zip(FIELDS, line.split("|"), strict=False))
        got = Resources(
            cpus=int(field["NumCPUs"]),
            memory_mb=int(field["MinMemory"].removesuffix("M")),
            minutes=minutes(field["TimeLimit"]),
            gpus=sum(map(int, re.findall(r"gpu\D*(\d+)", field["tres-per-job"]))),
        )
        yield field["JobID"], Job(field["State"], field["Comment"].split("_")[1], got)


def minutes(limit):
    """Minutes of ``[days-][hours:]minutes:seconds``."""
    days, _, clock = limit.rpartition("-")
    hours, minutes, _ = (["0", *clock.split(":")])[-3:]
    return 1440 * int(days or 0) + 60 * int(hours) + int(minutes)


def declared_by(project, rule, dataset):
    """What a job of a rule asks for there, by the model or the configuration of the copy."""
    names = {"scale": "smoke", "paper": "gmp", "dataset": dataset, "cell": CELL}
    program = (
        "from reactivate.experiment.resources import resources;"
        f"print(resources({rule!r}, {names!r}).model_dump_json())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project,
        env=os.environ | {"PYTHONPATH": "workflow"},
        capture_output=True,
        text=True,
        check=True,
    )
    return Resources(**json.loads(done.stdout))


@pytest.mark.parametrize(("rule", "runs"), [("sweep", 5), ("tabulate", 1)])
def test_jobs_run_in_slurm_with_what_their_rule_declares(finished, rule, runs):
    declared = [declared_by(finished.folder, rule, name) for name in ("power", "yacht")]
    assert len(finished.of(rule)) == runs
    for job in finished.of(rule):
        tries = [
            d.model_copy(update={"memory_mb": n * d.memory_mb, "minutes": n * d.minutes})
            for d in declared
            for n in (1, 2)
        ]
        assert job.got in tries


def test_the_gpu_that_is_declared_is_given(finished):
    assert finished.environment["CUDA_VISIBLE_DEVICES"].isdigit()
    assert [job.got.gpus for job in finished.of("tabulate")] == [0]


def test_a_cancelled_job_is_retried_with_more_memory_and_time(finished):
    states = Counter(job.state for job in finished.of("sweep"))
    assert states == {"COMPLETED": 4, "CANCELLED": 1}
    assert finished.output.count("Trying to restart job") == 1
    *firsts, retry = sorted(job.got.memory_mb for job in finished.of("sweep"))
    asked = declared_by(finished.folder, "sweep", "power").memory_mb
    assert max(firsts) == asked
    assert retry == 2 * asked


def test_the_retried_job_resumes_and_ends_with_the_bytes_of_one_left_alone(finished, tmp_path):
    record = json.loads((finished.folder / SLOW / "run.json").read_text())
    assert record["times"]["resumes"] == 1
    stage = [*("-m", "reactivate.stages.sweep"), *("--scale", "smoke"), *("--paper", "gmp")]
    cell = [*("--dataset", "power"), *("--cell", CELL), *("--out", str(tmp_path))]
    environment = os.environ | {"PYTHONPATH": "workflow"}
    subprocess.run(
        [sys.executable, *stage, *cell], cwd=finished.folder, env=environment, check=True
    )
    alone = json.loads((tmp_path / "run.json").read_text())
    assert alone["times"]["resumes"] == 0
    assert alone["files"] == record["files"]


def test_logs_of_every_job_are_kept(finished):
    logs = list((finished.folder / ".snakemake/slurm_logs").rglob("*.log"))
    assert len(logs) == len(finished.jobs)


def test_afterwards_there_is_nothing_to_do(finished):
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", TARGET],
        cwd=finished.folder,
        env=os.environ | {"PYTHONPATH": "workflow"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Nothing to be done" in done.stdout + done.stderr
