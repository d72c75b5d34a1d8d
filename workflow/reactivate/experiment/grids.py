"""Families of rows and columns: an exhibit says once what its fields make of each of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from reactivate.experiment.families import choices, fields_of
from reactivate.experiment.names import Value, made
from reactivate.experiment.variants import Homes

AXES = ("rows", "columns")
ROWS = "rows"
NAMED = "named"


@dataclass(frozen=True)
class Member:
    """A row or column of a family: its name, its fields and what it stands for."""

    name: str
    fields: Mapping[str, Value]
    stands_for: Mapping[str, str]

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of this member's fields."""
        return tuple(self.fields.values())


@dataclass(frozen=True)
class Family:
    """Rows or columns that are told apart by the values of fields.

    ``each`` are the fields and their values, all else are patterns: ``named`` makes the name, the
    others make what it stands for. ``except`` has other patterns ``when`` fields have a value.
    """

    axis: str  # what the document calls it
    written: Mapping[str, Any]
    where: str

    @cached_property
    def members(self) -> list[Member]:
        """All rows or columns of the family, in order."""
        only = self.written.get("only", {})
        self._check_fields(only, "only")
        return [
            self._member(fields)
            for fields in self._choices
            if all(fields.get(name) in _listed(values) for name, values in only.items())
        ]

    @cached_property
    def fields(self) -> list[str]:
        """Names of all fields, in the order they are written."""
        return list(dict.fromkeys(name for fields in self._choices for name in fields))

    def without(self, field: str) -> dict[str, list[Member]]:
        """The members that differ in one field only, by the name they have without it."""
        groups: dict[str, list[Member]] = {}
        for member in self.members:
            rest = {name: value for name, value in member.fields.items() if name != field}
            groups.setdefault(self._made(NAMED, rest), []).append(member)
        return groups

    @cached_property
    def _choices(self) -> list[dict[str, Value]]:
        every = choices(self.written["each"], f"{self.where}.each")
        return [fields_of(choice) for choice in every]

    def _check_fields(self, names: Any, key: str) -> None:
        for name in names if isinstance(names, dict) else [names]:
            if name not in self.fields:
                raise ValueError(
                    f"{self.where}.{key} names {name!r}; accepted: {', '.join(self.fields)}"
                )

    def _member(self, fields: Mapping[str, Value]) -> Member:
        patterns = set(self._patterns(fields)) - {NAMED}
        stands_for = {key: self._made(key, fields) for key in sorted(patterns, key=str)}
        return Member(self._made(NAMED, fields), fields, stands_for)

    def _made(self, key: str, fields: Mapping[str, Value]) -> str:
        patterns = self._patterns(fields)
        if key not in patterns:
            raise ValueError(f"{self.where}.{key} is missing; add a pattern such as {{sigma}}")
        return made(str(patterns[key]), fields, self.fields, f"{self.where}.{key}")

    def _patterns(self, fields: Mapping[str, Value]) -> dict[str, Any]:
        rules = ("each", "only", "except")
        patterns = {key: value for key, value in self.written.items() if key not in rules}
        exceptions = self.written.get("except", [])
        if not isinstance(exceptions, list):
            raise ValueError(f"{self.where}.except is {exceptions!r}; accepted: a list")
        for exception in exceptions:
            if not isinstance(exception, dict) or not isinstance(exception.get("when"), dict):
                raise ValueError(
                    f"{self.where}.except holds {exception!r}; accepted: patterns, and `when` "
                    "with the values of fields"
                )
            self._check_fields(exception["when"], "except.when")
            if all(fields.get(name) == value for name, value in exception["when"].items()):
                patterns |= {key: value for key, value in exception.items() if key != "when"}
        return patterns


Families = dict[tuple[str, str], Family]  # by exhibit, and rows or columns


def _listed(values: Any) -> list[Any]:
    return values if isinstance(values, list) else [values]


def write_out_grids(exhibits: dict[str, Any], homes: Homes, folder: Path) -> None:
    """Writes the families among rows and columns out in place, and the numbers printed of them.

    ``rows: {method: {like: table1}}`` are the rows of another exhibit, ``only`` those with the
    values that it names. A table of the best ``over`` a field has the rows and columns of the
    other table, without that field. Of a family, ``printed`` may be nested by values of fields.
    """
    families: Families = {}
    for name, exhibit in exhibits.items():
        if not isinstance(exhibit, dict):
            continue
        where = f"{homes.get(('exhibits', name), folder)}: exhibits.{name}"
        for axes in AXES:
            family = _family(exhibit.get(axes), axes, families, f"{where}.{axes}")
            if family is not None:
                families[name, axes] = family
                exhibit[axes] = {family.axis: _told_apart(family)}
        if isinstance(exhibit.get("over"), str):
            _write_best(exhibit, exhibits, families, where)
        elif (name, ROWS) in families:
            members = families[name, ROWS].members
            _write_printed(exhibit, {m.values: m.name for m in members}, where)


def _family(written: Any, axes: str, families: Families, where: str) -> Family | None:
    """The family that an axis is, if it is one."""
    if not isinstance(written, dict) or len(written) != 1:
        return None
    ((axis, content),) = written.items()
    if not isinstance(content, dict):
        return None
    if "like" not in content:
        return Family(str(axis), content, f"{where}.{axis}") if "each" in content else None
    other = content["like"]
    if not isinstance(other, str) or (other, axes) not in families:
        known = ", ".join(name for name, kind in families if kind == axes) or "none so far"
        raise ValueError(
            f"{where}.{axis}.like is {other!r}; accepted: an exhibit above it whose {axes} are a "
            f"family ({known})"
        )
    own = {key: value for key, value in content.items() if key != "like"}
    return Family(str(axis), {**families[other, axes].written, **own}, f"{where}.{axis}")


def _told_apart(family: Family) -> dict[str, dict[str, str]]:
    """The coordinates that each name stands for."""
    names = [member.name for member in family.members]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(
            f"{family.where}.named makes {', '.join(twice)} twice; name more of its fields: "
            f"{', '.join(family.fields)}"
        )
    return {member.name: dict(member.stands_for) for member in family.members}


def _write_best(
    exhibit: dict[str, Any], exhibits: dict[str, Any], families: Families, where: str
) -> None:
    """Rows and columns of a table of the best over a field of another table's rows."""
    other, field = str(exhibit.get("of")), exhibit["over"]
    family = families.get((other, ROWS))
    if family is None or field not in family.fields:
        known = ", ".join(family.fields) if family else "a table above it with families as rows"
        raise ValueError(f"{where}.over is {field!r}, of {other!r}; accepted: {known}")
    groups = family.without(field)
    exhibit["over"] = {name: [member.name for member in group] for name, group in groups.items()}
    exhibit.setdefault(ROWS, {family.axis: list(groups)})
    columns_of = exhibits[other].get("columns")
    if not isinstance(columns_of, dict) or len(columns_of) != 1:
        raise ValueError(f"{where}.of is {other!r}, which has no columns; add them there")
    ((axis, columns),) = columns_of.items()
    exhibit.setdefault("columns", {axis: list(columns)})
    at = family.fields.index(field)
    rows = {(*v[:at], *v[at + 1 :]): name for name, (m, *_) in groups.items() if (v := m.values)}
    _write_printed(exhibit, rows, where)


def _write_printed(
    exhibit: dict[str, Any], rows: Mapping[tuple[Value, ...], str], where: str
) -> None:
    """Puts the names of rows where printed numbers are nested by values of fields."""
    printed, names = exhibit.get("printed"), set(rows.values())
    if not isinstance(printed, dict) or _is_by_name(printed, names):
        return
    depth = len(next(iter(rows)))
    by_name = {}
    for values, numbers in _leaves(printed, (), depth):
        if values not in rows:
            said = ".".join(map(str, values))
            known = "; ".join(", ".join(map(str, row)) for row in rows)
            raise ValueError(f"{where}.printed.{said} is no row; accepted: {known}")
        by_name[rows[values]] = numbers
    exhibit["printed"] = by_name


def _is_by_name(printed: Mapping[Any, Any], names: set[str]) -> bool:
    return names.issuperset(printed) and not any(isinstance(v, dict) for v in printed.values())


def _leaves(
    content: Any, above: tuple[Value, ...], depth: int
) -> Iterator[tuple[tuple[Value, ...], Any]]:
    if isinstance(content, dict) and len(above) < depth:
        for key, below in content.items():
            yield from _leaves(below, (*above, key), depth)
    else:
        yield above, content
