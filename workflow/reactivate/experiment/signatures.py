"""The names of a function's or class's parameters, read from its source: nothing is imported.

Building the DAG must not import torch, and still a misspelt argument of a network shall be named.
"""

import ast
from collections.abc import Iterator
from functools import cache

from reactivate.foundation.digests import module_path

Definition = ast.FunctionDef | ast.ClassDef | ast.expr


def parameters_of(target: str) -> frozenset[str] | None:
    """Names of the parameters that ``"module:attribute"`` takes; None where they are not known.

    A ``partial`` takes those of what it wraps; a function that passes its ``**settings`` on, those
    of what it passes them to; a class without a constructor of its own, those of its base.

    Example:
        >>> sorted(parameters_of("reactivate.experiment.signatures:parameters_of"))
        ['target']
        >>> parameters_of("fractions:Fraction")  # is not of this package
    """
    module, _, name = target.partition(":")
    return _parameters(module, name)


@cache
def _parameters(module: str, name: str) -> frozenset[str] | None:
    tree = _tree(module)
    if tree is None:
        return None
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=found) if found == name:
                return _of_function(module, statement)
            case ast.ClassDef(name=found) if found == name:
                return _of_class(module, statement)
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                return _of_value(module, value)
            case ast.ImportFrom(module=str(home), names=names):
                for alias in names:
                    if (alias.asname or alias.name) == name:
                        return _parameters(home, alias.name)
    return None


def _of_value(module: str, value: ast.expr) -> frozenset[str] | None:
    match value:
        case ast.Name(id=name):
            return _parameters(module, name)
        case ast.Call(func=ast.Name(id="partial"), args=[ast.Name(id=wrapped), *_]):
            return _parameters(module, wrapped)
    return None


def _of_class(module: str, found: ast.ClassDef) -> frozenset[str] | None:
    for statement in found.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            return _of_function(module, statement)
    bases = [base.id for base in found.bases if isinstance(base, ast.Name)]
    return _parameters(module, bases[0]) if bases else None


def _of_function(module: str, found: ast.FunctionDef) -> frozenset[str] | None:
    given = found.args
    every = (*given.posonlyargs, *given.args, *given.kwonlyargs)
    names = frozenset(one.arg for one in every if one.arg != "self")
    if given.kwarg is None:
        return names
    passed = [_parameters(module, name) for name in _receivers(found, given.kwarg.arg)]
    if not passed or None in passed:
        return None
    return names.union(*(more for more in passed if more is not None))


def _receivers(found: ast.FunctionDef, keywords: str) -> Iterator[str]:
    """Names of what a function calls with its ``**keywords``."""
    for node in ast.walk(found):
        match node:
            case ast.Call(func=ast.Name(id=name), keywords=passed):
                for one in passed:
                    match one:
                        case ast.keyword(arg=None, value=ast.Name(id=used)) if used == keywords:
                            yield name


@cache
def _tree(module: str) -> ast.Module | None:
    path = module_path(module)
    return None if path is None else ast.parse(path.read_text(encoding="utf-8"))
