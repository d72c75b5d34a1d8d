"""Words for what a comparison asks: all that the forms of config/ know of judging."""

from collections.abc import Collection
from enum import StrEnum


class Asks(StrEnum):
    """What is asked of an effect."""

    SIGN = "sign"  # is it above 0?
    COMPARABLE = "comparable"  # is it within a margin of 0?
    UP_TO = "up_to"  # does one run reach a bound?
    ALWAYS = "always"  # is every run as stated?


class Which(StrEnum):
    """Which cases of a list the document speaks of."""

    ALL = "all"
    SOME = "some"
    MOST = "most"


BETWEEN = " / "  # of the choices that a reading is made of


def crossed(*choices: str) -> str:
    """Name of the reading in which each of several open choices has a value.

    Example:
        >>> crossed("breakpoints -1, 1", "no batch normalisation")
        'breakpoints -1, 1 / no batch normalisation'
    """
    return BETWEEN.join(choices)


def is_among(reading: str, names: Collection[str]) -> bool:
    """Whether a reading, or one of the choices it is made of, has one of some names.

    Example:
        >>> is_among(crossed("a", "b"), {"b"}), is_among(crossed("a", "b"), {"c"})
        (True, False)
    """
    return reading in names or any(part in names for part in reading.split(BETWEEN))


def check_asked(
    asks: Asks,
    cases: Which | None,
    size: float | None,
    margin: float | None,
    bound: float | None,
) -> None:
    """Raises unless what is asked and what it is asked with fit each other."""
    for needs, name, given in (
        (Asks.COMPARABLE, "margin", margin),
        (Asks.UP_TO, "bound", bound),
    ):
        if (asks is needs) != (given is not None):
            raise ValueError(
                f"an effect asks {asks} with {name} {given}; accepted: "
                f"{name} where it asks {needs}, and nowhere else"
            )
    if size is not None and (asks is not Asks.SIGN or cases is not None):
        raise ValueError("size is that of one effect whose sign is asked, not of a list")
