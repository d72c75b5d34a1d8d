"""The workflow itself, run at scale smoke: what is rerun, what is not, and what a kill leaves."""

import csv
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock
from small_projects import keep_two_tables

pytestmark = pytest.mark.slow

TARGETS = (
    "results/smoke/gmp/table3.csv",
    "results/smoke/thesis/table5_1.csv",
    "results/smoke/audit.html",
)
CELLS = {
    (dataset, f"mlp100-relu-{row}-document")
    for dataset in ("boston", "yacht")
    for row in ("sp", "gmp")
}
IMAGES = ("mnist", "fcnn-relu-bn-fcnn")
GMP = "workflow/reactivate/layers/batched/gmp.py"
# In every Python of the run: kill all of it just before a file of this name is put in its place.
KILLER = """
import os, signal, sys

name = os.environ.get("KILL_BEFORE")

def hook(event, arguments):
    if name and event == "os.rename" and os.path.basename(str(arguments[1])) == name:
        os.killpg(os.getpgid(0), signal.SIGKILL)

sys.addaudithook(hook)
"""


class Project:
    """A copy of the project and how to use it."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *command, path="workflow", **environment):
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": path} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            start_new_session=True,
        )

    def snakemake(self, *arguments, **options):
        return self.run("-m", "snakemake", *arguments, **options)

    def planned(self, *targets):
        """Rules and cells that a run would execute."""
        done = self.snakemake(*(targets or TARGETS), "--dry-run")
        assert done.returncode == 0, done.stdout
        rules = set(re.findall(r"^(?:local)?rule (\w+):", done.stdout, re.MULTILINE))
        cells = re.findall(r"output: results/\w+/\w+/runs/(\w+)/([\w-]+)/", done.stdout)
        assert ("Nothing to be done" in done.stdout) == (not rules)
        return rules, set(cells)

    @contextmanager
    def edited(self, name, old, new):
        """A file with a text replaced, and as it was afterwards."""
        path = self.folder / name
        before = path.read_text(encoding="utf-8")
        assert old in before, f"{name} does not hold {old!r}"
        path.write_text(before.replace(old, new, 1), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(before, encoding="utf-8")


def write_digits(folder):
    """Images in the place of MNIST, few enough to be trained on and copied in a moment."""
    import torch
    from made_up import write_prepared

    stream = torch.Generator().manual_seed(0)
    tensors = {}
    for part, count in (("train", 12_800), ("test", 100)):
        labels = torch.randint(10, (count,), generator=stream)
        tensors[f"{part}_labels"] = labels
        tensors[f"{part}_images"] = (25 * labels).byte()[:, None, None, None].repeat(1, 1, 28, 28)
    write_prepared(folder, "mnist", tensors)


@pytest.fixture(scope="session")
def smoke(tmp_path_factory, copy_project):
    """Tables and audit were made: once for all test processes, a copy for each."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made, done = base / "smoke", base / "smoke_is_made"
    with FileLock(base / "smoke.lock"):
        if not done.exists():
            copy_project(made, "boston", "yacht")
            keep_two_tables(made / "config")
            write_digits(made)
            run = Project(made).snakemake(*TARGETS)
            assert run.returncode == 0, run.stdout
            done.touch()
    folder = tmp_path_factory.mktemp("smoke") / "project"
    shutil.copytree(made, folder, symlinks=True)
    return Project(folder)


NOTHING = (set(), set())


def test_a_table_has_the_printed_numbers_beside_ours(smoke):
    with (smoke.folder / TARGETS[0]).open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [(line["row"], line["column"]) for line in lines] == [
        *(("sp", "boston"), ("sp", "yacht"), ("gmp", "boston"), ("gmp", "yacht")),
    ]
    assert [lines[place]["printed"] for place in (0, 2)] == ["3.370±0.145", "3.057±0.144"]
    assert {line["protocol"] for line in lines} == {"document"}
    assert all(float(line["value"]) > 0 for line in lines)


def test_a_table_of_image_networks_has_the_printed_numbers_beside_ours(smoke):
    with (smoke.folder / TARGETS[1]).open(encoding="utf-8") as file:
        (line,) = csv.DictReader(file)
    assert (line["row"], line["column"], line["printed"]) == ("relu", "mnist", "98.45")
    assert 0 <= float(line["value"]) <= 100
    folder = smoke.folder / "results/smoke/thesis/runs" / "/".join(IMAGES)
    assert [path.name for path in folder.iterdir()] == ["seed0"]
    assert {path.name for path in (folder / "seed0").iterdir()} == {
        *("metrics.csv", "history.csv", "predictions.safetensors", "model.safetensors"),
        *("run.json", "train.log"),
    }


@pytest.mark.parametrize(
    ("table", "numbers", "reason"),
    [("gmp/table3", 24, "scale"), ("thesis/table5_1", 8, "untrained")],
)
def test_the_audit_has_a_row_for_every_printed_number_of_a_table(smoke, table, numbers, reason):
    with (smoke.folder / "results/smoke/audit.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["claim"].startswith(f"{table}/")]
    assert len(rows) == numbers
    assert len({row["claim"] for row in rows}) == numbers
    verdicts = {f"not_comparable({reason})", "not_run(compute)"}
    assert {row["verdict"] for row in rows} == verdicts


def test_the_audit_page_needs_no_other_file(smoke):
    page = (smoke.folder / "results/smoke/audit.html").read_text(encoding="utf-8")
    assert "gmp/table3/gmp/boston" in page
    assert re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=", page) == []


def test_a_second_call_has_nothing_to_do(smoke):
    assert smoke.planned() == NOTHING


def test_touching_every_source_file_gives_nothing_to_do(smoke):
    folders = [smoke.folder / name for name in ("workflow", "rules", "config", "profiles")]
    sources = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert len(sources) > 50
    for path in [*sources, smoke.folder / "Snakefile"]:
        path.touch()
    assert smoke.planned() == NOTHING


def test_a_comment_in_a_layer_gives_nothing_to_do(smoke):
    with smoke.edited(GMP, "import math\n", "import math\n\n# a thought on angles\n"):
        assert smoke.planned() == NOTHING


def test_a_changed_line_in_a_layer_reruns_exactly_its_cells_and_what_follows(smoke):
    with smoke.edited(GMP, "self.radius.fill_(1.0)", "self.radius.fill_(1.5)"):
        rules, cells = smoke.planned()
    assert cells == {(dataset, cell) for dataset, cell in CELLS if "-gmp-" in cell}
    assert rules == {"sweep", "tabulate", "audit", "join"}


def test_a_changed_learning_rate_reruns_exactly_its_cells(smoke):
    with smoke.edited("config/papers/gmp/paper.yaml", "      gmp: 0.1\n", "      gmp: 0.2\n"):
        assert smoke.planned()[1] == {(d, cell) for d, cell in CELLS if "-gmp-" in cell}


def test_a_changed_line_in_the_training_of_images_reruns_image_networks_only(smoke):
    trainer = "workflow/reactivate/training/trainer.py"
    with smoke.edited(trainer, "from reactivate.", "EDITED = 1\nfrom reactivate."):
        assert smoke.planned() == ({"train", "tabulate", "audit", "join"}, {IMAGES})


@pytest.mark.parametrize(("recipe", "cells"), [("chapter3", set()), ("fcnn", {IMAGES})])
def test_a_changed_rate_of_image_networks_reruns_exactly_their_cells(smoke, recipe, cells):
    path = "config/papers/thesis/paper.yaml"
    start = f"\n  {recipe}:\n    stage: train\n"
    _, _, text = (smoke.folder / path).read_text(encoding="utf-8").partition(start)
    with smoke.edited(path, text, text.replace("default: 0.1\n", "default: 0.2\n", 1)):
        assert smoke.planned()[1] == cells


def test_another_seed_trains_that_one_only(smoke):
    limits = "    fcnn:\n      epochs: 2\n      seeds: "
    with smoke.edited("config/papers/thesis/scales.yaml", f"{limits}1\n", f"{limits}2\n"):
        done = smoke.snakemake(*TARGETS, "--dry-run")
    planned = re.findall(r"output: results/smoke/thesis/runs/(\S+)/metrics.csv", done.stdout)
    assert planned == [f"{'/'.join(IMAGES)}/seed1"]


@pytest.mark.parametrize("setting", ["reach=cpu", "processes=2"])
def test_what_a_machine_can_do_retrains_nothing(smoke, setting):
    done = smoke.snakemake(*TARGETS, "--dry-run", "--config", setting)
    assert done.returncode == 0, done.stdout
    assert "Nothing to be done" in done.stdout


def test_what_a_machine_cannot_reach_is_not_planned(smoke):
    plans = [
        smoke.snakemake("paper", "--dry-run", *("--config", f"reach={reach}")).stdout
        for reach in ("all", "cpu")
    ]
    runs = [
        set(re.findall(r"output: results/paper/thesis/runs/(\w+)/\S+/seed", plan))
        for plan in plans
    ]
    assert runs == [{"mnist", "cifar10"}, {"mnist"}]


def test_an_unknown_reach_stops_the_workflow_with_the_known_ones(smoke):
    done = smoke.snakemake(*TARGETS, "--dry-run", "--config", "reach=gpu")
    assert done.returncode == 1
    assert "unknown reach 'gpu'; did you mean cpu? Known: all, cpu" in done.stdout


def test_a_new_activation_in_the_names_table_reruns_nothing(smoke):
    table = "workflow/reactivate/activations/__init__.py"
    with smoke.edited(table, '"relu":', '"hardswish": "torch.nn:Hardswish",\n        "relu":'):
        assert smoke.planned() == NOTHING


def test_a_corrected_printed_number_makes_the_table_again_and_trains_nothing(smoke):
    with smoke.edited("config/papers/gmp/paper.yaml", "3.057±0.144", "3.058±0.144"):
        assert smoke.planned() == ({"tabulate", "check", "audit", "join"}, set())


def test_a_plan_is_made_without_torch(smoke, tmp_path):
    for name in ("torch", "dvc"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise SystemExit('{name} was imported')\n")
    done = smoke.snakemake(*TARGETS, "--dry-run", path=f"workflow{os.pathsep}{tmp_path}")
    assert done.returncode == 0, done.stdout
    assert "Nothing to be done" in done.stdout


def test_a_misspelt_setting_stops_the_workflow_with_one_message(smoke):
    with smoke.edited("config/papers/gmp/paper.yaml", "    loss: mse", "    lost: mse"):
        done = smoke.snakemake(*TARGETS, "--dry-run")
    assert done.returncode == 1
    assert "config/papers/gmp/paper.yaml: recipes.document: unknown key 'lost'" in done.stdout


KILLED = Path("results/smoke/gmp/runs/yacht/mlp100-relu-wn-document")
FILES = ("metrics.csv", "history.csv", "model.safetensors")


@pytest.fixture(scope="session")
def left_alone(smoke):
    """Files of a run that nobody killed."""
    done = smoke.run(
        *("-m", "reactivate.stages.sweep", "--scale", "smoke", "--paper", "gmp"),
        *("--dataset", "yacht", "--cell", KILLED.name, "--out", "results/left_alone"),
    )
    assert done.returncode == 0, done.stdout
    return {name: (smoke.folder / "results/left_alone" / name).read_bytes() for name in FILES}


@pytest.mark.parametrize("before", ["metrics.csv", "run.json"])
def test_a_run_killed_half_way_is_not_done_and_ends_with_the_same_bytes(
    smoke, left_alone, tmp_path, before
):
    (tmp_path / "sitecustomize.py").write_text(KILLER, encoding="utf-8")
    shutil.rmtree(smoke.folder / KILLED, ignore_errors=True)
    target = f"{KILLED}/run.json"
    path = f"workflow{os.pathsep}{tmp_path}"
    killed = smoke.snakemake(target, path=path, KILL_BEFORE=before)
    assert killed.returncode == -signal.SIGKILL, killed.stdout
    assert not (smoke.folder / target).exists()
    assert (smoke.folder / KILLED / "checkpoints").exists()
    unlocked = smoke.snakemake("--unlock")
    assert unlocked.returncode == 0, unlocked.stdout
    assert smoke.planned(f"{KILLED}/metrics.csv") == ({"sweep"}, {("yacht", KILLED.name)})
    done = smoke.snakemake(target)
    assert done.returncode == 0, done.stdout
    assert {name: (smoke.folder / KILLED / name).read_bytes() for name in FILES} == left_alone
    assert '"resumes": 1' in (smoke.folder / target).read_text(encoding="utf-8")


def test_a_corrupt_weights_file_is_refused_with_its_name_and_what_to_do(smoke):
    weights = "results/smoke/gmp/runs/boston/mlp100-relu-gmp-document/model.safetensors"
    content = (smoke.folder / weights).read_bytes()
    (smoke.folder / weights).write_bytes(content[: len(content) // 2])
    done = smoke.run(
        *("-m", "reactivate.stages.tabulate", "--scale", "smoke"),
        *("--paper", "gmp", "--exhibit", "table3"),
    )
    (smoke.folder / weights).write_bytes(content)
    assert done.returncode == 1
    assert done.stdout.startswith(f"error: {weights}: sha256 is ")
    assert "Delete " in done.stdout
    assert "Traceback" not in done.stdout


def test_results_that_are_a_file_stop_the_workflow_before_any_training(smoke):
    results = smoke.folder / "results"
    results.rename(smoke.folder / "results_away")
    results.write_text("not a folder", encoding="utf-8")
    done = smoke.snakemake(*TARGETS)
    results.unlink()
    (smoke.folder / "results_away").rename(results)
    assert done.returncode == 1
    assert "results is a file, but results are written below it; move it away" in done.stdout


def test_notebook_tells_the_story_without_training(smoke):
    before = {path: path.stat().st_mtime_ns for path in smoke.folder.glob("results/**/run.json")}
    done = smoke.snakemake("results/smoke/gmp/notebook.html")
    assert done.returncode == 0, done.stdout
    page = (smoke.folder / "results/smoke/gmp/notebook.html").read_text(encoding="utf-8")
    assert page.count("data:image/webp;base64") >= 2
    assert "3.057±0.144" in page  # printed
    done = smoke.snakemake("results/smoke/thesis/notebook.html")
    assert done.returncode == 0, done.stdout
    page = (smoke.folder / "results/smoke/thesis/notebook.html").read_text(encoding="utf-8")
    assert "Figure 3.10 was not made here at scale smoke" in page
    assert "98.45" in page  # printed
    assert before == {path: path.stat().st_mtime_ns for path in before}
