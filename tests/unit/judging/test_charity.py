"""Before a document is said to be wrong: assumption, convention, slip, damaged text."""

import sys

import pytest
from reactivate.judging.charity import Plea, contradiction, could_print, misprint, refute
from reactivate.judging.verdicts import DEPENDS, MISPRINT, REFUTED, Kind

NONE = Plea(assumption="", convention="", right_form="")


@pytest.mark.parametrize(
    ("plea", "statement", "number"),
    [
        (NONE, REFUTED, REFUTED),
        (Plea("no atoms (section 4.1)", "", ""), None, None),
        (Plea("no atoms (section 4.1)", "", "x ≥ 0"), None, None),
        (Plea("", "", "x ≥ 0"), MISPRINT, MISPRINT),
        (Plea("", "logs are natural", ""), None, DEPENDS),
        (Plea("", "logs are natural", "x ≥ 0"), MISPRINT, MISPRINT),
        (Plea("", "", "", is_damaged=True), None, None),
    ],
)
def test_only_what_nothing_explains_is_refuted(plea, statement, number):
    for kind, verdict in ((Kind.STATEMENT, statement), (Kind.NUMBER, number)):
        found = refute(kind, "x > 0", "x = 0", plea, cases=3)
        assert (found and found.verdict) == verdict
        assert found is None or found.verdict.may_judge(kind)


def test_a_comparison_is_not_refuted():
    with pytest.raises(ValueError, match="accepted: statements and numbers"):
        refute(Kind.COMPARISON, "better", "worse", NONE)


def test_exact_work_has_cases_and_no_replicates():
    found = refute(Kind.STATEMENT, "x > 0", "x = 0", NONE, cases=3)
    assert (found.cases, found.n) == (3, None)
    assert found.would_change


@pytest.mark.parametrize("judge", [misprint, contradiction])
def test_both_passages_are_quoted(judge):
    found = judge("the  first\nform", "the second form")
    assert "“the first form”" in found.reason
    assert "“the second form”" in found.reason
    for quotes in (("", "b"), ("a", " "), ("a b", "a  b")):
        with pytest.raises(ValueError, match="two different passages"):
            judge(*quotes)


@pytest.mark.parametrize(
    ("low", "high", "agrees"),
    [
        *((0.125, 0.125, True), (0.115, 0.115, True), (0.12, 0.12, True)),
        *((0.126, 0.13, False), (0.10, 0.114, False), (0.10, 0.116, True), (0.0, 1.0, True)),
    ],
)
def test_a_printed_number_is_an_interval_of_half_its_last_digit(low, high, agrees):
    assert could_print(low, high, 0.12, 0.005) == agrees


def test_the_rules_are_read_without_heavy_packages(tmp_path):
    import subprocess
    from pathlib import Path

    import reactivate.judging

    folder = Path(reactivate.judging.__file__).parent
    names = sorted(path.stem for path in folder.glob("[a-z]*.py"))
    lines = [f"import reactivate.judging.{name}" for name in names]
    lines += [
        "import sys",
        "print(sorted({'numpy', 'scipy', 'pandas', 'torch'} & set(sys.modules)))",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        env={"PYTHONPATH": str(folder.parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
