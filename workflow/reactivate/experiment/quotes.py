"""The form of a quotation: the words of a document, and the lines of its text they stand in."""

from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from reactivate.experiment.numbers import Count
from reactivate.foundation.configuration import Strict


@dataclass(frozen=True)
class Passage:
    """Words of a document that stand together, and their first and last line.

    Example:
        >>> Passage("We note", 65, 67).where
        'lines 65-67'
    """

    words: str
    first: int  # line of the extracted text, counted from 1
    last: int

    @property
    def where(self) -> str:
        """The lines, for people."""
        one = self.first == self.last
        return f"line {self.first}" if one else f"lines {self.first}-{self.last}"


class Quotation(Strict):
    """The words of a document, and where they stand in its text.

    A file gives words and ``[first, last]``, or lists of both where it takes several passages.
    """

    quote: list[str]  # verbatim
    lines: list[list[Count]]  # first and last of each passage

    @field_validator("quote", mode="before")
    @classmethod
    def _has_words(cls, quote: Any) -> Any:
        passages = quote if isinstance(quote, list) else [quote]
        if not passages or not all(isinstance(words, str) and words.strip() for words in passages):
            raise ValueError(
                f"{quote!r} is no quotation; accepted: words of the document, or a list of them"
            )
        return passages

    @field_validator("lines", mode="before")
    @classmethod
    def _has_lines(cls, lines: Any) -> Any:
        several = isinstance(lines, list) and any(isinstance(pair, list) for pair in lines)
        ranges = lines if several else [lines]
        if not all(map(_is_range, ranges)):
            raise ValueError(
                f"{lines!r} are no lines; accepted: [first, last], counted from 1, "
                "or a list of such pairs"
            )
        return ranges

    @model_validator(mode="after")
    def _each_passage_has_lines(self) -> Self:
        if len(self.quote) != len(self.lines):
            raise ValueError(
                f"quote has {len(self.quote)} passages, lines has {len(self.lines)} pairs; "
                "give every passage its [first, last]"
            )
        return self

    @property
    def passages(self) -> list[Passage]:
        """The quoted words, each with its lines."""
        found = zip(self.quote, self.lines, strict=True)
        return [Passage(words, first, last) for words, (first, last) in found]


class Quoted(Quotation):
    """A statement of a document: in our words and in its own."""

    says: str
    text: Literal["damaged"] | None = None  # the extraction may have lost a decisive glyph


class Headline(Quoted):
    """A promise of the abstract or conclusion of a document, and the claims it rests on."""

    claims: list[str] = Field(default_factory=list)
    exhibits: list[str] = Field(default_factory=list)
    note: str | None = None

    @model_validator(mode="after")
    def _rests_on_something(self) -> "Headline":
        if not self.claims and not self.exhibits:
            raise ValueError("it rests on nothing; name claims or exhibits that tell of it")
        return self


def _is_range(pair: Any) -> bool:
    """Whether a value is the first and the last line of a passage."""
    whole = isinstance(pair, list) and len(pair) == 2 and all(type(line) is int for line in pair)
    return whole and 1 <= pair[0] <= pair[1]
