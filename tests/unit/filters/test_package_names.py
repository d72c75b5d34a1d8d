"""Names of the packages on filters and reconstruction are those of the modules behind them."""

from importlib import import_module
from pathlib import Path

import pytest
from reactivate import filters, reconstruction

NAMES = [
    pytest.param(package, module, name, id=f"{package.__name__}.{name}")
    for package in (filters, reconstruction)
    for module, names in package.MODULES.items()
    for name in names
]


@pytest.mark.parametrize(("package", "module", "name"), NAMES)
def test_a_name_is_that_of_its_module_and_hides_none(package, module, name):
    source = import_module(f"{package.__name__}.{module}")
    assert getattr(package, name) is getattr(source, name)
    assert not Path(package.__file__).with_name(f"{name}.py").exists()


@pytest.mark.parametrize("package", [filters, reconstruction])
def test_an_unknown_name_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match="has no attribute 'patern'"):
        package.patern  # noqa: B018
