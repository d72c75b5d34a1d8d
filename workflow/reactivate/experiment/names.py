"""Names made of values: of recipes, measurements, rows and columns, and so of folders."""

import re
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal
from math import isfinite
from string import Formatter

Value = str | int | float | None

PLAIN = "document"  # the text of a paper: what follows it needs no mark
KEPT = "column"  # the name of a column is known when a row meets it


def hundredths(value: float) -> str:
    """A number with two decimals or more, without point and sign.

    Example:
        >>> hundredths(0.5), hundredths(0.125), hundredths(-0.02), hundredths(1)
        ('050', '0125', '002', '100')
    """
    exponent = Decimal(str(value)).as_tuple().exponent
    decimals = max(2, -exponent) if isinstance(exponent, int) else 2
    return f"{abs(value):.{decimals}f}".replace(".", "")


def thousandths(value: float) -> str:
    """The first three decimals of a number, without the digits before the point.

    Example:
        >>> thousandths(0.125), thousandths(0.05)
        ('125', '050')
    """
    return f"{round(1000 * value):03d}"


def percent(value: float) -> str:
    """A fraction in whole per cent.

    Example:
        >>> percent(0.95)
        '95'
    """
    return str(round(100 * value))


FORMS: dict[str, Callable[[float], str]] = {
    "hundredths": hundredths,
    "thousandths": thousandths,
    "percent": percent,
}


def part(value: Value, form: str = "") -> str:
    """A value as part of a name.

    Args:
        value: What is not there, and the protocol of the document itself, leave no trace.
        form: One of ``FORMS`` or a form of Python's; hundredths for numbers with a point.

    Example:
        >>> part(0.1), part(8), part(8, "02"), part("float"), part("document")
        ('010', '8', '08', 'float', '')
    """
    if value is None or value == PLAIN:
        return ""
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value} cannot be part of a name; accepted: finite numbers")
    if isinstance(value, float) and not form:
        return hundredths(value)
    if form in FORMS and not isinstance(value, str):
        return FORMS[form](value)
    if not re.fullmatch("(0?[0-9])?[dgs]?", form):  # a width of a million would be written out
        raise ValueError(f"{form!r} is no form; accepted: {', '.join(FORMS)}, or such as 02")
    return format(value, form)


def joined(*parts: str) -> str:
    """Parts of a name, without the empty ones.

    Example:
        >>> joined("repress", "010", "", "sound")
        'repress_010_sound'
    """
    return "_".join(part for part in parts if part)


def made(pattern: str, fields: Mapping[str, Value], known: Collection[str], where: str) -> str:
    """The name that a pattern makes of fields; ``{column}`` stays.

    Args:
        pattern: Such as ``{method}_every_{every}`` or ``s{sparsity:percent}``.
        fields: Values by name; one that is missing leaves no trace.
        known: Names that fields may have.
        where: File and key, for errors.

    Raises:
        ValueError: The pattern names another field, or cannot be read.

    Example:
        >>> made("noise_{sigma}_{eta}", {"sigma": 0.125}, ["sigma", "eta"], "toy.yaml: recipes")
        'noise_0125'
    """
    try:
        pieces = list(Formatter().parse(pattern))
        return _tidy("".join(_piece(*piece, fields, known) for piece in pieces))
    except ValueError as error:
        raise ValueError(f"{where} is {pattern!r}: {error}") from None


def _piece(
    text: str,
    field: str | None,
    form: str | None,
    _conversion: str | None,
    fields: Mapping[str, Value],
    known: Collection[str],
) -> str:
    if field is None:
        return text
    if field == KEPT:
        return f"{text}{{{KEPT}}}"
    if field not in known:
        raise ValueError(f"it has no field {field!r}; accepted: {', '.join([*known, KEPT])}")
    return text + part(fields.get(field), form or "")


def _tidy(name: str) -> str:
    """The name without the marks that surrounded a field which left nothing."""
    return re.sub("_+", "_", name).strip("_")
