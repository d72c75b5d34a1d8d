"""Names for people, made in one place from the names of the configuration.

``config/labels.yaml`` says what the names that several papers share are called, and
``config/papers/{key}/labels.yaml`` what a paper's own are. A name with fields is read back by the
pattern it was made with, ``scrfp2_{eta1}_{eta2}``: a field stands for digits, which are a number
with one digit before the point, or ``{field:d}``, the digits themselves.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from string import Formatter

from reactivate.experiment.catalog.entries import own_files
from reactivate.foundation.configuration import read_yaml
from reactivate.foundation.workplace import of_project

LABELS = Path("config/labels.yaml")
BETWEEN = "_"


def label(name: str) -> str:
    """A name of the configuration as people write it.

    What no entry names is made of the longest parts that one does, and of plain words.

    Example:
        >>> label("leaky_relu"), label("cifar10_vote"), label("no_such_name")
        ('Leaky ReLU', 'CIFAR-10 vote', 'no such name')
        >>> label("scrfp2_001_010_0125")
        'SCRFP-2, η₁ = 0.01, η₂ = 0.10, σ = 0.125'
    """
    return _called(name, _known(*_sources()))


def labels(names: Iterable[str]) -> dict[str, str]:
    """Many names as people write them; files are looked at once for all of them."""
    known = _known(*_sources())
    return {name: _called(name, known) for name in names}


def labels_digest() -> str:
    """A digest of all labels: a change of one draws figures and writes tables again."""
    return hashlib.sha256(json.dumps(_known(*_sources())).encode()).hexdigest()[:16]


def _called(name: str, known: dict[str, str]) -> str:
    """A name as people write it, by what entries call it or its parts."""
    return _whole(name, known) or _of_parts(name, known)


def _whole(name: str, known: dict[str, str]) -> str | None:
    """What an entry calls the whole name; None if there is none."""
    if name in known:
        return known[name]
    for pattern, text in known.items():
        if "{" in pattern and (found := _expression(pattern).fullmatch(name)):
            return text.format(**_fields(pattern, found))
    return None


def _of_parts(name: str, known: dict[str, str]) -> str:
    words = name.split(BETWEEN)
    for size in range(len(words) - 1, 0, -1):
        first = _whole(BETWEEN.join(words[:size]), known)
        if first is not None or size == 1:
            rest = _called(BETWEEN.join(words[size:]), known)
            return f"{first or words[0]} {rest}".strip()
    return name


@lru_cache
def _expression(pattern: str) -> re.Pattern[str]:
    pieces = Formatter().parse(pattern)
    return re.compile(
        "".join(
            re.escape(text) + (f"(?P<{field}>\\d+)" if field else "") for text, field, *_ in pieces
        )
    )


def _fields(pattern: str, found: re.Match[str]) -> dict[str, str]:
    """The fields of a name, each as people write it."""
    forms = {field: form for _, field, form, _ in Formatter().parse(pattern) if field}
    return {
        field: str(int(digits)) if forms[field] == "d" else f"{digits[0]}.{digits[1:]}"
        for field, digits in found.groupdict().items()
    }


def _sources() -> tuple[tuple[Path, int], ...]:
    """The files of labels that there are, each with the time of its last change."""
    shared = of_project(LABELS)
    files = [file for file in (shared, *own_files(shared)) if file.exists()]
    return tuple((file, file.stat().st_mtime_ns) for file in files)


@lru_cache(maxsize=8)
def _known(*sources: tuple[Path, int]) -> dict[str, str]:
    entries: dict[str, str] = {}
    for file, _ in sources:
        for name, text in read_yaml(file).items():
            if not isinstance(text, str) or BETWEEN in text:
                raise ValueError(f"{file}: {name} is {text!r}; accepted: a text for people")
            if entries.get(str(name), text) != text:
                raise ValueError(f"{file}: {name} is called {entries[str(name)]!r} elsewhere")
            entries[str(name)] = text
    return entries
