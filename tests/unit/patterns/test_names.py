"""The package's names are found without torch, and its own modules take them at their source."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import reactivate
from reactivate import patterns

NAMES = [(module, name) for module, names in patterns.MODULES.items() for name in names]
SOURCES = sorted(Path(reactivate.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_name_of_the_package_is_that_of_its_module(module, name):
    source = import_module(f"reactivate.patterns.{module}")
    assert getattr(patterns, name) is getattr(source, name)


def test_no_name_hides_a_module():
    assert not {name for _, name in NAMES} & {path.stem for path in SOURCES}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'patern'"):
        patterns.patern  # noqa: B018


def test_the_names_table_does_not_import_torch():
    code = "import sys, reactivate.patterns; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_the_code_digest_follows_every_use_inside_the_package(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    taken = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "reactivate.patterns"
        for alias in node.names
    }
    assert not taken & {name for _, name in NAMES}
