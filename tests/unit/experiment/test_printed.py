"""Printed numbers keep the precision of their last digit."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.experiment.printed import Printed


@given(
    units=st.integers(-(10**6), 10**6),
    digits=st.integers(0, 5),
    spread=st.none() | st.integers(0, 10**4),
)
def test_a_printed_number_is_read_with_the_precision_of_its_last_digit(units, digits, spread):
    text = f"{units / 10**digits:.{digits}f}"
    if spread is not None:
        text += f"±{spread / 10**digits:.{digits}f}"
    printed = Printed.parse(text)
    assert printed.value == pytest.approx(units / 10**digits, abs=1e-9)
    assert printed.half_unit == pytest.approx(0.5 / 10**digits, rel=1e-12)
    assert (printed.spread is None) == (spread is None)
    assert printed.spread is None or printed.spread == pytest.approx(spread / 10**digits)


BAD = ["", "x", "1.", ".5", "1,5", "1.5 ± 0.1", "1.5±", "±0.1", "1.5+-0.1", "1e3", "1.5±-0.1"]


@pytest.mark.parametrize("text", [*BAD, "nan", "inf", "-", "––", "–±0.1"])
def test_a_text_that_no_paper_prints_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=re.escape(f"cannot read {text!r} as a printed number")):
        Printed.parse(text)


@pytest.mark.parametrize(("text", "half_unit"), [("92.60", 0.005), ("92.6", 0.05), ("93", 0.5)])
def test_a_trailing_zero_is_a_digit(text, half_unit):
    assert Printed.parse(text).half_unit == half_unit


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("25.6M", 25.6e6, 0.05e6),
        ("1.5G", 1.5e9, 0.05e9),
        ("12K", 12e3, 0.5e3),
        ("0.3%", 0.3, 0.05),
        ("✓", 1.0, 0.0),
        ("×", 0.0, 0.0),
        ("–", math.inf, 0.0),
    ],
)
def test_a_unit_scales_the_number_and_its_precision(text, value, half_unit):
    printed = Printed.parse(text)
    assert (printed.value, printed.half_unit) == pytest.approx((value, half_unit))


@pytest.mark.parametrize(
    ("printed", "value", "text"),
    [("–", math.inf, "–"), ("–", 97.0, "97"), ("97", math.inf, "–"), ("2.74", math.inf, "–")],
)
def test_never_is_shown_as_the_document_prints_it(printed, value, text):
    assert Printed.parse(printed).show(value) == text
