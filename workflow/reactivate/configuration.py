"""Read a YAML file into a checked form; every error names the file, the key and the value."""

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)


class _UniqueKeys(yaml.SafeLoader):
    """A loader for which a key written twice is an error, not the last one wins."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise ValueError(f"line {node.start_mark.line + 1}: the key {key!r} is written twice")
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    """Content of a YAML file; errors name the file."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)  # noqa: S506
    except (yaml.YAMLError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def validate(model: type[Model], data: Any, path: Path) -> Model:
    """Checks data against its form; the error lists file, key, value and what is accepted."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        lines = []
        for problem in error.errors():
            place = ".".join(map(str, problem["loc"]))
            message = problem["msg"].removeprefix("Value error, ")
            got = "" if isinstance(problem["input"], dict | list) else f", got {problem['input']!r}"
            lines.append(f"{path}: {place + ': ' if place else ''}{message}{got}")
        raise ValueError("\n".join(lines)) from None
