"""The package's names are found without torch, and are those of their modules."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import reactivate
from reactivate import smoothing

NAMES = [(module, name) for module, names in smoothing.MODULES.items() for name in names]


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_name_of_the_package_is_that_of_its_module(module, name):
    source = import_module(f"reactivate.smoothing.{module}")
    assert getattr(smoothing, name) is getattr(source, name)


def test_no_name_hides_a_module():
    stems = {path.stem for path in Path(reactivate.__file__).parent.rglob("*.py")}
    assert not {name for _, name in NAMES} & stems


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'certfy'"):
        smoothing.certfy  # noqa: B018


def test_the_names_table_does_not_import_torch():
    code = "import sys, reactivate.smoothing; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
