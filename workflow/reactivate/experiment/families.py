"""Families: what is written once, with fields, and means one thing for every choice of values."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from reactivate.experiment.names import Value

FORM = (
    "accepted: a mapping of fields to lists of values, or a list of such mappings; fields may "
    "stand below a key that holds a mapping"
)
Choice = tuple[tuple[str, ...], Value]  # keys that lead to a field, and its value


def choices(each: Any, where: str) -> list[list[Choice]]:
    """Every choice of one value for each field, the last field changing first.

    Of a list of mappings, the choices of one mapping follow those of another.

    Raises:
        ValueError: ``each`` has another form.

    Example:
        >>> choices({"noise": {"sigma": [0.1, 0.2]}, "steps": [3]}, "toy.yaml: each")
        [[(('noise', 'sigma'), 0.1), (('steps',), 3)],
        [(('noise', 'sigma'), 0.2), (('steps',), 3)]]
    """
    mappings = each if isinstance(each, list) else [each]
    if not mappings or not all(isinstance(mapping, dict) and mapping for mapping in mappings):
        raise ValueError(f"{where} is {each!r}; {FORM}")
    chosen = []
    for mapping in mappings:
        axes = list(_axes(mapping, (), f"{where} is {each!r}"))
        names = [keys[-1] for keys, _ in axes]
        if len(set(names)) < len(names):
            raise ValueError(f"{where} names a field twice: {', '.join(names)}; keep one of them")
        values = [[(keys, value) for value in axis] for keys, axis in axes]
        chosen += [list(choice) for choice in product(*values)]
    return chosen


def _axes(
    mapping: Mapping[Any, Any], above: tuple[str, ...], where: str
) -> Iterator[tuple[tuple[str, ...], list[Value]]]:
    for key, values in mapping.items():
        keys = (*above, str(key))
        if isinstance(values, dict) and values:
            yield from _axes(values, keys, where)
        elif isinstance(values, list) and values and all(map(_is_value, values)):
            yield keys, values
        else:
            raise ValueError(f"{where}; {FORM}")


def _is_value(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def fields_of(choice: list[Choice]) -> dict[str, Value]:
    """The values of a choice by the names of their fields."""
    return {keys[-1]: value for keys, value in choice}


def put(whole: dict[str, Any], choice: list[Choice], where: str) -> dict[str, Any]:
    """A copy of what is written once, with the values of a choice in their places.

    Raises:
        ValueError: A field shall stand below a key that holds no mapping.
    """
    changed = dict(whole)
    for keys, value in choice:
        inside = changed
        for key in keys[:-1]:
            below = inside.get(key, {})
            if not isinstance(below, dict):
                raise ValueError(
                    f"{where} puts {keys[-1]} below {key}, which is {below!r}; {FORM}"
                )
            inside[key] = dict(below)
            inside = inside[key]
        inside[keys[-1]] = value
    return changed
