"""Which code a result comes from: a digest of the modules it uses, without importing them."""

import ast
import hashlib
import sys
from functools import cache
from pathlib import Path

PACKAGE = "reactivate"
ROOT = Path(__file__).parents[1]
# These decide what is run and what is written about it, not what comes out: the values they hand
# to a run are parameters of its rule, so a new recipe or a better error message reruns nothing.
NEUTRAL = frozenset(
    f"{PACKAGE}.{name}"
    for name in [
        "analysis",
        "axes",
        "checking",
        "configuration",
        "errors",
        "exhibits",
        "files",
        "grids",
        "measurements",
        "observations",
        "papers",
        "places",
        "progress",
        "provenance",
        "recipes",
        "records",
        "registry",
        "runs",
        "scaling",
        "schema",
        "training.heartbeat",
    ]
)


@cache
def code_digest(*targets: str) -> str:
    """Digest of the package code reachable from ``targets``.

    Imports inside the package are followed; comments, docstrings and layout do not count, so
    documenting a function does not rerun an experiment and changing what it computes does.
    Packages' ``__init__.py`` are names tables (:class:`reactivate.registry.Registry`) and are left
    out: what a run takes from them is passed here as a target, so that adding an activation reruns
    nothing.

    Args:
        targets: Dotted module names or registry targets ``"module:attribute"``; code outside the
            package counts by its name only.
    """
    seen: dict[str, str] = {}
    todo = [target.partition(":")[0] for target in targets]
    while todo:
        name = todo.pop()
        path = _source(name)
        if path is None or name in seen or name in NEUTRAL:
            continue
        seen[name], imported = _parse(path, path.stat().st_mtime_ns)
        todo += imported
    lines = [*sorted(targets), *(f"{name} {code}" for name, code in sorted(seen.items()))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


@cache
def _parse(path: Path, _mtime: int) -> tuple[str, tuple[str, ...]]:
    """Code of a file without docstrings, hashed, and the names it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = tuple(_imports(tree))
    code = _dump(_without_docstrings(tree))
    return hashlib.sha256(code.encode()).hexdigest(), imported


def _dump(tree: ast.AST) -> str:
    """The tree as text, the same from every Python (newer ones add or hide empty lists)."""
    options = {"show_empty": True} if sys.version_info >= (3, 13) else {}
    return ast.dump(tree, **options).replace(", type_params=[]", "")


def _source(name: str) -> Path | None:
    """File of a module of the package; None for a class, a names table or a library."""
    if name.partition(".")[0] != PACKAGE:
        return None
    path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
    return path if path.exists() else None


def _imports(tree: ast.AST) -> list[str]:
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


def _without_docstrings(tree: ast.AST) -> ast.AST:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, holders) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree
