"""A stage that works where a storage keeps results still finds what belongs to the project."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from reactivate.experiment.outputs import made_with
from reactivate.foundation.workplace import checkpoints, of_project, working_in

ROOT = Path(__file__).parents[3]
STAGE = """
from pathlib import Path
from reactivate.foundation.arguments import named_arguments
scale, out = named_arguments(None, "scale", "out")
from reactivate.evidence.environment import git_state
from reactivate.experiment.catalog.catalog import catalog
from reactivate.experiment.loading import load_paper_scales, paper_names
from reactivate.experiment.metrics import metric_names
print(out)
print(Path("results/mark").read_text())
print(*paper_names(), len(catalog()) > 5, len(metric_names()) > 5)
print(scale in load_paper_scales("gmp"), git_state().commit is not None)
"""


def run_stage(folder, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "-c", STAGE, "--scale", "smoke", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": "workflow"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_results_are_those_of_the_storage_and_configuration_that_of_the_project(tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/mark").write_text("a copy")
    store = os.path.relpath(tmp_path, ROOT)
    done = run_stage(ROOT, "--root", store, "--out", f"{store}/results/x")
    assert done.stdout.splitlines() == [
        "results/x",
        "a copy",
        "crelu gmp iieu psc thesis True True",
        "True True",
    ], done.stderr


@pytest.mark.parametrize(
    ("place", "expected"),
    [(None, "results/a/checkpoints"), ("/mnt/disk", "/mnt/disk/results/a")],
)
def test_checkpoints_are_beside_results_or_where_the_variable_says(monkeypatch, place, expected):
    monkeypatch.delenv("REACTIVATE_CHECKPOINTS", raising=False)
    if place:
        monkeypatch.setenv("REACTIVATE_CHECKPOINTS", place)
    assert checkpoints(Path("results/a")) == Path(expected)


CELL = "cifar10/vgg16-relu-bn-nep"
TRAINED = [
    "metrics.csv",
    "history.csv",
    "predictions.safetensors",
    "model.safetensors",
    "run.json",
]
OBSERVED = ["activations.csv", "weights.csv", "network.csv", "similarities.csv", "entropies.csv"]


@pytest.mark.parametrize(
    ("record", "names"),
    [
        (f"runs/{CELL}/seed0/run.json", [*TRAINED, "masks.csv"]),
        ("runs/cifar10/vgg16-relu-bn-sgd/seed0/run.json", TRAINED),
        (f"observe/{CELL}/seed0/run.json", [*TRAINED, *OBSERVED]),
        (f"attack/{CELL}/pgd/seed0/run.json", ["images.csv", "metrics.csv", "run.json"]),
        (
            f"certify/{CELL}/plain/seed0/run.json",
            ["images.csv", "metrics.csv", "run.json", "times.csv"],
        ),
        ("analyse/figure1/run.json", ["values.csv", "run.json"]),
        ("table6_1.provenance.json", ["table6_1.provenance.json"]),
    ],
)
def test_all_files_of_the_folder_of_a_record_are_known(record, names):
    path = Path("results/smoke/thesis") / record
    assert made_with([path], pruned=["nep"]) == [path.parent / name for name in names]


def test_who_worked_elsewhere_is_back_afterwards(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "workflow")
    before = Path.cwd(), sys.path[:], dict(os.environ)

    def work():
        with working_in(tmp_path):
            assert Path.cwd() == tmp_path
            assert of_project("config").is_absolute()
            os.environ["LEFT_BEHIND"] = "1"
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert (Path.cwd(), sys.path[:], dict(os.environ)) == before
