"""Imports go one way: a package imports from its own layer and from those below it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "workflow" / "reactivate"
LIBRARY = (
    "activations",
    "layers",
    "models",
    "datasets",
    "patterns",
    "filters",
    "attacks",
    "defences",
    "smoothing",
    "pruning",
    "reconstruction",
)
LAYERS = (  # from the ground up
    ("foundation", "warm"),
    LIBRARY,
    ("judging",),
    ("experiment",),
    ("preparation",),
    ("training",),
    ("evidence",),
    ("documents",),
    ("auditing",),
    ("stages",),
    ("artifacts",),
    ("commands",),
    ("cli",),
)
RANK = {package: rank for rank, layer in enumerate(LAYERS) for package in layer}
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def top(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path):
    """The modules of the package that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("reactivate."))
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("reactivate."):
            yield node.module


def upward(path):
    """The imports of a file that go up."""
    return [name for name in imported(path) if RANK[name.split(".")[1]] > RANK[top(path)]]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_nothing_from_above(path):
    assert upward(path) == []


def test_no_module_is_loose_and_no_package_is_without_a_layer():
    loose = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert loose == {"cli"}
    assert loose | packages == set(RANK)


def test_no_two_packages_import_each_other():
    edges = {}
    for path in MODULES:
        targets = {name.split(".")[1] for name in imported(path)} - {top(path)}
        edges.setdefault(top(path), set()).update(targets)
    while leaves := [name for name, targets in edges.items() if not targets & edges.keys()]:
        edges = {name: targets for name, targets in edges.items() if name not in leaves}
    assert edges == {}


def test_a_document_imports_no_other_document():
    documents = PACKAGE / "documents"
    for path in documents.rglob("*/*.py"):
        own = path.relative_to(documents).parts[0]
        mine = [name for name in imported(path) if name.startswith("reactivate.documents.")]
        others = {name.split(".")[2] for name in mine}
        assert others <= {own, "shared"}, path


def test_an_import_that_goes_up_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    file = tmp_path / "layers" / "gmp.py"
    file.parent.mkdir()
    file.write_text(
        "from reactivate.stages.train import main\nimport reactivate.foundation.files\n"
    )
    assert upward(file) == ["reactivate.stages.train"]
