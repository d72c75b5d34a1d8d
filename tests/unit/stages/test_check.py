"""A claim that a function looks into gets a verdict of its kind, as its runs allow it."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from reactivate.auditing import analysed_claims
from reactivate.evidence import absences
from reactivate.evidence.judgements import read_judgements
from reactivate.experiment.experiment import Experiment, forget
from reactivate.experiment.paths import checks_file
from reactivate.experiment.statements import Statement
from reactivate.judging.exact import checked, proved, refuted
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect
from reactivate.stages import check as stage

TARGET = "reactivate.documents.gmp.figure1_claims:gmp_is_most_stable"
ABOVE, BELOW = Effect((1.0, 1.1, 1.2, 1.05, 1.15)), Effect((-1.0, -1.1, -1.2, -1.05, -1.15))
OPEN = Effect((1.0, -1.0, 0.5, -0.4, 0.1))


def stated(kind="comparison", choices=None, function=False, **effect):
    check = {"function": TARGET} if function else {"exhibit": "figure1", "judge": TARGET}
    told = {"number": "x", "replicate": "seed", **effect} if kind == "comparison" else None
    return Statement.model_validate(
        {
            "locator": "Section 1",
            "kind": kind,
            "says": "It is so.",
            "quote": "It is so",
            "lines": [1, 1],
            "check": check,
            "effect": told,
            "choices": choices or {},
            "would_change": "More seeds.",
        }
    )


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """``judged(found, statement, **exhibit)``: by a function that finds this in an analysis."""
    (tmp_path / "values.csv").write_text("x\n1\n", encoding="utf-8")

    def judgement(found, statement, *, scale="paper", absent="", reach="all", **changed):
        usual = {
            "form": None,
            "scale": scale,
            "analysis_folder": tmp_path,
            "overrides": [],
            "unsupplied": [],
            "judges": lambda _: True,
            "analysed": {},
            "stands_in": lambda _: False,
        }
        exhibit = SimpleNamespace(**{**usual, **changed})
        absence = {tmp_path / "values.csv": absent}
        experiment = SimpleNamespace(
            scale=scale,
            reach=reach,
            exhibit=lambda *_: exhibit,
            absence=lambda _, file: absence[file],
        )
        function = found if callable(found) else lambda _: found
        look = (lambda: found) if statement.check.judge is None else function
        for module in (stage, analysed_claims):
            monkeypatch.setattr(module, "load_function", lambda _: look)
        return stage.judge(experiment, "toy", statement)

    return judgement


@pytest.mark.parametrize(
    ("found", "kind"), [(proved("so"), "statement"), (checked(True, "so", 3), "number")]
)
def test_what_a_function_proves_is_the_verdict(judged, found, kind):
    assert judged(found, stated(kind, function=True)) == found


@pytest.mark.parametrize("function", [True, False])
def test_a_verdict_must_fit_the_kind_of_its_claim(judged, function):
    undecided = judged(OPEN, stated())
    with pytest.raises(ValueError, match="is a statement and cannot get undecided; correct"):
        judged(undecided, stated("statement", function=function))


def test_an_analysis_that_was_not_made_is_not_run_and_says_why(judged):
    found = judged(proved("so"), stated("statement"), absent="its run failed")
    assert (str(found.verdict), found.reason) == ("not_run(compute)", "its run failed")


@pytest.mark.parametrize(
    ("reach", "now", "told"),
    [("existing", "new", True), ("existing", "old", False), ("all", "new", False)],
)
def test_values_of_another_form_are_not_run_only_if_older_code_made_what_exists(
    judged, monkeypatch, reach, now, told
):
    def by_breakpoints(values):
        return values["breakpoints"]

    monkeypatch.setattr(absences, "read_record", lambda _: SimpleNamespace(code="old", read=[]))
    monkeypatch.setattr(absences, "code_digest", lambda *_: now)
    exhibit = {"name": "figure5_4", "modules": lambda _: ()}
    if told:
        found = judged(by_breakpoints, stated(), reach=reach, **exhibit)
        assert str(found.verdict) == "not_run(compute)"
        assert found.reason == "older code made the values of figure5_4, without 'breakpoints'"
    else:
        with pytest.raises(KeyError, match="breakpoints"):
            judged(by_breakpoints, stated(), reach=reach, **exhibit)


@pytest.mark.parametrize(
    ("reach", "read", "verdict"),
    [
        ("existing", "seed0", "confirmed(proof)"),
        ("existing", "seed1", "not_run(compute)"),
        ("all", "seed1", "confirmed(proof)"),
    ],
)
def test_what_exists_may_be_of_other_runs_than_those_asked_for(
    judged, monkeypatch, reach, read, verdict
):
    kept = SimpleNamespace(file=f"results/{read}/run.json")
    monkeypatch.setattr(absences, "read_record", lambda _: SimpleNamespace(read=[kept]))
    runs = {("row", "column", "document"): (None, Path("results/seed0"))}
    found = judged(proved("so"), stated("statement"), reach=reach, name="figure4", analysed=runs)
    assert str(found.verdict) == verdict


def test_a_comparison_cannot_be_refuted(judged):
    with pytest.raises(ValueError, match="is a comparison and cannot get refuted"):
        judged(refuted("one"), stated())


@pytest.mark.parametrize(
    ("found", "verdict"), [(ABOVE, "holds"), (BELOW, "fails"), (OPEN, "undecided")]
)
def test_an_effect_is_judged_by_the_question_of_the_claim(judged, found, verdict):
    assert str(judged(found, stated()).verdict) == verdict


def test_a_list_is_judged_as_the_claim_says(judged):
    cases = {"a": ABOVE, "b": BELOW}
    assert str(judged(cases, stated(cases="all")).verdict) == "fails"
    assert str(judged(cases, stated(cases="some")).verdict) == "holds"


def test_replicates_that_were_fixed_beforehand_are_those_of_the_scale(judged):
    asked = stated(fixed={"paper": 10})
    assert str(judged(ABOVE, asked).verdict) == "undecided"  # five of ten
    small = judged(ABOVE, asked, scale="laptop", overrides=["draws = 5"])
    assert str(small.verdict) == "holds"


CHOICE = {"value": "1", "alternatives": ["2"], "reason": "it is not said"}


@pytest.mark.parametrize(
    ("found", "choice", "verdict"),
    [
        (BELOW, CHOICE, "undecided"),  # nothing was computed under 2
        (Readings({"1": BELOW, "2": BELOW}), CHOICE, "fails"),
        (Readings({"1": BELOW, "2": ABOVE}), CHOICE, "depends"),
        (Readings({"1": OPEN, "2": ABOVE}), CHOICE, "holds"),
        (Readings({"1": OPEN, "2": ABOVE}), {**CHOICE, "on_test_split": ["2"]}, "undecided"),
        (Readings({"1": ABOVE, "2": BELOW}), {**CHOICE, "afterwards": ["2"]}, "holds"),
        (Readings({"1": BELOW, "2": ABOVE}), {**CHOICE, "afterwards": ["2"]}, "depends"),
    ],
)
def test_choices_are_readings_with_their_marks(judged, found, choice, verdict):
    assert str(judged(found, stated(choices={"breaks": choice})).verdict) == verdict


@pytest.mark.parametrize(
    ("found", "stands_in", "magnitude", "verdict"),
    [
        (BELOW, False, False, "not_comparable(scale)"),
        (BELOW, True, False, "not_comparable(data)"),
        (ABOVE, False, False, "holds"),
        (ABOVE, False, True, "not_comparable(scale)"),
    ],
)
def test_below_the_printed_scale_nothing_is_held_against_the_document(
    judged, found, stands_in, magnitude, verdict
):
    small = {"scale": "laptop", "overrides": ["draws = 5", "epochs = 2"]}
    asked = stated(magnitude=magnitude)
    judgement = judged(found, asked, **small, stands_in=lambda _: stands_in)
    assert (str(judgement.verdict), judgement.scale) == (verdict, "laptop")
    assert judgement.overrides == "draws = 5; epochs = 2"
    assert judgement.reason.startswith("at scale laptop: ")


def test_a_scale_that_changes_nothing_of_it_is_the_printed_one(judged):
    assert str(judged(BELOW, stated(), scale="laptop").verdict) == "fails"


def test_networks_that_have_not_learned_are_named(judged, monkeypatch):
    monkeypatch.setattr(
        analysed_claims, "unlearned_networks", lambda *_: ["relu mnist", "relu cifar10"]
    )
    found = judged(BELOW, stated())
    assert str(found.verdict) == "not_comparable(untrained)"
    assert found.reason.endswith("have not learned: relu mnist, relu cifar10")
    exact = judged(proved("so"), stated("statement"))  # it compares nothing
    assert str(exact.verdict) == "confirmed(proof)"


@pytest.mark.parametrize(
    ("unsupplied", "verdict", "reason"),
    [
        (["imagenet"], "not_run(data_unavailable)", "imagenet has to be supplied, and was not"),
        ([], "not_run(compute)", "the scale paper does not run all it speaks of here"),
    ],
)
def test_what_was_not_run_says_whether_data_or_time_was_lacking(
    judged, unsupplied, verdict, reason
):
    found = judged(ABOVE, stated(), judges=lambda _: False, unsupplied=unsupplied)
    assert (str(found.verdict), found.reason) == (verdict, reason)


def test_the_stage_keeps_judgements_findings_and_own_tables(finished):
    found = read_judgements(checks_file("smoke", "gmp"))
    paper = Experiment.load("smoke").paper("gmp")
    assert list(found.claims) == ["degrees_of_freedom"]
    assert str(found.claims["degrees_of_freedom"].reached.verdict).startswith("confirmed(")
    assert list(found.findings) == ["uniform_angles"] == list(paper.findings)
    assert found.findings["uniform_angles"].says
    assert set(found.own_tables) == {"gmp_best", "gmp_significant"}
    assert "Table 3" in found.own_tables["gmp_best"].says
    for looked in found.looked.values():
        assert looked.function in paper.looked_into
        assert looked.seconds >= 0


def test_a_finding_may_be_told_from_an_analysis_or_say_why_not(unrun, monkeypatch):
    monkeypatch.setattr(stage, "load_function", lambda _: lambda *values: f"found in {values}")
    forget()
    finding = SimpleNamespace(check=stated("statement").check)
    exhibit = SimpleNamespace(
        judges=lambda _: False, unsupplied=[], scale="smoke", analysis_folder=unrun
    )
    paper = SimpleNamespace(findings={"f": finding})
    experiment = SimpleNamespace(
        paper=lambda _: paper, exhibit=lambda *_: exhibit, absence=lambda *_: "its run failed"
    )
    assert stage._found(experiment, "toy", "f") == "its run failed"
    experiment.absence = lambda *_: ""
    assert stage._found(experiment, "toy", "f").startswith("the scale smoke does not run all")
    finding.check = stated("statement", function=True).check
    assert stage._found(experiment, "toy", "f") == "found in ()"
