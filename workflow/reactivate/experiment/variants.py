"""Entries that are written once and mean many: likenesses, families, limits for many names."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeVar

from reactivate.experiment.families import choices, fields_of, put
from reactivate.experiment.names import joined, made, part

Limit = TypeVar("Limit")
Homes = dict[tuple[str, ...], Path]  # the file of every section and name
MANY = "*"  # in a name that stands for all names that fit


def write_out(data: dict[str, Any], kind: str, homes: Homes) -> None:
    """Writes a section of a paper out in place: entries like another one, members of families.

    ``like: other`` starts from the keys of one that is written above. ``each: {field: [value,
    ...]}`` stands for a member per choice of values; fields of one of its mappings stand below
    its key. The name of a member is that of the family and its values, or what ``named`` makes of
    them.

    Args:
        data: All sections.
        kind: The section: recipes, measurements or exhibits.
        homes: The file of every section and name; those of members are added.

    Raises:
        ValueError: A form that is not known, or a name that is written twice.

    Example:
        >>> shirt = {"cut": {"slim": True}, "each": {"cut": {"size": [0.5, 1.0]}}}
        >>> shop = {"shirts": {"shirt": shirt}}
        >>> write_out(shop, "shirts", {("shirts",): Path("shop.yaml")})
        >>> shop["shirts"]
        {'shirt_050': {'cut': {'slim': True, 'size': 0.5}},
        'shirt_100': {'cut': {'slim': True, 'size': 1.0}}}
    """
    section = data.get(kind, {})
    if not isinstance(section, dict):
        raise ValueError(
            f"{homes[(kind,)]}: {kind} is {section!r}; accepted: a mapping of names to {kind}"
        )
    above: dict[str, Any] = {}  # what others may be like: families by their own name, too
    written: dict[str, Any] = {}
    for key, own in section.items():
        home = homes.get((kind, key), homes[(kind,)])
        where = f"{home}: {kind}.{key}"
        whole = _inherited(own, above, f"{where}.like", kind)
        family = isinstance(whole, dict) and "each" in whole
        members = _members(key, whole, where) if family else {key: whole}
        twice = sorted(members.keys() & (written.keys() | (section.keys() - {key})))
        if twice:
            raise ValueError(
                f"{where}.each makes {', '.join(twice)}, which is there already; "
                "give one of them another name"
            )
        homes |= {(kind, name): home for name in members}
        above |= {key: whole, **members}
        written |= members
    data[kind] = written


def _inherited(own: Any, above: dict[str, Any], where: str, kind: str) -> Any:
    if not isinstance(own, dict) or "like" not in own:
        return own
    base = own["like"]
    if not isinstance(base, str) or not isinstance(above.get(base), dict):
        raise ValueError(f"{where} is {base!r}; accepted: one of the {kind} written above it")
    # a name that was made for the other family would be made twice
    kept = {k: v for k, v in above[base].items() if k != "named"}
    return {**kept, **{k: v for k, v in own.items() if k != "like"}}


def _members(key: str, family: dict[str, Any], where: str) -> dict[str, Any]:
    """The members of a family by name."""
    whole = {k: v for k, v in family.items() if k not in ("each", "named")}
    chosen = choices(family["each"], f"{where}.each")
    known = dict.fromkeys(name for choice in chosen for name in fields_of(choice))
    members: dict[str, Any] = {}
    for choice in chosen:
        fields = fields_of(choice)
        try:
            name = joined(key, *(part(value) for value in fields.values()))
        except ValueError as error:
            raise ValueError(f"{where}.each: {error}") from None
        if "named" in family:
            name = made(str(family["named"]), fields, list(known), f"{where}.named")
        if name in members:
            raise ValueError(f"{where}.each makes {name} twice; name its fields in {where}.named")
        members[name] = put(whole, choice, f"{where}.each")
    return members


def named(limits: Mapping[str, Limit], known: Iterable[str]) -> dict[str, Limit]:
    """Limits by the names that they apply to; one with ``*`` applies to all names that fit.

    Where several fit, the last one counts, but a name that is written out always does. A name
    that fits none is kept, to be reported.

    Example:
        >>> named({"a_*": 1, "a_2": 2}, ["a_1", "a_2", "b"])
        {'a_1': 1, 'a_2': 2}
    """
    names = list(known)
    fitted: dict[str, Limit] = {}
    for pattern, limit in limits.items():
        fitting = [name for name in names if MANY in pattern and fnmatchcase(name, pattern)]
        fitted |= dict.fromkeys(fitting or [pattern], limit)
    return fitted | {name: limit for name, limit in limits.items() if name in names}
