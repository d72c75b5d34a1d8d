"""The package's names are found without torch, and its own modules take them at their source."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
import reactivate
from reactivate import pruning
from reactivate.experiment.recipes import Pruning
from reactivate.pruning.blends import PruningProtocol
from reactivate.pruning.removal import METHODS

NAMES = [(module, name) for module, names in pruning.MODULES.items() for name in names]
LIBRARY = Path(reactivate.__file__).parent
SOURCES = sorted(LIBRARY.rglob("*.py"))


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_name_of_the_package_is_that_of_its_module(module, name):
    source = import_module(f"reactivate.pruning.{module}")
    assert getattr(pruning, name) is getattr(source, name)


def test_no_name_hides_a_module():
    modules = {path.stem for path in SOURCES if path.parent.name == "pruning"}
    assert not {name for _, name in NAMES} & modules


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'prun'"):
        pruning.prun  # noqa: B018


def test_the_names_table_does_not_import_torch():
    code = "import sys, reactivate.pruning; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("package", ["pruning", "defences"])
def test_the_package_is_a_library_of_its_own(package):
    """It knows no recipe, no training and no record: all its modules load without them."""
    modules = [path.stem for path in sorted((LIBRARY / package).glob("*.py"))]
    code = f"""
import sys
from importlib import import_module
for name in {modules}:
    import_module(f"reactivate.{package}.{{name}}")
above = ("experiment", "training", "evidence", "documents", "auditing", "stages", "commands")
loaded = [name for name in sys.modules if name.startswith("reactivate.")]
found = [name for name in loaded if name.split(".")[1] in above]
sys.exit(", ".join(found + [name for name in ("pydantic", "pandas") if name in sys.modules]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == ""


def test_the_code_digest_follows_every_use_inside_the_package():
    texts = [path.read_text(encoding="utf-8") for path in SOURCES]
    taken = {
        alias.name
        for text in texts
        if "from reactivate.pruning import" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module == "reactivate.pruning"
        for alias in node.names
    }
    assert not taken & {name for _, name in NAMES}


def test_a_recipe_may_name_every_protocol():
    assert get_args(Pruning.model_fields["protocol"].annotation) == get_args(PruningProtocol)


def test_a_recipe_may_name_every_blend():
    assert get_args(Pruning.model_fields["blend"].annotation) == METHODS
