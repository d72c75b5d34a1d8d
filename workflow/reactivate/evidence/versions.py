"""Evidence files of every version, read into the forms of this one.

A file of version 1 does not say its version. It is never rewritten, because others hold its
checksum, but understood here in the words of version 2.

A published file names a list of modules that stands in ``modules.json`` of its scale, once for
all files that have it (:mod:`reactivate.evidence.publication`). It is read as the whole file that
it was, to the byte, and checksums that other files hold are those of whole files.
"""

import hashlib
import json
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from reactivate.foundation.configuration import validate
from reactivate.foundation.files import sha256

VERSION: Literal[2] = 2
LATER = (
    "computing",
    "division",
    "verdicts",
)  # fields that records of this version got when some were published
ENVIRONMENT = ("git", "python", "packages", "machine", "peak_memory_mb")
DURATIONS = ("seconds", "training_seconds", "resumes")
NEW = ("version", "environment", "times", "data")  # keys that version 1 did not know
MODULE_LISTS = "modules.json"  # in the folder of a published scale
REFERENCE = re.compile(rb'^( *)"modules": "([0-9a-f]{16})"', re.MULTILINE)
Content = dict[str, Any]  # as JSON holds it: nobody has checked it yet
Form = TypeVar("Form", bound=BaseModel)


def read_versioned(
    form: type[Form],
    path: Path,
    upgrade: Callable[[Content, Path], Content] | None,
    remedy: str,
) -> Form:
    """A checked evidence file of any version.

    Args:
        form: What it must hold.
        path: The file.
        upgrade: Puts a content of version 1, read from a path, in the words of this version;
            None if what it says has no words in this one.
        remedy: The advice that ends the message of an error.

    Raises:
        ValueError: It holds something else; file, key, value and what is accepted are named.
    """
    try:
        content = json.loads(whole_content(path))
    except ValueError as error:
        raise ValueError(
            f"{path} cannot be read ({error}); it was changed after it was made. {remedy}"
        ) from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds {content!r}; accepted: a JSON object. {remedy}")
    newest = form.model_fields["version"].default
    try:
        if "version" not in content and upgrade is not None:
            content = _upgraded(content, path, upgrade)
        elif content.get("version", 1) != newest:
            said = content.get("version", 1)
            raise ValueError(f"{path}: version is {said!r}; accepted: {newest}")
        lacking = [key for key in form.model_fields if key not in content and key not in LATER]
        if lacking:
            raise ValueError(f"{path}: {', '.join(lacking)} is missing")
        return validate(form, content, path)
    except ValueError as error:
        raise ValueError(f"{error}; it was changed after it was made. {remedy}") from None


def whole_content(path: Path) -> bytes:
    """The content of a file; of a published one as it was when it was made.

    Raises:
        ValueError: It names a list of modules that cannot be found.
    """
    content = path.read_bytes()
    if path.suffix != ".json" or REFERENCE.search(content) is None:
        return content
    home = next((p / MODULE_LISTS for p in path.parents if (p / MODULE_LISTS).is_file()), None)
    lists = {} if home is None else _read_lists(home.absolute(), home.stat().st_mtime_ns)

    def written_out(found: re.Match[bytes]) -> bytes:
        if (digest := found[2].decode()) not in lists:
            raise ValueError(
                f"{path} names the list of modules {digest}, and {home or MODULE_LISTS} has no "
                f"such list. Bring it back with: git checkout -- {path.parts[0]}"
            )
        indent = found[1].decode()
        pairs = [f'{indent}  "{name}": "{code}"' for name, code in lists[digest]]
        written = [f'{indent}"modules": {{', ",\n".join(pairs), f"{indent}}}"]
        return "\n".join(written).encode()

    return REFERENCE.sub(written_out, content)


def whole_sum(path: Path) -> str:
    """The sha256 of the whole content of a file, as other files hold it."""
    return sha256(path) if path.suffix != ".json" else _digest(whole_content(path))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@lru_cache(maxsize=8)
def _read_lists(path: Path, _changed: int) -> dict[str, list[tuple[str, str]]]:
    """The lists of modules in a file, by their digests: names of modules and their hashes."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        modules = [(name, code) for name, code in map(str.split, content["modules"])]
        return {
            digest: [modules[place] for place in places]
            for digest, places in content["lists"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(
            f"{path} holds no lists of modules ({error!r}). Bring it back with: git checkout"
        ) from None


def _upgraded(
    content: Content, path: Path, upgrade: Callable[[Content, Path], Content]
) -> Content:
    new = [key for key in NEW if key in content]
    if new:
        raise ValueError(f"{path}: version is missing beside {', '.join(new)}")
    try:
        return upgrade(content, path)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not as version 1 left it ({error!r})") from None


def record_of_version1(old: Content, path: Path) -> Content:
    """The content of a ``run.json`` of version 1; analyses did not say their stage and exhibit."""
    analysed = "function" in old
    recipe = (old.get("settings") or {}).get("recipe") or {}
    trained = recipe.get("stage") if isinstance(recipe, dict) else None
    new = {
        "stage": "analyse" if analysed else trained,
        "exhibit": path.parent.name if analysed else None,
        "data": old.get("dataset"),
        "seeds": [],
        "read": [],
        **dict.fromkeys(("function", "cell", "measurement", "settings")),
        **dict.fromkeys(("tuning", "savings", "observation")),
        **old,
    }
    return {"version": VERSION, **_grouped(new, {"dataset"})}


def exhibit_of_version1(old: Content, path: Path) -> Content:
    """The content of a ``provenance.json`` of version 1; of a figure it was the record too."""
    common = ("paper", "exhibit", "scale", "caption", "cells", "files")
    new = {"version": VERSION, "metric": None, "record": None}
    if "code" not in old:
        return {**new, **old}
    new |= {key: old[key] for key in common if key in old}
    drawn = {key: value for key, value in old.items() if key not in common[3:]}
    runs = drawn.pop("runs", [])
    read = [{"file": run["record"], "sha256": run["sha256"]} for run in runs]
    drawn |= {"stage": "plot", "read": read, "files": {}}
    return {**new, "record": record_of_version1(drawn, path)}


def _grouped(old: Content, without: set[str]) -> Content:
    """Facts of the environment and durations, which version 1 kept side by side, in groups."""
    environment = {key: old[key] for key in ENVIRONMENT if key in old}
    times = {"training_seconds": None, "resumes": 0}
    times |= {key: old[key] for key in DURATIONS if key in old}
    new = {"environment": environment, "times": times, "modules": {}, **old}
    left_out = {*ENVIRONMENT, *DURATIONS, *without}
    return {key: value for key, value in new.items() if key not in left_out}
