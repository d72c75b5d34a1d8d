"""Checks of section 6.4 answer otherwise where the statement is otherwise."""

import pytest
from reactivate.documents.thesis.chapter6 import section6_4_claims as thesis
from reactivate.documents.thesis.small_networks import dense
from reactivate.evidence.judgement import Verdict

CORRECTED = [
    ({"ETA2": 0.0}, "theorem10_certificate"),
    ({"NEARBY": 1.5}, "theorem10_certificate"),  # beyond the radius
    ({"LOWERED": thesis.RAISED, "LOWERED_AT": thesis.RAISED_AT}, "theorem10_probability"),
    ({"LOWERED": thesis.RAISED, "LOWERED_AT": thesis.RAISED_AT}, "variance_falls"),
    ({"repression": lambda network, x: (0.3, 0.4)}, "variance_rises"),  # less than half
    ({"HINGE_AT": 9.0}, "lemma13"),  # the noise stays inside
    ({"BETWEEN": 10.1}, "lemma14"),
    ({"STEEP": dense(thesis.LINE, ([[10.0, -10.0], [-10.0, 10.0]], [-99.0, 100.0]))}, "theorem9"),
    ({"float_losses": lambda label: (1.0, 0.5)}, "theorem11"),
    ({"BETWEEN": 10.1}, "theorem11"),  # nothing to correct
]
BROKEN = [
    ({"path_sum": lambda network, x, slopes: network(x) ** 2}, "lemma13_inside"),
    ({"N": 1000}, "radius_caps"),
]


@pytest.mark.parametrize(("changes", "check"), CORRECTED)
def test_a_statement_that_is_put_right_is_confirmed(monkeypatch, changes, check):
    function = getattr(thesis, check)
    assert function().verdict == Verdict.INCONSISTENT
    for name, value in changes.items():
        monkeypatch.setattr(thesis, name, value)
    assert function().verdict == Verdict.RECOMPUTED_OK, function().reason


@pytest.mark.parametrize(("changes", "check"), BROKEN)
def test_a_statement_that_is_broken_is_refused(monkeypatch, changes, check):
    function = getattr(thesis, check)
    assert function().verdict == Verdict.RECOMPUTED_OK
    for name, value in changes.items():
        monkeypatch.setattr(thesis, name, value)
    assert function().verdict == Verdict.INCONSISTENT, function().reason
