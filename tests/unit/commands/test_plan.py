"""What targets take is told from recorded times, each with how it is known."""

import json
from pathlib import Path

import pytest
from reactivate.artifacts.proof import Job, dry_run, jobs_of
from reactivate.commands import plan as command
from reactivate.commands.forecast import SHARED, Forecast, Forecaster
from reactivate.commands.plan import Share, missing, plan, target
from reactivate.evidence.times import Times
from reactivate.experiment.cell import Cell
from reactivate.experiment.costs.limits import predict

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

    def leave(scale, cell, seconds, root="results", seed=0, settings=None):
        folder = Path(root, scale, "thesis/runs", cell.dataset, cell.stem, f"seed{seed}")
        folder.mkdir(parents=True)
        (folder / "metrics.csv").write_text("top1\n1.0\n", encoding="utf-8")
        known = {
            "paper": "thesis",
            "scale": scale,
            "cell": cell,
            "seeds": [seed],
            "settings": settings or {"epochs": 3},
        }
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
    assert Times().recorded([output]).seconds == 90.0
    record("laptop", RELU, 70.0)  # of this clone
    assert Times().recorded(["x.csv", output]).seconds == 70.0
    assert Times().recorded([output.replace("relu", "gelu")]) is None


@pytest.mark.parametrize(
    ("both", "settings", "expected"),
    [(5, {"epochs": 3}, 45.0), (4, {"epochs": 3}, 90.0), (5, {"epochs": 2}, 90.0)],
    ids=["half as long", "too few tell", "other settings"],
)
def test_times_of_other_machines_are_told_as_this_one_takes(
    project, record, both, settings, expected
):
    for seed in range(both):
        record("laptop", RELU, 20.0 * (seed + 1), root="published", seed=seed)
        record("laptop", RELU, 10.0 * (seed + 1), seed=seed, settings=settings)
    output = record("laptop", TANH, 90.0, root="published")
    assert Times().recorded([output]).seconds == expected
    own = record("laptop", RELU, 70.0, seed=9)  # of this clone: as it is
    assert Times().recorded([own]).seconds == 70.0


def test_one_slow_run_does_not_make_a_slow_machine(project, record):
    for seed, here in enumerate((10.0, 10.0, 10.0, 10.0, 500.0)):
        record("laptop", RELU, 20.0, root="published", seed=seed)
        record("laptop", RELU, here, seed=seed)
    assert Times().pace == (0.5, 5)
    assert "takes 0.50 times as long" in " ".join(command._notes([], Times().pace))
    assert not any("pace" in note for note in command._notes([], Times(here=None).pace))


def test_records_that_were_brought_here_tell_no_pace(project, record):
    for seed in range(9):
        record("laptop", RELU, 20.0 + seed, root="published", seed=seed)
        record("laptop", RELU, 20.0 + seed, seed=seed)
    assert Times().pace == (1.0, 0)


def test_a_prediction_is_told_as_this_machine_takes(project, record):
    def predicted():
        return Forecaster(["laptop"]).forecast(of(TANH, "laptop", gpu="0")).seconds

    before = predicted()
    for seed in range(5):
        record("laptop", RELU, 20.0, root="published", seed=seed)
        record("laptop", RELU, 40.0, seed=seed)
    assert predicted() == pytest.approx(2 * before)


def of(cell, scale, gpu="1", rule="train"):
    folder = f"results/{scale}/thesis/runs/{cell.dataset}/{cell.stem}/seed0"
    names = {"scale": scale, "paper": "thesis", "dataset": cell.dataset, "cell": cell.stem}
    return Job(rule, (f"{folder}/run.json",), names, {"gpu": gpu, "runtime": "30"})


def test_a_job_that_ran_before_takes_as_long_on_the_same_kind_of_machine(project, record):
    record("paper", RELU, 3600.0)
    cpu = Forecaster(["paper"]).forecast(of(RELU, "paper", gpu="0"))
    assert (cpu.basis, cpu.seconds, cpu.gpus) == ("recorded", 3600.0, 0)
    gpu = Forecaster(["paper"]).forecast(of(RELU, "paper"))
    assert (gpu.basis, gpu.gpus) == ("predicted", 1)  # it was not recorded on a GPU
    assert gpu.seconds == predict("train", of(RELU, "paper").wildcards, 1).seconds


def test_a_named_machine_without_a_gpu_runs_every_job(project):
    told = Forecaster(["paper"], "cpu").forecast(of(RELU, "paper"))
    gpu = Forecaster(["paper"], "a100").forecast(of(RELU, "paper"))
    assert (told.gpus, gpu.gpus) == (0, 1)
    assert told.seconds > 10 * gpu.seconds
    assert 0 < gpu.arithmetic_seconds < gpu.seconds


def test_gpu_hours_are_a_product_of_gpus_and_hours_and_agree_with_the_limits(project):
    one, four = (Forecaster(["paper"]).forecast(of(RELU, "paper", gpu=n)) for n in ("1", "4"))
    names = of(RELU, "paper").wildcards
    assert (four.gpus, four.seconds) == (4, predict("train", names, 1, processes=4).seconds)
    assert four.seconds < one.seconds < 4 * four.seconds
    assert four.arithmetic_seconds == one.arithmetic_seconds  # the same products, wherever
    share = Share()
    share.add(four)
    assert share.gpu_hours == pytest.approx(4 * four.seconds / 3600)
    cpu = Forecaster(["paper"], "cpu").forecast(of(RELU, "paper", gpu="4"))
    assert (cpu.gpus, cpu.threads) == (0, 4)


def test_a_job_is_for_the_first_exhibit_that_needs_it(project):
    forecaster = Forecaster(["paper"])
    assert forecaster.forecast(of(RELU, "paper")).exhibit == "thesis/figure3_5"
    shared = Job("prepare", ("data/prepared/banana.safetensors",), {"dataset": "banana"}, {})
    told = forecaster.forecast(shared)
    assert (told.exhibit, told.basis) == (SHARED, "unknown")
    assert forecaster.order[-1] == SHARED


def test_hours_count_for_the_device_that_is_asked_for():
    share, job = Share(), Job("train", (), {}, {})
    share.add(Forecast(job, "a/b", "predicted", 7200.0, 1, 2, 3600.0, 240))
    share.add(Forecast(job, "a/b", "recorded", 3600.0, threads=4))
    assert (share.gpu_hours, share.arithmetic, share.asked) == (4.0, 1.0, 8.0)
    assert (share.cpu_hours, share.longest, share.jobs) == (4.0, 2.0, 2)


def test_a_plan_is_printed_with_its_total_and_what_is_missing(
    project, record, monkeypatch, capsys
):
    record("paper", RELU, 3600.0, root="published")
    text = PRINTED + PRINTED.replace("cifar10", "imagenet").replace("seed0", "seed1")
    monkeypatch.setattr(command, "dry_run", lambda *arguments: text)
    monkeypatch.delenv("REACTIVATE_IMAGENET", raising=False)
    plan(["paper"], [])
    lines = capsys.readouterr().out.splitlines()
    table = {line.split()[0]: line.split()[1:] for line in lines if line}
    assert table["train"][0] == "2"
    assert table["train"] == table["total"]
    assert table["thesis/figure3_5"][0] == "1"
    assert float(table["train"][1]) > 0
    assert any(line.startswith("machine: NVIDIA A100") for line in lines)
    assert any("calibrate before you rely on it" in line for line in lines)
    assert any(
        line.startswith("missing: imagenet has to be supplied for 1 jobs") for line in lines
    )
    assert any(line.startswith("to fetch: cifar10, from the first") for line in lines)
    assert any(line.startswith("missing: weights of 1 networks") for line in lines)


def test_a_plan_for_programs_has_the_numbers_of_the_printed_one(project, monkeypatch, capsys):
    monkeypatch.setattr(command, "dry_run", lambda *arguments: PRINTED)
    plan(["paper"], [], as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["rules"] == {"train": told["total"]}
    assert list(told["exhibits"]) == ["thesis/figure3_5"]
    assert told["total"]["bases"] == {"predicted": 1}
    names = jobs_of(PRINTED.splitlines())[0].wildcards
    assert told["total"]["gpu_hours"] == predict("train", names, 1).seconds / 3600
    assert any(note.startswith("machine: NVIDIA A100") for note in told["notes"])


def test_no_line_of_a_plan_is_wider_than_a_terminal():
    share, job = Share(), Job("train", (), {}, {})
    for basis in ("predicted", "recorded", "predicted"):
        share.add(Forecast(job, "a/b", basis, 9e7, 1, 2, 3e7, 240))
    line = share.line("thesis/figure3_5")
    assert line.endswith("  67% predicted")
    assert len(line) <= 80


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
    assert all(times.recorded([output]) for output in outputs)


def test_members_of_a_group_are_jobs_too():
    indented = "\n".join(f"    {line}" for line in PRINTED.splitlines())
    assert jobs_of(indented.splitlines()) == jobs_of(PRINTED.splitlines())


@pytest.mark.parametrize(
    ("asked", "file"),
    [
        ("gmp/table3", "results/paper/gmp/table3.csv"),
        ("gmp/figure2", "results/paper/gmp/figure2.png"),
        ("laptop", "laptop"),
        ("results/laptop/gmp/table3.csv", "results/laptop/gmp/table3.csv"),
    ],
)
def test_an_exhibit_may_be_named_as_elsewhere(asked, file):
    assert target(asked, "paper") == file


def test_an_exhibit_that_no_paper_has_is_answered_with_near_names():
    with pytest.raises(ValueError, match="unknown exhibit 'tabl3'; did you mean table3"):
        target("gmp/tabl3", "paper")
