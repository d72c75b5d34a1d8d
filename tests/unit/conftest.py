"""A project folder in which Table 3 of gmp was run at scale smoke, on synthetic data."""

import shutil
from contextlib import chdir
from datetime import date
from pathlib import Path

import pytest
import yaml
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.experiment import Experiment, forget
from reactivate.foundation.configuration import read_yaml

ROOT = Path(__file__).parents[2]
NOWHERE = {  # the environment of made-up runs
    "git": {"commit": None, "dirty": None},
    "python": "3",
    "packages": {},
    "machine": {"system": "none", "cpu": "none", "gpu": None, "threads": 1},
    "peak_memory_mb": 1,
}

READ_OR_PROVED = ("figure3_units", "degrees_of_freedom")  # a misprint, and a count
REPLY = {"author": "A. Author", "date": date(2027, 1, 31), "says": "Ten splits are few."}
HEADLINE = {
    "says": "GmP is best.",
    "quote": "GmP consistently achieves the best test RMSE",
    "lines": [253, 253],
    "claims": ["gmp_best", "figure3_units"],
    "exhibits": ["table3"],
}


def write_configuration(folder):
    """The project's, reduced to the one exhibit that is run here."""
    own = folder / "config" / "papers" / "gmp"
    own.mkdir(parents=True)
    shared = "arithmetic.yaml", "datasets.yaml", "metrics.yaml", "labels.yaml", "resources.yaml"
    for name in (*shared, "papers/gmp/datasets.yaml", "papers/gmp/labels.yaml"):
        shutil.copy(ROOT / "config" / name, folder / "config" / name)
    paper = read_yaml(ROOT / "config/papers/gmp/paper.yaml")
    paper["exhibits"] = {"table3": paper["exhibits"]["table3"]}
    paper["claims"] = {
        name: claim
        for name, claim in paper["claims"].items()
        if name in READ_OR_PROVED or claim.get("check", {}).get("exhibit") == "table3"
    }
    paper["claims"]["gmp_best"]["reply"] = REPLY
    paper["headlines"] = {"improvements": HEADLINE}
    part = {"protocols": ["document"], "rows": ["sp", "gmp"], "columns": ["boston", "yacht"]}
    limits = {
        "recipes": {"document": {"epochs": 5, "seeds": 3}},
        "exhibits": {"table3": part},
    }
    write_yaml(own / "paper.yaml", paper)
    write_scales(folder, {"says": "a few epochs"}, {"gmp": limits})


def write_yaml(path, content):
    """A file of the configuration."""
    path.parent.mkdir(parents=True, exist_ok=True)
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # the one in C writes the same
    text = yaml.dump(content, Dumper=dumper, sort_keys=False, allow_unicode=True)
    path.write_text(text, encoding="utf-8")


def write_scales(folder, smoke, limits):
    """The scale smoke, what it changes of papers, and the printed one."""
    printed = {"says": "the printed protocol"}
    write_yaml(folder / "config/scales.yaml", {"smoke": smoke, "paper": printed})
    for paper, changed in limits.items():
        write_yaml(folder / f"config/papers/{paper}/scales.yaml", {"smoke": changed})


def write_data(folder):
    import torch
    from made_up import write_prepared

    for seed, (name, features) in enumerate([("boston", 13), ("yacht", 6)]):
        stream = torch.Generator().manual_seed(seed)
        x = torch.randn(60, features, dtype=torch.float64, generator=stream)
        write_prepared(folder, name, {"x": x, "y": x[:, :1].sin() + x[:, 1:2]}, told=False)


@pytest.fixture(scope="session")
def _unrun(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unrun")
    write_configuration(folder)
    write_data(folder)
    (folder / "docs").mkdir()
    for path, names in {
        "README.md": ["verdicts"],
        "docs/answers.md": ["answers", "readings"],
    }.items():
        marks = [f"<!-- {name}: begin -->\n<!-- {name}: end -->" for name in names]
        text = "\n\n".join(["# Toy", *marks, "The end.\n"])
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def _run_once(_unrun, tmp_path_factory):
    from reactivate.evidence.requests import Request
    from reactivate.experiment.paths import run_folder
    from reactivate.stages import audit, check, join, sweep, tabulate

    folder = tmp_path_factory.mktemp("finished") / "project"
    shutil.copytree(_unrun, folder)
    with chdir(folder):
        forget()
        for place in Experiment.load("smoke").exhibit("gmp", "table3").places:
            out = run_folder("smoke", "gmp", place.cell)
            sweep.run(Request("sweep", "smoke", "gmp", place.cell, out))
        tabulate.tabulate("smoke", "gmp", "table3")
        check.check("smoke", "gmp")
        audit.audit("smoke", "gmp")
        join.join("smoke")
        forget()
    return folder


def _copy(source, tmp_path, monkeypatch):
    folder = tmp_path / "project"
    shutil.copytree(source, folder)
    monkeypatch.chdir(folder)
    forget()
    return folder


@pytest.fixture
def unrun(_unrun, tmp_path, monkeypatch):
    """Configuration and data; nothing was run yet."""
    yield _copy(_unrun, tmp_path, monkeypatch)
    forget()


@pytest.fixture
def finished(_run_once, tmp_path, monkeypatch):
    """Runs, table and audit are there."""
    yield _copy(_run_once, tmp_path, monkeypatch)
    forget()


@pytest.fixture
def configure(unrun):
    """``configure(smoke, limits, papers)``: papers by file, and what smoke makes of them."""

    def write(smoke, limits, papers):
        shutil.rmtree(unrun / "config/papers")
        shutil.copytree(
            ROOT / "config/papers",
            unrun / "config/papers",
            ignore=_all_but("datasets.yaml", "labels.yaml"),
        )
        for name, content in papers.items():
            write_yaml(unrun / "config/papers" / name, content)
        write_scales(unrun, smoke, limits)
        forget()

    return write


def _all_but(*kept):
    def ignored(folder, names):
        return [n for n in names if n not in kept and not (Path(folder) / n).is_dir()]

    return ignored


@pytest.fixture
def pretend():
    """``pretend(scale, paper, exhibit)``: leaves what trained image networks would: folders."""

    def runs(scale, paper, exhibit):
        places = Experiment.load(scale).exhibit(paper, exhibit).places
        cells = dict.fromkeys(place.cell for place in places)
        return {cell: pretend_cell(scale, paper, cell) for cell in cells}

    return runs


def pretend_cell(scale, paper, cell):
    """Made-up metrics, history, predictions and weights of every seed, and their records."""
    import torch
    from reactivate.foundation.digests import code_digest
    from reactivate.training.metrics import final_metrics
    from reactivate.training.snapshots import State
    from safetensors.torch import save_file

    folders = Experiment.load(scale).cell(paper, cell).folders()
    labels = torch.arange(50) % 10
    for seed, folder in enumerate(folders):
        folder.mkdir(parents=True)
        stream = torch.Generator().manual_seed(len(str(cell)) + seed)
        scores = torch.randn(50, 10, generator=stream) + 2 * torch.eye(10)[labels]
        state = State(epoch=2, history=[{"train_loss": 2.9 - seed / 8}, {"train_loss": 2.7}])
        found = {"seed": seed, **final_metrics(state, (scores, labels), scores, (scores, labels))}
        lines = [",".join(found), ",".join(map(str, found.values()))]
        (folder / "metrics.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / "history.csv").write_text("epoch\n1\n2\n", encoding="utf-8")
        save_file({"scores": scores, "labels": labels}, folder / "predictions.safetensors")
        save_file({"weight": scores[:1].clone()}, folder / "model.safetensors")
        known = {"paper": paper, "scale": scale, "cell": cell, "seeds": [seed]}
        code = code_digest(*Experiment.load("paper").cell(paper, cell).modules())
        leave(folder, **known, code=code, settings={"made": "up"})
    return folders


def leave(folder, **changed):
    """The record of a made-up training of everything that is in a folder; its path."""
    from reactivate.evidence.details import checksums
    from reactivate.evidence.records import Record, write_record

    names = sorted(path.name for path in folder.iterdir())
    known = {
        "stage": "train",
        "code": "none",
        "modules": {},
        "data": {
            "name": changed["cell"].dataset,
            "sha256": getattr(dataset(changed["cell"].dataset), "prepared", "ab" * 32),
        },
        "environment": NOWHERE,
        "times": {"seconds": 1.0, "training_seconds": None, "resumes": 0},
        "settings": {"made": "up"},
        "warnings": [],
        "files": checksums(folder, names),
    }
    write_record(folder, Record(**{**known, **changed}))
    return folder / "run.json"


@pytest.fixture
def leave_record():
    """``leave_record(folder, paper=, scale=, cell=, seeds=)``: of a made-up training."""
    return leave


@pytest.fixture
def edit():
    """``edit(path, old, new)``: replaces a text that must be there."""

    def replace(path, old, new):
        text = Path(path).read_text(encoding="utf-8")
        assert old in text, f"{path} does not hold {old!r}"
        Path(path).write_text(text.replace(old, new), encoding="utf-8")

    return replace


@pytest.fixture
def in_processes(tmp_path):
    """``in_processes(work, count)``: what ``work(rank)`` returns in each of joined processes.

    They are forked, so that ``work`` may be any function, and torch is imported once.
    """

    def start(work, count=2):
        import torch

        def join(rank):
            meet = f"file://{tmp_path}/meet"
            torch.distributed.init_process_group(
                "gloo", init_method=meet, rank=rank, world_size=count
            )
            torch.distributed.barrier()  # none leaves before all have connected
            torch.save(work(rank), tmp_path / f"result{rank}")
            torch.distributed.destroy_process_group()

        (tmp_path / "meet").unlink(missing_ok=True)
        context = torch.multiprocessing.get_context("fork")
        children = [context.Process(target=join, args=(rank,)) for rank in range(count)]
        for child in children:
            child.start()
        for child in children:
            child.join(60)
            child.kill()
        assert [child.exitcode for child in children] == [0] * count
        return [torch.load(tmp_path / f"result{rank}") for rank in range(count)]

    return start


@pytest.fixture
def committer(monkeypatch):
    """Somebody in whose name git commits, whoever runs the tests."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "test")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "test@example.org")
