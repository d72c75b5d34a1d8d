"""Look up a class or function by the short name used in configs and result paths."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any


def unknown_name(kind: str, name: str, known: list[str], where: str) -> ValueError:
    """Error for a name nobody registered: the value, what is known, where to add it.

    Example:
        >>> print(unknown_name("colour", "rde", ["red", "blue"], "colours.py"))
        unknown colour 'rde'; did you mean red? Known: blue, red. Add it to colours.py
    """
    near = get_close_matches(str(name), known)
    hint = f" did you mean {', '.join(near)}?" if near else ""
    return ValueError(
        f"unknown {kind} {name!r};{hint} Known: {', '.join(sorted(known))}. Add it to {where}"
    )


class Registry:
    """Maps a config name to ``"module:attribute"`` without importing it.

    Lazy on purpose: building the DAG must not import torch, and the digest of a run
    (:mod:`reactivate.foundation.digests`) covers only the modules that run really uses.

    Example:
        >>> shapes = Registry("shape", {"fraction": "fractions:Fraction"}, "shapes.py")
        >>> shapes.load("fraction")(1, 2)
        Fraction(1, 2)
    """

    def __init__(self, kind: str, targets: dict[str, str], where: str) -> None:
        self.kind = kind
        self.targets = targets
        self.where = where

    def add(self, targets: dict[str, str], where: str) -> None:
        """Takes more names; a name that is known for something else is an error.

        Raises:
            ValueError: A name stands for something else already.
        """
        for name, target in targets.items():
            if self.targets.setdefault(name, target) != target:
                raise ValueError(
                    f"{where}: the {self.kind} {name!r} is {target}, but {self.where} says "
                    f"{self.targets[name]}; give it another name"
                )

    def target(self, name: str) -> str:
        """The ``"module:attribute"`` behind a name."""
        if name not in self.targets:
            raise unknown_name(self.kind, name, list(self.targets), self.where)
        return self.targets[name]

    def load(self, name: str) -> Any:
        """Imports and returns what the name stands for."""
        return load_function(self.target(name))


def load_function(target: str) -> Any:
    """The function or class behind ``"module:name"``.

    Example:
        >>> load_function("fractions:Fraction")(1, 2)
        Fraction(1, 2)
    """
    module, _, name = target.partition(":")
    found = getattr(import_module(module), name, None)
    if found is None:
        raise ValueError(f"{target} does not exist; add {name} to {module} or change the config")
    return found


def names_on_use(package: str, modules: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package that imports each of its names when it is first used.

    Args:
        package: Name of the package, ``__name__`` of its ``__init__.py``.
        modules: The names that each module of the package offers, by the module's own name.

    Example:
        >>> names_on_use("json", {"decoder": ("JSONDecoder",)})("JSONDecoder").__module__
        'json.decoder'
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get
