"""Every mutant of a module: where it is, what it changes, and the module's tree with the change.

Left alone, because no behaviour depends on them: docstrings, annotations, type aliases, imports,
the texts of errors and of anything else with spaces in it, ``__repr__`` and ``__all__``.
"""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from operators import changes

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "workflow"
TYPED = {"Literal", "TypeVar", "NewType", "Callable", "cast", "overload"}
Field = tuple[str, int | None]  # the name of a field of a node, and the place in its list


@dataclass(frozen=True)
class Mutant:
    """One small change of a module.

    Attributes:
        module: Dotted name.
        where: Name of the function or class around it, ``<module>`` at the top.
        operator: Kind of change.
        before: Source of what is changed.
        after: Source of what stands there instead.
        ordinal: Counts mutants of the module that are the same in all of this.
        lines: First and last line of what is changed; the statement's first line is reached too.
        path: From the module's tree to the changed node.
        choice: Counts the changes of the node.
        function: Whether the change is inside a function, so that importing does not run it.
    """

    module: str
    where: str
    operator: str
    before: str
    after: str
    ordinal: int
    lines: tuple[int, int, int]
    path: tuple[Field, ...]
    choice: int
    function: bool

    @property
    def name(self) -> str:
        """What tells it from all others, also after lines moved."""
        more = f" #{self.ordinal}" if self.ordinal else ""
        return f"{self.module}:{self.where}: {self.before} -> {self.after}{more}"

    @property
    def reached(self) -> set[int]:
        """Lines of the statement that a run passes when it comes to what is changed."""
        first, begin, end = self.lines
        return {first, *range(begin, end + 1)}

    def rank(self, seed: int) -> str:
        """A place in a random order of mutants, the same wherever the others are."""
        return hashlib.sha256(f"{seed}:{self.name}".encode()).hexdigest()

    def tree(self) -> ast.Module:
        """The module with the change."""
        tree = ast.parse(source(self.module))
        *way, (name, place) = self.path
        parent: ast.AST = tree
        for step in way:
            parent = child(parent, step)
        node = child(parent, (name, place))
        _, new = list(changes(node))[self.choice]
        new = ast.Pass() if new is None else new
        if place is None:
            setattr(parent, name, new)
        else:
            getattr(parent, name)[place] = new
        ast.copy_location(new, node)
        return ast.fix_missing_locations(tree)


def child(node: ast.AST, step: Field) -> ast.AST:
    """The node at a field of another."""
    name, place = step
    found = getattr(node, name)
    return found if place is None else found[place]


@cache
def source(module: str) -> str:
    """Text of a module."""
    return file(module).read_text(encoding="utf-8")


@cache
def file(module: str) -> Path:
    """File of a module."""
    path = SOURCES / Path(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def modules(package: str) -> list[str]:
    """Modules of a package, or the one module of that name."""
    place = SOURCES / Path(*package.split("."))
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    names = [path.relative_to(SOURCES).with_suffix("").parts for path in files]
    return [".".join(name[:-1] if name[-1] == "__init__" else name) for name in names]


def mutants(module: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its text."""
    seen: Counter[str] = Counter()
    for path, node, names, statement, function in visited(ast.parse(source(module))):
        for choice, (operator, new) in enumerate(changes(node)):
            where = ".".join(names) or "<module>"
            texts = shortened(node), "nothing" if new is None else shortened(new)
            place = node if hasattr(node, "lineno") else statement
            last = place.lineno if isinstance(place, ast.If | ast.While) else place.end_lineno
            lines = (statement.lineno, place.lineno, last)
            key = f"{where}: {texts[0]} -> {texts[1]}"
            parts = (module, where, operator, *texts, seen[key])
            yield Mutant(*parts, lines, path, choice, function)
            seen[key] += 1


def shortened(node: ast.AST) -> str:
    """Source of a node in one line; only the header of a statement with a body."""
    if isinstance(node, ast.comprehension):
        kept = "".join(f" if {ast.unparse(test)}" for test in node.ifs)
        return f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}{kept}"
    if isinstance(node, ast.Slice):
        parts = [node.lower, node.upper, *([node.step] if node.step else [])]
        return "[" + ":".join(ast.unparse(part) if part else "" for part in parts) + "]"
    text = ast.unparse(node)
    return text.splitlines()[0] if isinstance(node, ast.If | ast.While) else " ".join(text.split())


def visited(
    node: ast.AST,
    path: tuple[Field, ...] = (),
    names: tuple[str, ...] = (),
    statement: ast.stmt | None = None,
    function: bool = False,
) -> Iterator[tuple[tuple[Field, ...], ast.AST, tuple[str, ...], ast.stmt, bool]]:
    """Nodes that may be changed, with their path, names around them, statement and place."""
    for name, place, below in children(node):
        if left_alone(node, name, below):
            continue
        step = (*path, (name, place))
        around = below if isinstance(below, ast.stmt | ast.excepthandler) else statement
        inside = function or (isinstance(node, ast.FunctionDef | ast.Lambda) and name == "body")
        if around is not None:
            yield step, below, names, around, inside
        named = isinstance(below, ast.FunctionDef | ast.ClassDef)
        yield from visited(below, step, (*names, below.name) if named else names, around, inside)


def children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """Nodes right below another, each with its field and place."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield name, None, value
        elif isinstance(value, list):
            for place, below in enumerate(value):
                if isinstance(below, ast.AST):
                    yield name, place, below


def left_alone(node: ast.AST, name: str, below: ast.AST) -> bool:
    """Whether nothing that a program does depends on what is below."""
    if name in ("annotation", "returns") or isinstance(below, ast.Import | ast.ImportFrom):
        return True
    if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
        return True  # a docstring
    if isinstance(node, ast.JoinedStr) and isinstance(below, ast.Constant):
        return True  # the words of a text
    if isinstance(below, ast.FunctionDef) and below.name in ("__repr__", "extra_repr"):
        return True
    if isinstance(node, ast.Raise) and name in ("exc", "cause"):
        return True  # what an error says
    if isinstance(below, ast.Assign | ast.AnnAssign):
        targets = below.targets if isinstance(below, ast.Assign) else [below.target]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            return True
    called = below.func if isinstance(below, ast.Call) else getattr(below, "value", None)
    return isinstance(below, ast.Call | ast.Subscript) and (
        isinstance(called, ast.Name) and called.id in TYPED
    )
