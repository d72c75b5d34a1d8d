"""A result's code digest follows what the code computes and nothing else."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from reactivate.activations import ACTIVATIONS
from reactivate.experiment.catalog.catalog import catalog
from reactivate.experiment.catalog.formats import FOLDER_FORMATS, IMAGE_FORMATS, TABLE_FORMATS
from reactivate.foundation import digests as provenance
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.batched import BATCHED
from reactivate.models import MODELS

ROOT = Path(__file__).parents[3]
STAGE = "reactivate.stages.sweep"
TRAIN = "reactivate.stages.train"


@pytest.fixture(scope="module")
def _copied_once(tmp_path_factory):
    """The package and a copy, with what digests remember of its files in ``__pycache__``."""
    source = ROOT / "workflow" / "reactivate"
    for path in source.rglob("*.py"):
        provenance.read(".".join(path.relative_to(source.parent).with_suffix("").parts))
    ignore = shutil.ignore_patterns("*.pyc", "*.part")
    copy = tmp_path_factory.mktemp("copied") / "reactivate"
    return source, shutil.copytree(source, copy, ignore=ignore)


@pytest.fixture
def package(_copied_once, monkeypatch):
    """A copy of the package whose files a test may edit; those that it does not are not parsed."""
    source, copy = _copied_once
    monkeypatch.setattr(provenance, "ROOT", copy.parent)
    yield copy
    for path in source.rglob("*.py"):
        own = copy / path.relative_to(source)
        if own.stat().st_mtime_ns != path.stat().st_mtime_ns:
            shutil.copy2(path, own)
    forget()


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A package of three modules: ``a`` imports ``b``, nobody imports ``c``."""
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    package = tmp_path / "reactivate"
    package.mkdir()
    (package / "a.py").write_text("import os\nfrom reactivate.b import f\n\nx = f(1)\n")
    (package / "b.py").write_text("def f(x):\n    return x + 1\n")
    (package / "c.py").write_text("y = 1\n")
    return package


@pytest.fixture
def digest():
    """The digest of some targets, computed anew."""

    def compute(*targets):
        forget()
        return provenance.code_digest(*targets)

    yield compute
    forget()


def forget():
    provenance.forget()


def parameterization_digests():
    forget()
    relu, targets = ACTIVATIONS.target("relu"), BATCHED.targets
    return {name: provenance.code_digest(STAGE, relu, targets[name]) for name in targets}


def activation_digests():
    forget()
    sp, targets = BATCHED.target("sp"), ACTIVATIONS.targets
    return {name: provenance.code_digest(STAGE, targets[name], sp) for name in targets}


def network_digests():
    """Of image networks: each with one activation and one parameterization."""
    forget()
    relu, bn = ACTIVATIONS.target("relu"), PARAMETERIZATIONS.target("bn")
    return {n: provenance.code_digest(TRAIN, relu, bn, t) for n, t in MODELS.targets.items()}


def append(path, code):
    path.write_text(path.read_text(encoding="utf-8") + code, encoding="utf-8")


def changed(before, after):
    return {name for name in before if before[name] != after[name]}


def test_a_digest_follows_imports_inside_the_package(toy, digest):
    before = digest("reactivate.a")
    (toy / "b.py").write_text("def f(x):\n    return x + 2\n")
    assert digest("reactivate.a") != before


@pytest.mark.parametrize(
    "statement",
    [
        "import reactivate.c",
        "from reactivate import c",
        "from reactivate.c import y",
        "def g():\n    from reactivate.c import y\n    return y",
    ],
    ids=["import", "from package", "from module", "inside a function"],
)
def test_every_way_to_import_is_followed(toy, digest, statement):
    append(toy / "a.py", f"{statement}\n")
    before = digest("reactivate.a")
    (toy / "c.py").write_text("y = 2\n")
    assert digest("reactivate.a") != before


def test_a_module_nobody_imports_does_not_count(toy, digest):
    before = digest("reactivate.a")
    (toy / "c.py").write_text("y = 2\n")
    assert digest("reactivate.a") == before


def test_modules_that_import_each_other_have_a_digest(toy, digest):
    append(toy / "b.py", "import reactivate.a\n")
    before = digest("reactivate.a")
    append(toy / "b.py", "z = 1\n")
    assert digest("reactivate.a") != before


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    # why\n    return x + 1  # trailing\n",
        'def f(x):\n    """What it does."""\n    return x + 1\n',
        '"""A module."""\n\n\ndef f(x):\n\n    return (x +\n            1)\n',
        "def f(x): return x + 1",
    ],
    ids=["comment", "docstring", "module docstring and layout", "one line"],
)
def test_comments_docstrings_and_layout_do_not_count(toy, digest, text):
    before = digest("reactivate.a")
    (toy / "b.py").write_text(text)
    assert digest("reactivate.a") == before


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return x + 1.0\n",
        "def f(x=0):\n    return x + 1\n",
        "def f(x):\n    'returned'\n    return 'returned'\n",
        "def f(x):\n    return x - 1\n",
    ],
    ids=["constant", "default", "a string that is returned", "operator"],
)
def test_what_is_computed_counts(toy, digest, text):
    before = digest("reactivate.a")
    (toy / "b.py").write_text(text)
    assert digest("reactivate.a") != before


def test_touching_a_file_does_not_count(toy, digest):
    before = digest("reactivate.a")
    (toy / "b.py").touch()
    assert digest("reactivate.a") == before


def test_the_registered_class_counts_not_only_its_module(digest):
    smu, smu1 = ACTIVATIONS.target("smu"), ACTIVATIONS.target("smu1")
    assert smu.partition(":")[0] == smu1.partition(":")[0]
    assert digest(STAGE, smu) != digest(STAGE, smu1)


def test_code_outside_the_package_counts_by_its_name(digest):
    assert digest(STAGE, "torch.nn:ReLU") != digest(STAGE, "torch.nn:ELU")


def test_the_order_of_targets_does_not_count(digest):
    assert digest(STAGE, "torch.nn:ReLU") == digest("torch.nn:ReLU", STAGE)


@pytest.mark.parametrize("name", sorted(BATCHED.targets))
def test_editing_a_parameterization_changes_exactly_its_cells(package, name):
    before = parameterization_digests()
    append(package / "layers" / "batched" / f"{name}.py", "\nEDITED = 1\n")
    assert changed(before, parameterization_digests()) == {name}


@pytest.mark.parametrize(
    ("module", "cells"),
    [("crelu", {"crelu"}), ("smu", {"smu", "smu1"}), ("erf", {"erfact", "pserf"})],
)
def test_editing_an_activation_changes_exactly_its_cells(package, module, cells):
    before = activation_digests()
    append(package / "activations" / f"{module}.py", "\nEDITED = 1\n")
    assert changed(before, activation_digests()) == cells


@pytest.mark.parametrize(
    "path",
    [
        "layers/batched/affine.py",
        "models/batched_mlp.py",
        "foundation/seeding.py",
        "stages/sweep.py",
        "training/adam.py",
        "training/batched.py",
        "training/monitor.py",
        "training/splits.py",
    ],
)
def test_editing_what_all_runs_share_changes_all_cells(package, path):
    before = parameterization_digests()
    append(package / path, "\nEDITED = 1\n")
    assert changed(before, parameterization_digests()) == set(before)


@pytest.mark.parametrize("name", sorted(provenance.NEUTRAL))
def test_editing_a_neutral_module_changes_no_cell(package, name):
    small, networks = parameterization_digests(), network_digests()
    path = package / name.replace(".", "/")
    for file in path.glob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
        append(file, "\nEDITED = 1\n")
    assert changed(small, parameterization_digests()) == set()
    assert changed(networks, network_digests()) == set()


TABLES = ["activations", "layers", "layers/batched", "models"]


@pytest.mark.parametrize("path", TABLES)
def test_a_new_name_in_a_table_changes_no_cell(package, path):
    small, networks = parameterization_digests(), network_digests()
    file = package / path / "__init__.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("    {\n", '    {\n        "new": "torch.nn:ReLU6",\n', 1))
    assert changed(small, parameterization_digests()) == set()
    assert changed(networks, network_digests()) == set()


@pytest.mark.parametrize("path", TABLES)
def test_code_beside_a_table_changes_all_cells_that_import_it(package, path):
    networks = network_digests()
    append(package / path / "__init__.py", "\nEDITED = 1\n")
    assert changed(networks, network_digests()) == set(networks)


def dataset_digests():
    forget()
    stage = "reactivate.stages.prepare"
    known = catalog(ROOT / "config" / "datasets.yaml")
    return {name: provenance.code_digest(stage, *entry.readers) for name, entry in known.items()}


@pytest.mark.parametrize("kind", ["table", "image", "folder"])
def test_a_new_format_changes_no_dataset(package, kind):
    before = dataset_digests()
    file = package / "experiment" / "catalog" / "formats.py"
    old = f'    "{kind} format",\n    {{\n'
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(
        text.replace(old, old + '        "new": "torch.nn:ReLU6",\n'), encoding="utf-8"
    )
    assert changed(before, dataset_digests()) == set()


PASTED = ("pasted_objects", "pasted_materials")


@pytest.mark.parametrize(
    ("module", "datasets"),
    [
        ("idx", {"mnist", "fashion_mnist", *PASTED}),
        ("coco_folder", {"pasted_objects"}),
        ("materials_folder", {"pasted_materials"}),
        ("pasted", set(PASTED)),
        ("cifar10", {"cifar10"}),
        ("cifar100", {"cifar100"}),
        ("tiny_imagenet", {"tiny_imagenet20"}),
        ("imagenet32", {"imagenet32"}),
        ("streamed", {"imagenet", "coco", "kitti_materials", "kitti_materials_split2"}),
        ("spreadsheet", {"concrete", "power"}),
        ("delimited", {"boston", "concrete", "energy", "wine", "yacht", "banana"}),
    ],
)
def test_editing_the_reader_of_a_format_changes_exactly_its_datasets(package, module, datasets):
    before = dataset_digests()
    append(package / "preparation" / f"{module}.py", "\nEDITED = 1\n")
    assert changed(before, dataset_digests()) == datasets


@pytest.mark.parametrize("path", ["preparation/sources.py", "stages/prepare.py"])
def test_editing_what_all_datasets_share_changes_all_of_them(package, path):
    before = dataset_digests()
    append(package / path, "\nEDITED = 1\n")
    assert changed(before, dataset_digests()) == set(before)


BUILT_FROM = {"cifar_resnet": ["psc_resnet"]}


@pytest.mark.parametrize("module", ["allcnn", "cifar_resnet", "cifar_vgg", "convpool", "mobile"])
def test_editing_an_image_network_changes_exactly_its_cells(package, module):
    before = network_digests()
    append(package / "models" / f"{module}.py", "\nEDITED = 1\n")
    using = (module, *BUILT_FROM.get(module, ()))
    homes = tuple(f"reactivate.models.{name}:" for name in using)
    inside = {name for name, target in MODELS.targets.items() if target.startswith(homes)}
    assert inside
    assert changed(before, network_digests()) == inside


@pytest.mark.parametrize(
    "path",
    [
        "datasets/augment.py",
        "foundation/seeding.py",
        "evidence/image_runs.py",
        "stages/train.py",
        "training/accuracy.py",
        "training/callbacks.py",
        "training/inputs.py",
        "training/metrics.py",
        "training/optimizers.py",
        "training/run.py",
        "training/schedules.py",
        "training/snapshots.py",
        "training/strategies.py",
        "training/folder_inputs.py",
        "training/trainer.py",
    ],
)
def test_editing_what_all_image_networks_share_changes_all_of_them(package, path):
    before = network_digests()
    append(package / path, "\nEDITED = 1\n")
    assert changed(before, network_digests()) == set(before)


@pytest.mark.parametrize(
    ("path", "stage"),
    [
        ("pruning/pruner.py", "prune"),
        ("training/pruning/callback.py", "prune"),
        ("training/observing/recorder.py", "observe"),
        ("training/defending/strategy.py", "defend"),
    ],
)
def test_editing_what_one_stage_does_to_a_network_changes_that_stage_only(package, path, stage):
    def digests():
        forget()
        stages = ("train", "prune", "defend", "observe")
        return {name: provenance.code_digest(f"reactivate.stages.{name}") for name in stages}

    before = digests()
    append(package / path, "\nEDITED = 1\n")
    assert changed(before, digests()) == {stage}


@pytest.mark.parametrize(
    "path",
    ["auditing/rows.py", "evidence/predictions.py", "stages/tabulate.py", "evidence/tables.py"],
)
def test_editing_what_tables_are_made_with_changes_no_cell(package, path):
    small, networks = parameterization_digests(), network_digests()
    append(package / path, "\nEDITED = 1\n")
    assert changed(small, parameterization_digests()) == set()
    assert changed(networks, network_digests()) == set()


def test_every_registered_target_is_found_by_the_digest():
    """A target that does not resolve to a file would silently count by its name only."""
    library = (ACTIVATIONS, BATCHED, MODELS, PARAMETERIZATIONS)
    registries = (*library, TABLE_FORMATS, IMAGE_FORMATS, FOLDER_FORMATS)
    targets = [target for registry in registries for target in registry.targets.values()]
    ours = [t.partition(":")[0] for t in targets if t.startswith("reactivate")]
    assert [module for module in ours if provenance.read(module) is None] == []


def test_building_the_dag_does_not_import_torch():
    script = """
import sys
from reactivate.experiment import loading
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.catalog.catalog import dataset
from reactivate.foundation.digests import code_digest
from reactivate.experiment.paths import run_folder
for scale in loading.load_scales():
    for paper in loading.paper_names():
        for exhibit in loading.load_paper(paper).run_exhibits:
            Experiment.load(scale, "cpu").exhibit(paper, exhibit).records
            for grid_cell in Experiment.load(scale).exhibit(paper, exhibit).places:
                Experiment.load(scale).cell(paper, grid_cell.cell).settings.model_dump_json()
                code_digest(*Experiment.load("paper").cell(paper, grid_cell.cell).modules())
                run_folder(scale, paper, grid_cell.cell)
                dataset(grid_cell.cell.dataset).fingerprint()
print(sorted({"torch", "scipy", "pandas", "dvc"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("stage", ["train", "sweep", "certify", "analyse"])
def test_a_change_of_the_rules_of_evidence_makes_no_run_stale(stage):
    """The forms of claims know the words of a verdict, not how it is reached."""
    loaded = {
        name for name in provenance.closure(f"reactivate.stages.{stage}") if "judging" in name
    }
    assert loaded == {f"reactivate.judging{part}" for part in ("", ".asked", ".verdicts")}
