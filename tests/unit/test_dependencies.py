"""Every package that the code imports is declared in pyproject.toml and pinned in a lock."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "workflow" / "reactivate"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKS = ("requirements.lock", "requirements-torch.lock")
SOURCES = {
    "audit": sorted(PACKAGE.rglob("*.py")),
    "dev": [path for folder in ("tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")],
}


def plain(name):
    return re.sub("[-_.]+", "-", name).lower()


def declared(extra):
    """Distributions of an extra, with those of the extras that it names, and the core's."""
    found = {plain(name) for name in PROJECT["dependencies"]}
    for entry in PROJECT["optional-dependencies"][extra]:
        if others := re.fullmatch(r"reactivate\[(.+)\]", entry):
            found.update(*map(declared, others[1].split(",")))
        else:
            found.add(plain(entry))
    return found


def imported(path):
    """Top modules, of others, that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = (
                [str(node.module)] if isinstance(node, ast.ImportFrom) and not node.level else []
            )
        yield from {name.partition(".")[0] for name in names} - sys.stdlib_module_names


@pytest.mark.parametrize("extra", ["audit", "dev"])
def test_what_is_imported_is_declared(extra):
    homes, known = packages_distributions(), declared(extra)
    if extra == "audit":
        known |= {
            "dvc",
            "ipython",
            "psutil",
        }  # of commands and functions that only other extras use
    missing = {
        (path.relative_to(ROOT).as_posix(), module)
        for path in SOURCES[extra]
        for module in imported(path)
        if module in homes and not known & {plain(name) for name in homes[module]}
    }
    own = {(path, module) for path, module in missing if module == "reactivate"}
    assert missing - own == set()


def test_what_is_declared_is_locked():
    locked = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in LOCKS)
    pins = {plain(name) for name in re.findall(r"^([\w.-]+)==", locked, re.MULTILINE)}
    names = set().union(*(declared(extra) for extra in PROJECT["optional-dependencies"]))
    assert names - pins == set()


def test_the_version_stands_in_one_place_and_is_told_elsewhere():
    places = [
        path.relative_to(ROOT).as_posix()
        for path in (*PACKAGE.rglob("*.py"), ROOT / "pyproject.toml")
        if re.search(r"^(__version__|version) *= *[\"']", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert places == ["pyproject.toml"]
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in cited
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {PROJECT['version']} " in changes
