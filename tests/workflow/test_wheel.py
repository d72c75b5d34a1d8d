"""The wheel in an environment of its own, where only what it declares can be imported."""

import subprocess
import sys
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "docs/library.md")
EXAMPLES = [path for path in DOCUMENTS if ">>> " in (ROOT / path).read_text("utf-8")]
LIBRARY = [
    *("activations", "layers", "models", "datasets", "patterns", "filters", "attacks"),
    *("defences", "smoothing", "pruning", "reconstruction", "detection", "segmentation"),
    "judging",
]
CORE = {"torch", "numpy", "scipy", "safetensors"}
# packages of the extra `vision`, which some modules of the library cannot do without
VISION = {"torchvision", "PIL", "pycocotools"}
IMPORT_ALL = """
import pkgutil
from importlib import import_module
import reactivate

library = {library!r}
for found in pkgutil.walk_packages(reactivate.__path__, "reactivate."):
    if found.name.split(".")[1] in library:
        try:
            import_module(found.name)
        except ModuleNotFoundError as error:
            print(error.name)
"""


@pytest.fixture(scope="module")
def wheel(copy_project, tmp_path_factory):
    """The wheel, built from a copy of the tree."""
    folder = tmp_path_factory.mktemp("source")
    copy_project(folder)
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    command = [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", "built", "."]
    subprocess.run(command, cwd=folder, check=True)
    (path,) = (folder / "built").glob("reactivate-*.whl")
    return path


def needed(names, found=None):
    """Distributions that some need, and those that these need, without extras."""
    found = {} if found is None else found
    for name in names:
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another system, or of a build of torch for GPUs
            continue
        wanted = map(Requirement, found[name].requires or [])
        needed([one.name for one in wanted if not one.marker or one.marker.evaluate()], found)
    return found


@pytest.fixture(scope="module")
def run(wheel, tmp_path_factory):
    """``run(*arguments)``: Python of an environment with the wheel and what it requires."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place / "venv", symlinks=True)
    python = place / "venv/bin/python"
    asked = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*asked, "--no-deps", "--no-index", str(wheel)], check=True)
    (own,) = (place / "venv/lib").glob("python3.*/site-packages")
    (metadata,) = own.glob("reactivate-*.dist-info/METADATA")
    lines = metadata.read_text(encoding="utf-8").splitlines()
    required = [Requirement(line[15:]) for line in lines if line.startswith("Requires-Dist: ")]
    core = {one.name for one in required if one.marker is None}
    assert core == CORE
    for one in needed(core).values():
        for top in {file.parts[0] for file in one.files or [] if file.parts[0] not in ("..",)}:
            source = Path(one.locate_file(top))
            if source.exists() and not (own / top).exists() and top != "__pycache__":
                (own / top).symlink_to(source)

    def start(*arguments):
        return subprocess.run(
            [python, "-I", *arguments], cwd=place, capture_output=True, text=True, check=False
        )

    return start


def test_the_wheel_holds_types_pages_and_skeletons(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    package = ROOT / "workflow/reactivate"
    sources = [
        path for path in package.rglob("*") if path.is_file() and "__pycache__" not in str(path)
    ]
    assert {f"reactivate/{path.relative_to(package).as_posix()}" for path in sources} <= set(names)
    assert "reactivate/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if not name.startswith("reactivate")]


def test_what_was_not_declared_is_not_there(run):
    done = run("-c", "import pandas")
    assert "No module named 'pandas'" in done.stderr


def test_the_library_imports_and_says_what_needs_more(run):
    done = run("-c", IMPORT_ALL.format(library=LIBRARY))
    assert done.stderr == ""
    assert set(done.stdout.split()) == VISION


@pytest.mark.parametrize("path", EXAMPLES)
def test_examples_of_the_library_run(run, path):
    done = run("-m", "doctest", "-o", "NORMALIZE_WHITESPACE", str(ROOT / path))
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def test_the_command_tells_its_version_and_what_it_needs(run):
    main = "from reactivate.cli import main; main()"
    assert run("-c", main, "--version").stdout == "reactivate 0.1.0\n"
    asked = run("-c", main, "show", "gmp/table3")
    assert asked.returncode == 1
    assert asked.stderr.startswith("error: the command show needs the package ")
    assert asked.stderr.endswith("install it with: pip install 'reactivate[workflow]'\n")
