"""What targets take is told from recorded times, each with how it is known."""

import json
from pathlib import Path

import pytest
from reactivate.artifacts.proof import Job, dry_run, jobs_of
from reactivate.commands import plan as command
from reactivate.commands.plan import Share, missing, plan
from reactivate.evidence.times import Estimate, Times, _amount
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment

ROOT = Path(__file__).parents[3]
RUNS = "thesis/runs/cifar10"
RUN = f"{RUNS}/vgg16-relu-bn-chapter3/seed0"
PRINTED = """
rule train:
    input: data/prepared/cifar10.safetensors, data/prepared/cifar10.safetensors.sha256
    output: results/paper/{run}/model.safetensors, results/paper/{run}/run.json
    log: results/paper/{run}/train.log
    jobid: 7
    reason: Missing output files: results/paper/{run}/run.json
    wildcards: scale=paper, paper=thesis, dataset=cifar10, cell=vgg16-relu-bn-chapter3, seed=0
    resources: tmpdir=/tmp, runtime=1440, gpu=1, cpus_per_task=4, mem_mb=16000
Shell command: python -m reactivate.stages.train

localrule paper:
    input: results/paper/audit.html
    jobid: 0
    resources: tmpdir=/tmp
""".replace("{run}", RUN)


@pytest.fixture
def record(leave_record):
    """``record(scale, cell, seconds)``: leaves a run, 2 s of which were spent on starting."""

    def leave(scale, cell, seconds, root="results"):
        folder = Path(root, scale, "thesis/runs", cell.dataset, cell.stem, "seed0")
        folder.mkdir(parents=True)
        (folder / "metrics.csv").write_text("top1\n1.0\n", encoding="utf-8")
        known = {"paper": "thesis", "scale": scale, "cell": cell, "seeds": [0]}
        worked = {"seconds": seconds, "training_seconds": seconds - 2, "resumes": 0}
        path = leave_record(folder, **known, times=worked)
        return f"results/{Path(*path.parts[1:]).as_posix()}"

    return leave


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The configuration, and no results."""
    (tmp_path / "config").symlink_to(ROOT / "config")
    monkeypatch.chdir(tmp_path)


RELU = Cell("cifar10", "vgg16", "relu", "bn", "chapter3")
TANH = Cell("cifar10", "vgg16", "tanh", "bn", "chapter3")


def test_the_jobs_are_those_that_snakemake_lists():
    (job,) = jobs_of(PRINTED.splitlines())
    assert job.rule == "train"
    assert job.outputs[-1] == f"results/paper/{RUNS}/vgg16-relu-bn-chapter3/seed0/run.json"
    assert job.wildcards["cell"] == "vgg16-relu-bn-chapter3"
    assert job.resources["gpu"] == "1"


def test_the_same_run_took_as_long_wherever_it_is(project, record):
    output = record("laptop", RELU, 90.0, root="published")
    assert Times().estimate([output]) == Estimate("recorded", 90.0)
    record("laptop", RELU, 70.0)  # of this clone
    assert Times().estimate(["x.csv", output]) == Estimate("recorded", 70.0)


def test_another_run_of_the_recipe_is_alike(project, record):
    output = record("laptop", RELU, 1.0).replace("relu", "gelu")
    record("laptop", TANH, 3.0)
    record("smoke", TANH, 50.0)
    assert Times().estimate([output]) == Estimate("alike", 2.0)


def test_another_scale_is_scaled_by_what_it_does(project, record, monkeypatch):
    amounts = {"laptop": 10.0, "paper": 1000.0, "smoke": 1.0}
    monkeypatch.setattr(
        "reactivate.evidence.times._amount", lambda place, cell: amounts[place.split("/")[0]]
    )
    output = record("laptop", RELU, 12.0).replace("laptop", "paper")
    record("smoke", RELU, 9.0)  # less like it
    assert Times().estimate([output]) == Estimate("scaled", 2 + 10 * 100)
    record("paper", RELU, 502.0)
    assert Times().exaggeration("paper", "train") == (pytest.approx(1002 / 502), 1)
    assert Times().exaggeration("paper", "prune") == (1.0, 0)


def test_what_a_run_does_follows_its_settings(project):
    place = f"{{}}/{RUNS}/{RELU.stem}/seed0/run.json"
    laptop, paper = (_amount(place.format(scale), RELU) for scale in ("laptop", "paper"))
    small, full = (
        Experiment.load(scale).cell("thesis", RELU).image_settings for scale in ("laptop", "paper")
    )
    assert laptop == small.epochs * 50000 * small.data_fraction * 32**2 * small.model.width
    assert paper == full.recipe.epochs * 50000 * 32**2 * full.model.width


def test_nobody_knows_what_nobody_ran(project):
    assert (
        Times().estimate([f"results/paper/{RUNS}/{RELU.stem}/seed0/run.json"]).basis == "unknown"
    )
    assert Times().estimate(["data/prepared/banana.safetensors"]).basis == "unknown"


def test_an_unlike_machine_tells_no_gpu_hours():
    job = Job("train", (), {}, {"gpu": "1", "runtime": "120"})
    share = Share()
    share.add(job, Estimate("recorded", 7200.0, threads=2))
    assert (share.cpu_hours, share.gpu_hours, share.at_most) == (4.0, 0.0, 2.0)
    share.add(job, Estimate("recorded", 1800.0, gpu=True))
    assert (share.gpu_hours, share.at_most) == (0.5, 2.0)


def test_a_plan_is_printed_with_its_total_and_what_is_missing(
    project, record, monkeypatch, capsys
):
    record("paper", RELU, 3600.0, root="published")
    text = PRINTED + PRINTED.replace("cifar10", "imagenet").replace("seed0", "seed1")
    monkeypatch.setattr(command, "dry_run", lambda *arguments: text)
    monkeypatch.delenv("REACTIVATE_IMAGENET", raising=False)
    plan(["paper"], [])
    lines = capsys.readouterr().out.splitlines()
    table = {line.split()[0]: line.split()[1:] for line in lines[:3]}
    assert table["train"][:2] == ["2", "2.00"]
    assert table["train"] == table["total"]
    assert any(
        line.startswith("missing: imagenet has to be supplied for 1 jobs") for line in lines
    )
    assert any(line.startswith("to fetch: cifar10, from the first") for line in lines)
    assert any(line.startswith("missing: weights of 1 networks") for line in lines)


def test_a_supplied_folder_is_not_missing(project, monkeypatch, tmp_path):
    job = Job("train", (), {"dataset": "imagenet", "scale": "paper"}, {})
    monkeypatch.setenv("REACTIVATE_IMAGENET", str(tmp_path))
    assert list(missing([job])) == []


def test_nothing_to_do_is_said(monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(command, "dry_run", lambda *a: asked.append(a) or "Nothing to be done")
    plan(["results/smoke/gmp/table3.csv"], ["reach=cpu"])
    assert asked == [("--config", "reach=cpu", "--", "results/smoke/gmp/table3.csv")]
    assert capsys.readouterr().out == "nothing to be done\n"


def test_a_target_that_nobody_makes_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("Snakefile").write_text("rule a:\n    output: 'b'\n    shell: 'touch b'\n")
    with pytest.raises(ValueError, match="snakemake --dry-run nothing failed"):
        dry_run("nothing")
    assert [job.outputs for job in jobs_of(dry_run("b").splitlines())] == [("b",)]


def test_published_times_tell_of_every_table_that_was_trained(monkeypatch):
    monkeypatch.chdir(ROOT)
    times = Times()
    path = Path("published/paper/gmp/table3.provenance.json")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = {r["record"] for cell in cells for r in cell["records"]}
    assert {times.estimate([output]).basis for output in outputs} == {"recorded"}
