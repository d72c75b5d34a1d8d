"""Charity: what must be looked for before a document is said to be wrong."""

from dataclasses import dataclass

from reactivate.judging.intervals import rounding_reach
from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import DEPENDS, MISPRINT, REFUTED, Kind, Ruling, Verdict

SELF_CONTRADICTORY = Verdict(Ruling.SELF_CONTRADICTORY)


@dataclass(frozen=True)
class Plea:
    """Result of a search for the author's defence; an empty text: sought, and not there.

    Args:
        assumption: An assumption elsewhere in the document that the counter-example breaks.
        convention: A convention under which the sentence is true.
        right_form: What the document shows elsewhere, where the sentence is a slip.
        is_damaged: Whether the decisive glyph may have been lost when the text was extracted.
    """

    assumption: str
    convention: str
    right_form: str
    is_damaged: bool = False


def refute(
    kind: Kind, quote: str, counter_example: str, plea: Plea, cases: int | None = None
) -> Judgement | None:
    """Judgement of a claim that a counter-example speaks against; None if nothing is held.

    It is refuted only if no assumption, no convention and no slip explains it. A slip is a
    misprint. A number that is right under a convention depends on it; of a statement that is
    true under one, or of a counter-example that breaks a stated assumption, nothing is left.

    Args:
        kind: A statement or a number; a comparison cannot be refuted.
        quote: The words of the document.
        counter_example: One line on it.
        plea: What was found in the author's favour.
        cases: Cases that were gone through.
    """
    if not REFUTED.may_judge(kind):
        raise ValueError(
            f"a {kind} cannot be refuted; accepted: statements and numbers. Judge it by replicates"
        )
    if plea.is_damaged or plea.assumption:
        return None
    if plea.right_form:
        return misprint(quote, plea.right_form)
    if plea.convention:
        why = f"true if {plea.convention}; otherwise {counter_example}"
        change = "a word of the document on the convention"
        is_number = kind is Kind.NUMBER
        return Judgement(DEPENDS, why, cases=cases, would_change=change) if is_number else None
    change = "an assumption or a convention that the counter-example breaks"
    return Judgement(REFUTED, counter_example, cases=cases, would_change=change)


def misprint(slip: str, right_form: str) -> Judgement:
    """Judgement of a slip whose right form the document itself shows; both are quoted."""
    why = _both(slip, right_form, "printed", "but elsewhere")
    return Judgement(MISPRINT, why, would_change="a sense in which the printed form is meant")


def contradiction(first: str, second: str) -> Judgement:
    """Judgement of two passages that cannot both be true; both are quoted."""
    why = _both(first, second, "printed", "and also")
    return Judgement(SELF_CONTRADICTORY, why, would_change="a reading that makes both true")


def could_print(low: float, high: float, value: float, half_unit: float) -> bool:
    """Whether a printed number, an interval of half its last digit, agrees with arithmetic.

    Args:
        low: Smallest result of the arithmetic on printed numbers, each anywhere in its interval.
        high: Largest result.
        value: The printed number.
        half_unit: Half of its last printed digit.
    """
    reach = rounding_reach(value, half_unit)
    return low <= value + reach and high >= value - reach


def _both(first: str, second: str, one: str, two: str) -> str:
    quotes = [" ".join(quote.split()) for quote in (first, second)]
    if not all(quotes) or quotes[0] == quotes[1]:
        raise ValueError(
            f"the quotes are {first!r} and {second!r}; accepted: two different passages of the "
            "document. Quote both, or withdraw the verdict"
        )
    return f"{one} “{quotes[0]}”, {two} “{quotes[1]}”"
