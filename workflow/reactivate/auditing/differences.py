"""The first difference of two files, in words: where it is, what is there, what should be."""

import csv
import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

NOTHING = "nothing"
AROUND = 40  # characters shown before a difference in a line
LONGEST = 100  # characters shown of a value


def difference(path: Path, there: bytes, rebuilt: bytes) -> str:
    """Where a file that is there differs from the rebuilt one, and both values.

    Example:
        >>> there, rebuilt = b"row,boston\\ngmp,1.586\\n", b"row,boston\\ngmp,3.171\\n"
        >>> difference(Path("table3.csv"), there, rebuilt)
        'line 2, column boston is 1.586, rebuilt 3.171'
        >>> difference(Path("a.json"), b'{"n": [1, 2]}', b'{"n": [1, 3]}')
        'n.1 is 2, rebuilt 3'
        >>> difference(Path("table3.md"), b"| gmp | 1.6 |", b"| gmp | 3.2 |")
        "line 1 is '| gmp | 1.6 |', rebuilt '| gmp | 3.2 |'"
    """
    try:
        old, new = there.decode(), rebuilt.decode()
    except UnicodeDecodeError:
        return "its bytes are not those rebuilt"
    found = None
    if path.suffix == ".json":
        found = _in_json(old, new)
    elif path.suffix == ".csv":
        found = _in_table(old, new)
    return found or _in_text(old, new)


def _told(where: str, old: object, new: object) -> str:
    return f"{where} is {_short(old)}, rebuilt {_short(new)}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _in_table(old: str, new: str) -> str | None:
    tables = [list(csv.reader(text.splitlines())) for text in (old, new)]
    for number, (a, b) in enumerate(zip_longest(*tables, fillvalue=[]), start=1):
        names = tables[1][0] if tables[1] else []
        for place, (x, y) in enumerate(zip_longest(a, b, fillvalue=NOTHING)):
            if x != y:
                column = names[place] if place < len(names) else str(place + 1)
                return _told(f"line {number}, column {column}", x, y)
    return None


def _in_json(old: str, new: str) -> str | None:
    try:
        a, b = json.loads(old), json.loads(new)
    except ValueError:
        return None
    return _in_value("", a, b)


def _in_value(where: str, old: Any, new: Any) -> str | None:
    """The first difference of two JSON values, with the keys that lead to it."""
    keys: list[Any] | None = None
    if isinstance(old, dict) and isinstance(new, dict):
        keys = list(dict.fromkeys([*new, *old]))
    elif isinstance(old, list) and isinstance(new, list):
        keys = list(range(max(len(old), len(new))))
    if keys is None:
        same = type(old) is type(new) and (old == new)
        return None if same else _told(where or "it", json.dumps(old), json.dumps(new))
    for key in keys:
        a, b = _at(old, key), _at(new, key)
        found = _in_value(f"{where}.{key}" if where else str(key), a, b)
        if found is not None:
            return found
    return None


def _at(value: Any, key: Any) -> Any:
    """The item at a key or an index; a text if there is none."""
    if isinstance(value, list):
        return value[key] if key < len(value) else NOTHING
    return value.get(key, NOTHING)


def _in_text(old: str, new: str) -> str:
    lines = zip_longest(old.splitlines(), new.splitlines(), fillvalue="")
    for number, (a, b) in enumerate(lines, start=1):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)
            start = max(0, at - AROUND)
            ends = slice(start, start + LONGEST)
            return _told(f"line {number}", repr(a[ends]), repr(b[ends]))
    return "its line ends are not those rebuilt"
