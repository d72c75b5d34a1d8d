"""The form of a choice: something that a document leaves open, with what else could be."""

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from pydantic import Field

from reactivate.foundation.configuration import Strict
from reactivate.foundation.registry import unknown_name
from reactivate.judging.asked import BETWEEN, is_among


class Choice(Strict):
    """What was chosen where the document is silent, what else could be, and why.

    Value and alternatives are named as the readings that are computed, or as parts of these. What
    stands in ``afterwards`` was added when results were known; what stands in ``on_test_split``
    selects on the test split.
    """

    value: str
    alternatives: list[str] = Field(default_factory=list)
    reason: str
    afterwards: list[str] = Field(default_factory=list)
    on_test_split: list[str] = Field(default_factory=list)


Choices = Mapping[str, Choice]
Mark = Literal["afterwards", "on_test_split"]
MARKS: tuple[Mark, ...] = get_args(Mark)


def marked(choices: Choices, mark: Mark) -> set[str]:
    """Names of readings that carry a mark."""
    return {name for choice in choices.values() for name in getattr(choice, mark)}


def check_marks(choices: Choices, protocols: Iterable[str], where: str) -> None:
    """Raises if a mark stands at a name that no reading can have: it would mark nothing.

    Args:
        choices: What the document leaves open.
        protocols: Those of the exhibit, each of which is a reading.
        where: The choices stand, for the error.
    """
    named = [name for choice in choices.values() for name in (choice.value, *choice.alternatives)]
    known = list(dict.fromkeys([*named, *protocols]))
    marks = [
        (key, mark, reading)
        for key, choice in choices.items()
        for mark in MARKS
        for reading in getattr(choice, mark)
    ]
    for key, mark, reading in marks:
        for part in reading.split(BETWEEN):
            if part not in known:
                error = unknown_name("reading", part, known, f"{key}.alternatives")
                raise ValueError(f"{where}.{key}.{mark}: {error}")


def unread(choices: Choices, computed: Iterable[str] = ()) -> list[str]:
    """Alternatives under which nothing was computed: while there are any, nothing is held against
    the document.

    Args:
        choices: What the document leaves open.
        computed: Names of readings; one may be made of alternatives of several choices.
    """
    known = list(computed)
    return [
        f"{name}: {alternative}"
        for name, choice in choices.items()
        for alternative in choice.alternatives
        if not any(is_among(reading, {alternative}) for reading in known)
    ]


def choices_text(choices: Choices) -> str:
    """All choices in words."""
    return "; ".join(_text(name, choice) for name, choice in choices.items())


def _text(name: str, choice: Choice) -> str:
    other = f" (or {', '.join(choice.alternatives)})" if choice.alternatives else ""
    return f"{name.replace('_', ' ')}: {choice.value}{other}, because {choice.reason}"
