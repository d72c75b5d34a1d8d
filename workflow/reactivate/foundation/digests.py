"""Which code a result comes from: a digest of the modules it uses, without importing them."""

import ast
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reactivate.foundation.files import remembered

PACKAGE = "reactivate"
ROOT = Path(__file__).parents[2]
DOCUMENTS = f"{PACKAGE}.documents"  # what only the documents need: it names what it loads
PIPELINE = tuple(
    f"{PACKAGE}.{name}"
    for name in ("experiment", "preparation", "training", "evidence", "auditing", "stages")
)
# Modules and packages that are left out of digests, and why a change of them reruns nothing.
DECIDES = "it decides what is run; the values it hands to a run are parameters of its rule"
TELLS = "it tells people, or a record, what happens; no number passes through it"
NEUTRAL = {
    "experiment": DECIDES,
    "foundation.configuration": DECIDES,
    "foundation.registry": DECIDES,
    "foundation.digests": TELLS,
    "foundation.errors": TELLS,
    "foundation.progress": TELLS,
    "evidence.records": TELLS,
    "evidence.details": TELLS,
    "evidence.environment": TELLS,
    "evidence.versions": TELLS,
    "training.heartbeat": TELLS,
    "foundation.files": "it writes the bytes it is given, whole or not at all",
}


@dataclass(frozen=True)
class Source:
    """The facts about a file that its digest needs."""

    code: str  # hash of the syntax tree, without docstrings and names tables
    imported: tuple[str, ...]  # dotted names, of modules or of what they define
    words: frozenset[str]  # text constants, but for those that are only compared with
    tables: dict[str, dict[str, str]]  # of registries, by their name: what each key stands for
    modules: dict[str, str]  # names that a package imports on use, and the module of each


def code_digest(*targets: str) -> str:
    """Digest of the package code that is loaded where ``targets`` are used.

    Args:
        targets: Dotted module names or registry targets ``"module:attribute"``; code outside the
            package counts by its name only.
    """
    return _digest(tuple(sorted(set(targets))))


@cache
def _digest(targets: tuple[str, ...]) -> str:
    named, hashes = reached(targets)
    lines = [*sorted(named), *(f"{name} {code}" for name, code in sorted(hashes.items()))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


@cache
def closure(*targets: str) -> dict[str, str]:
    """Modules of the package that count in the digest of ``targets``, and the hash of each."""
    return reached(targets)[1]


def reached(targets: Iterable[str]) -> tuple[set[str], dict[str, str]]:
    """All targets, also those that are loaded by name; and the modules behind them with hashes.

    Imports inside the package are followed, and the packages on the way count, because Python
    runs their ``__init__``. Comments, docstrings and layout do not count, so documenting a
    function does not rerun an experiment and changing what it computes does. Tables of names
    (:class:`reactivate.foundation.registry.Registry`) do not count as a whole, so that a new
    activation reruns nothing; what is taken from them does. A cell passes it as a target; a
    module takes what its text constants name, from tables that it imports. Code of the documents
    takes what its constants name from all tables of the code it uses, and depends on the whole of
    a table that it imports and has no names for.
    """
    named = set(targets)
    while loaded := set(_loaded_by_name(named)) - named:
        named |= loaded
    seen = _followed(named)
    return named, {name: _source(name).code for name in seen if not is_neutral(name)}


def _followed(targets: Iterable[str], without: tuple[str, ...] = ()) -> set[str]:
    """Modules that are imported where targets are used, but not by those of some packages."""
    roots = {target.partition(":")[0] for target in targets}
    return set[str]().union(*(_followed_from(root, without) for root in roots))


@cache
def _followed_from(root: str, without: tuple[str, ...]) -> frozenset[str]:
    seen, todo = set[str](), [root]
    while todo:
        name = todo.pop()
        if name in seen or read(name) is None or name.startswith(without):
            continue
        seen.add(name)
        todo += _imported_by(name)
    return frozenset(seen)


@cache
def _imported_by(name: str) -> tuple[str, ...]:
    """Modules that Python runs when it imports one: the packages around it, and its imports."""
    names = [*_parents(name)]
    for imported in _source(name).imported:
        names += [*_parents(imported), _defined_in(imported)]
    return tuple(dict.fromkeys(names))


def words_of_documents(*targets: str) -> frozenset[str]:
    """Text constants of the documents' code behind ``targets``: names of what it may read."""
    names = [name for name in closure(*targets) if name.startswith(DOCUMENTS)]
    return frozenset[str]().union(*(_source(name).words for name in names))


def forget() -> None:
    """Reads every file anew from now on; for whoever edits the code of a running process."""
    for cached in (_digest, closure, read, _file, _parse, _imported_by, _followed_from, _tables):
        cached.cache_clear()


@cache
def is_neutral(name: str) -> bool:
    """Whether a module, or a package with all its modules, counts in no digest."""
    return any(
        name == f"{PACKAGE}.{left_out}" or name.startswith(f"{PACKAGE}.{left_out}.")
        for left_out in NEUTRAL
    )


def loaded_modules() -> dict[str, str]:
    """The modules of the package that this process has loaded, each with the hash of its code."""
    main = getattr(sys.modules.get("__main__"), "__spec__", None)
    names = [*sys.modules, *([main.name] if main else [])]
    known = {name: read(name) for name in sorted(names)}
    return {name: source.code for name, source in known.items() if source is not None}


@cache
def read(name: str) -> Source | None:
    """The source of a module or package; None for a class, a function or a library."""
    path = module_path(name)
    return None if path is None else _parse(path, path.stat().st_mtime_ns)


def _source(name: str) -> Source:
    source = read(name)
    assert source is not None
    return source


def module_path(name: str) -> Path | None:
    """The file of a module or package of this project; None for anything else."""
    if name.partition(".")[0] != PACKAGE:
        return None
    return _file(ROOT, name)


@cache
def _file(root: Path, name: str) -> Path | None:
    stem = root.joinpath(*name.split("."))
    candidates = (stem.with_suffix(".py"), stem / "__init__.py")
    return next((path for path in candidates if path.exists()), None)


def _parents(name: str) -> Iterator[str]:
    """The packages that Python imports before a module."""
    parts = name.split(".")
    if parts[0] == PACKAGE:
        yield from (".".join(parts[:length]) for length in range(1, len(parts)))


def _defined_in(name: str) -> str:
    """The module that an imported name is from, where its package imports it on use."""
    package, _, attribute = name.rpartition(".")
    source = read(package) if read(name) is None else None
    home = source.modules.get(attribute) if source else None
    return f"{package}.{home}" if home else name


@cache
def _tables(module: str) -> tuple[dict[str, str], ...]:
    """The registries of the packages from which a module imports more than their modules."""
    names = [name for name in _source(module).imported if read(name) is None]
    owners = [read(package) for package in dict.fromkeys(n.rpartition(".")[0] for n in names)]
    return tuple(table for owner in owners if owner for table in owner.tables.values())


def _loaded_by_name(targets: set[str]) -> Iterator[str]:
    """Targets that code takes from tables of names by its text constants."""
    for name in _followed(targets):
        if not is_neutral(name):
            words = _source(name).words
            for table in _tables(name):
                yield from (target for key, target in table.items() if key in words)
    # networks of cells are built by the pipeline, from names that the cells pass as targets
    reach = _followed(targets, without=PIPELINE)
    sources = [_source(name) for name in reach if name.startswith(DOCUMENTS)]
    words = frozenset[str]().union(*(source.words for source in sources))
    for name in reach:
        for table in _tables(name):
            known = [target for key, target in table.items() if key in words]
            yield from known or (table.values() if _source(name) in sources else ())


@cache
def _parse(path: Path, _mtime: int) -> Source:
    code, imported, words, *tables = remembered(path, __file__, _facts)
    return Source(code, tuple(imported), frozenset(words), *tables)


def _facts(text: str) -> list[Any]:
    """The fields of a :class:`Source`, as a file of JSON can keep them."""
    tree = ast.parse(text)
    imported = list(_imports(tree))
    _drop_docstrings(tree)
    tables, modules = _take_tables(tree), _take_modules(tree)
    words = set(_texts(tree)) - set(_compared(tree))
    code = hashlib.sha256(_dump(tree).encode()).hexdigest()[:16]
    return [code, imported, sorted(words), tables, modules]


def _dump(tree: ast.AST) -> str:
    """The tree as text, the same from every Python (newer ones add or hide empty lists)."""
    options = {"show_empty": True} if sys.version_info >= (3, 13) else {}
    return ast.dump(tree, **options).replace(", type_params=[]", "")


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _compared(tree: ast.AST) -> Iterator[str]:
    """Texts that are only compared with: ``if name == "bn"`` loads nothing."""
    compared = (node for node in ast.walk(tree) if isinstance(node, ast.Compare))
    inside = Counter(text for node in compared for text in _texts(node))
    everywhere = Counter(_texts(tree))
    yield from (text for text, count in inside.items() if count == everywhere[text])


def _drop_docstrings(tree: ast.AST) -> None:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, holders) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]


def _take_tables(tree: ast.Module) -> dict[str, dict[str, str]]:
    """Empties the tables of registries, ``NAME = Registry(kind, {...}, ...)``; what they held."""
    tables = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Name(id="Registry"), args=[_, ast.Dict() as table, *_]),
            ):
                tables[name] = ast.literal_eval(table)
                table.keys, table.values = [], []
    return tables


def _take_modules(tree: ast.Module) -> dict[str, str]:
    """Empties the table of a package's names, ``MODULES = {module: names}``; where each is."""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="MODULES")], value=ast.Dict() as table):
                modules = ast.literal_eval(table)
                table.keys, table.values = [], []
                return {name: module for module, names in modules.items() for name in names}
    return {}
