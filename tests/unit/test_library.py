"""The library stands alone: it imports without the pipeline, and offers its names on use."""

import ast
import subprocess
import sys
from dataclasses import FrozenInstanceError, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest
import reactivate

PACKAGE = Path(reactivate.__file__).parent
LIBRARY = [
    *("activations", "layers", "models", "datasets", "patterns", "filters"),
    *("attacks", "defences", "smoothing", "pruning", "reconstruction"),
    *("detection", "segmentation"),
]
TOOLS = ["pandas", "pydantic", "yaml", "snakemake", "dvc", "matplotlib"]
PIPELINE = sorted(
    f"reactivate.{path.parent.name}"
    for path in PACKAGE.glob("*/__init__.py")
    if path.parent.name not in (*LIBRARY, "foundation")
)

IMPORT_ALL = """
import sys
from dataclasses import FrozenInstanceError, is_dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if any(name == other or name.startswith(other + ".") for other in {refused!r}):
            return ModuleSpec(name, self)  # torch asks whether pandas is there, and leaves it

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        raise ImportError(module.__name__ + " is refused")

sys.meta_path.insert(0, Refuse())
for name in {modules!r}:
    try:
        import_module(name)
    except ImportError as error:
        print(name, "wants what it should not:", error)
"""


def modules_of(package):
    """Names of all modules of a package, itself included."""
    paths = (path.relative_to(PACKAGE.parent) for path in (PACKAGE / package).rglob("*.py"))
    return sorted(".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths)


def complaints(modules, refused):
    """What a fresh interpreter says that refuses some packages and imports the modules."""
    code = IMPORT_ALL.format(modules=modules, refused=refused)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


@pytest.mark.slow
def test_every_module_of_the_library_imports_without_the_pipeline_and_its_tools():
    modules = [name for package in LIBRARY for name in modules_of(package)]
    assert complaints(modules, [*TOOLS, *PIPELINE]) == []


def test_the_import_hook_refuses():
    (line,) = complaints(["reactivate.stages.certify"], TOOLS)
    assert "pandas is refused" in line or "pydantic is refused" in line


def test_foundation_and_the_names_of_packages_import_without_torch():
    packages = [f"reactivate.{name}" for name in LIBRARY]
    assert complaints([*modules_of("foundation"), *packages], ["torch"]) == []


# records that are not complete at once, or are of the moment
FILLED = {"_Trace", "Kernel", "Comparison", "Verification", "Present"}
WITH_NAMES = [
    *("detection", "filters", "patterns", "pruning", "reconstruction", "segmentation"),
    "smoothing",
]
NAMES = [
    (package, module, name)
    for package in WITH_NAMES
    for module, names in import_module(f"reactivate.{package}").MODULES.items()
    for name in names
]


@pytest.mark.parametrize(("package", "module", "name"), NAMES)
def test_a_name_of_a_package_is_that_of_its_module_and_hides_none(package, module, name):
    source = import_module(f"reactivate.{package}.{module}")
    assert getattr(import_module(f"reactivate.{package}"), name) is getattr(source, name)
    assert f"reactivate.{package}.{name}" not in modules_of(package)


@pytest.mark.parametrize("package", WITH_NAMES)
def test_an_unknown_name_of_a_package_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match="has no attribute 'patern'"):
        import_module(f"reactivate.{package}").patern  # noqa: B018


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.stem)
def test_the_project_imports_names_from_their_modules(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    taken = {
        (node.module.removeprefix("reactivate."), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    assert not taken & {(package, name) for package, _, name in NAMES}


def records_of(package):
    """Dataclasses of a package, but those that are filled piece by piece."""
    for name in modules_of(package):
        for record in vars(import_module(name)).values():
            own = isinstance(record, type) and is_dataclass(record) and record.__module__ == name
            if own and record.__name__ not in FILLED:
                yield record


@pytest.mark.parametrize("package", [*LIBRARY, "judging", "auditing"])
def test_a_record_of_a_package_cannot_be_changed(package):
    for record in records_of(package):
        with pytest.raises(FrozenInstanceError):
            object.__new__(record).changed = True
