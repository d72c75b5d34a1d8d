"""YAML files read into a checked form; every error names the file, the key and the value."""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from reactivate.foundation.bounded_yaml import SafeLoader, check_bounds
from reactivate.foundation.registry import unknown_name
from reactivate.foundation.workplace import of_project

Model = TypeVar("Model", bound=BaseModel)


def added(default: Any) -> Any:
    """A field that a form got later: it is not written out while it has its default.

    So the settings of runs that do not use it, and their records, stay what they were.
    """
    return Field(default_factory=lambda: deepcopy(default), exclude_if=lambda v: v == default)


class Strict(BaseModel):
    """A mapping whose every key is known and whose values are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: Any) -> Any:
        """The data, if it has no key that the form does not know."""
        known = cls.model_fields
        for key in data if isinstance(data, dict) else ():
            if key not in known:
                where = cls.__module__.replace(".", "/") + ".py"
                raise unknown_name("key", str(key), list(known), where)
        return data


class _UniqueKeys(SafeLoader):
    """A loader for which a key written twice is an error, not the last one wins."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping of a node, if no key stands in it twice."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                line = node.start_mark.line + 1
                raise ValueError(f"the key {key!r} is written twice in the mapping at line {line}")
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file."""
    file = of_project(path)
    if not file.exists():
        raise ValueError(f"{path} does not exist; run from the folder of the Snakefile")
    try:
        text = file.read_text(encoding="utf-8")
        check_bounds(text)
        content = yaml.load(text, Loader=_UniqueKeys)
    except (yaml.YAMLError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds {content!r}; accepted: a mapping")
    return content


Homes = Mapping[tuple[str, ...], Path]


def validate(
    model: type[Model], data: Any, path: Path, place: str = "", homes: Homes | None = None
) -> Model:
    """Data in its checked form.

    Args:
        model: The form.
        data: The value that was read.
        path: The file or folder it was read from.
        place: The key under which it stands.
        homes: The files of a folder, by the keys that are written in them.

    Raises:
        ValueError: One line per mistake: file, key, value, what is accepted.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        lines = [
            f"{_home(problem, path, homes or {})}: {_explain(place, problem, data)}"
            for problem in error.errors()
        ]
        raise ValueError("\n".join(lines)) from None


def _home(error: Any, path: Path, homes: Homes) -> Path:
    """The file in which a mistake is."""
    keys = tuple(str(part) for part in error["loc"][:2])
    return homes.get(keys) or homes.get(keys[:1]) or path


def _explain(place: str, error: Any, data: Any) -> str:
    """One line about a mistake: key, value, and what is accepted."""
    parts = [*([str(place)] if place else []), *_written(error, data)]
    key = ".".join(parts)
    if error["type"] == "value_error":
        return f"{key}: {error['ctx']['error']}" if key else str(error["ctx"]["error"])
    if error["type"] == "union_tag_invalid":
        tags = error["ctx"]
        tag = tags["discriminator"].strip("'")
        return f"{key}.{tag} is {tags['tag']!r}; accepted: {tags['expected_tags']}"
    if error["type"] == "union_tag_not_found":
        return f"{key}.{error['ctx']['discriminator'].strip(chr(39))} is missing; add it"
    if error["type"] == "missing":
        return f"{key} is missing; add it"
    return f"{key} is {error['input']!r}; {error['msg']}"


def _written(error: Any, data: Any) -> list[str]:
    """Keys in the file that lead to a mistake, without the kinds that pydantic puts between."""
    keys: list[str] = []
    for number, part in enumerate(error["loc"]):
        last = number == len(error["loc"]) - 1 and error["type"] in ("missing", "extra_forbidden")
        inside = isinstance(data, dict) and part in data
        if inside or (isinstance(data, list) and isinstance(part, int) and part < len(data)):
            data = data[part]
        elif not last:
            continue
        keys.append(str(part))
    return keys
