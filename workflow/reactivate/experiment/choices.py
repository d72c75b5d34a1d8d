"""The form of a choice: something that a document leaves open, with what else could be."""

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from reactivate.foundation.configuration import Strict
from reactivate.judging.asked import is_among


class Choice(Strict):
    """What was chosen where the document is silent, what else could be, and why.

    Names of readings, or of alternatives they are made of, that stand in ``afterwards`` were
    added when results were known; those in ``on_test_split`` select on the test split.
    """

    value: str
    alternatives: list[str] = Field(default_factory=list)
    reason: str
    afterwards: list[str] = Field(default_factory=list)
    on_test_split: list[str] = Field(default_factory=list)


Choices = Mapping[str, Choice]


def marked(choices: Choices, mark: Literal["afterwards", "on_test_split"]) -> set[str]:
    """Names of readings that carry a mark."""
    return {name for choice in choices.values() for name in getattr(choice, mark)}


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
