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
import yaml
from filelock import FileLock

pytestmark = pytest.mark.slow

TARGETS = ("results/smoke/gmp/table3.csv", "results/smoke/audit.html")
CELLS = {
    (dataset, f"mlp100-relu-{row}-document")
    for dataset in ("boston", "yacht")
    for row in ("sp", "gmp")
}
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


def only_table3(config):
    """Leaves the one exhibit that is trained here; the others take minutes and change nothing."""
    path = config / "papers" / "gmp.yaml"
    paper = yaml.safe_load(path.read_text(encoding="utf-8"))
    paper["exhibits"] = {"table3": paper["exhibits"]["table3"]}
    claims = paper["claims"].items()
    paper["claims"] = {k: c for k, c in claims if c["check"].get("exhibit") == "table3"}
    for other in path.parent.glob("*.yaml"):
        other.unlink()
    scales = yaml.safe_load((config / "scales.yaml").read_text(encoding="utf-8"))
    for scale in scales.values():
        for part in {"recipes", "exhibits"} & set(scale):
            scale[part] = {"gmp": scale[part].get("gmp", {})}
    for name, content in (("papers/gmp.yaml", paper), ("scales.yaml", scales)):
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
        (config / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="session")
def smoke(tmp_path_factory, copy_project):
    """The table and the audit were made: once for all test processes, a copy for each."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made, done = base / "smoke", base / "smoke_is_made"
    with FileLock(base / "smoke.lock"):
        if not done.exists():
            copy_project(made)
            only_table3(made / "config")
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
    assert [line["parameterization"] for line in lines] == ["sp", "gmp"]
    assert [line["boston printed"] for line in lines] == ["3.370±0.145", "3.057±0.144"]
    assert all(
        float(line[f"{name} document"]) > 0 for line in lines for name in ("boston", "yacht")
    )


def test_the_audit_has_a_row_for_every_printed_number_of_table_3(smoke):
    with (smoke.folder / "results/smoke/audit.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["claim"].startswith("gmp/table3/")]
    assert len(rows) == 24
    assert len({row["claim"] for row in rows}) == 24
    assert {row["verdict"] for row in rows} == {"not_comparable", "not_run(compute)"}


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
    assert rules == {"sweep", "tabulate", "audit"}


def test_a_changed_learning_rate_reruns_exactly_its_cells(smoke):
    with smoke.edited("config/papers/gmp.yaml", "      gmp: 0.1\n", "      gmp: 0.2\n"):
        assert smoke.planned()[1] == {(d, cell) for d, cell in CELLS if "-gmp-" in cell}


def test_a_new_activation_in_the_names_table_reruns_nothing(smoke):
    table = "workflow/reactivate/activations/__init__.py"
    with smoke.edited(table, '"relu":', '"hardswish": "torch.nn:Hardswish",\n        "relu":'):
        assert smoke.planned() == NOTHING


def test_a_corrected_printed_number_makes_the_table_again_and_trains_nothing(smoke):
    with smoke.edited("config/papers/gmp.yaml", "3.057±0.144", "3.058±0.144"):
        assert smoke.planned() == ({"tabulate", "audit"}, set())


def test_a_plan_is_made_without_torch(smoke, tmp_path):
    for name in ("torch", "dvc"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise SystemExit('{name} was imported')\n")
    done = smoke.snakemake(*TARGETS, "--dry-run", path=f"workflow{os.pathsep}{tmp_path}")
    assert done.returncode == 0, done.stdout
    assert "Nothing to be done" in done.stdout


def test_a_misspelt_setting_stops_the_workflow_with_one_message(smoke):
    with smoke.edited("config/papers/gmp.yaml", "    loss: mse", "    lost: mse"):
        done = smoke.snakemake(*TARGETS, "--dry-run")
    assert done.returncode == 1
    assert "config/papers/gmp.yaml: recipes.document: unknown key 'lost'" in done.stdout


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
    assert page.count("data:image/png;base64") >= 2
    assert "3.057±0.144" in page  # printed
    assert before == {path: path.stat().st_mtime_ns for path in before}
