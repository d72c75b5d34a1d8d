"""What a configuration says once and means many times."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

Limit = TypeVar("Limit")
MANY = "*"  # in a name that stands for all names that fit


def write_out(named: Any, kind: str, path: Path) -> None:
    """Writes recipes or measurements out in place: what is like another, and each of a family.

    ``like: other`` starts from the other's keys. ``each: {key: [axis, ...]}`` stands for one
    recipe per choice of a name from every axis; a name says what it changes below the key, and
    the names of a choice are appended to the family's.

    Args:
        named: By name.
        kind: What they are, for errors.
        path: The file they are from.

    Raises:
        ValueError: A form that is not known, or a name that is written twice.

    Example:
        >>> sizes = [{"small": {"size": 1}, "large": {"size": 9}}]
        >>> shirts = {"shirt": {"cut": {"size": 5, "slim": True}, "each": {"cut": sizes}}}
        >>> write_out(shirts, "shirts", Path("shop.yaml"))
        >>> shirts
        {'shirt_small': {'cut': {'size': 1, 'slim': True}},
        'shirt_large': {'cut': {'size': 9, 'slim': True}}}
    """
    if not isinstance(named, dict):
        raise ValueError(f"{path}: {kind} is {named!r}; accepted: a mapping of names to {kind}")
    for key, own in named.items():
        if isinstance(own, dict) and "like" in own:
            named[key] = _inherited(own, named, f"{path}: {kind}.{key}.like", kind)
    for key in [key for key, own in named.items() if isinstance(own, dict) and "each" in own]:
        family = _each(key, named.pop(key), f"{path}: {kind}.{key}.each")
        twice = sorted(family.keys() & named.keys())
        if twice:
            raise ValueError(
                f"{path}: {kind}.{key}.each makes {', '.join(twice)}, which is there already; "
                "give one of them another name"
            )
        named |= family


def _inherited(own: dict[str, Any], named: dict[str, Any], where: str, kind: str) -> Any:
    base = own["like"]
    if not isinstance(named.get(str(base)), dict) or "like" in named[base]:
        raise ValueError(f"{where} is {base!r}; accepted: one of the {kind} written above it")
    return {**named[base], **{k: v for k, v in own.items() if k != "like"}}


def _each(key: str, own: dict[str, Any], where: str) -> dict[str, Any]:
    """The members of a family by name."""
    base, each = {k: v for k, v in own.items() if k != "each"}, own["each"]
    if not _is_family(each, base):
        raise ValueError(
            f"{where} is {each!r}; accepted: one of its keys that holds a mapping, with a list of "
            "axes, each a mapping of names to what they change"
        )
    ((varied, axes),) = each.items()
    members: dict[str, Any] = {}
    for choice in product(*(axis.items() for axis in axes)):
        changes = {k: v for _, change in choice for k, v in change.items()}
        name = "_".join([key, *(str(name) for name, _ in choice)])
        members[name] = {**base, varied: {**base[varied], **changes}}
    return members


def _is_family(each: Any, base: dict[str, Any]) -> bool:
    if not isinstance(each, dict) or len(each) != 1:
        return False
    ((varied, axes),) = each.items()
    return (
        isinstance(base.get(varied), dict)
        and isinstance(axes, list)
        and all(isinstance(axis, dict) for axis in axes)
        and all(isinstance(change, dict) for axis in axes for change in axis.values())
    )


def named(limits: dict[str, Limit], known: Iterable[str]) -> dict[str, Limit]:
    """Limits by the names they are for: one with ``*`` is for all known names that fit.

    Where several fit, the last one counts, but a name that is written out always does. A name
    that fits none is kept, to be reported.

    Example:
        >>> named({"a_*": 1, "a_2": 2}, ["a_1", "a_2", "b"])
        {'a_1': 1, 'a_2': 2}
    """
    names = list(known)
    found: dict[str, Limit] = {}
    for pattern, limit in limits.items():
        fitting = [name for name in names if MANY in pattern and fnmatchcase(name, pattern)]
        found |= dict.fromkeys(fitting or [pattern], limit)
    return found | {name: limit for name, limit in limits.items() if name in names}
