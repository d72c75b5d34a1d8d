"""Every function that the configuration names covers its exhibit, or says what it found."""

import pytest
from matplotlib.figure import Figure as Picture
from reactivate.auditing.numbers import judge_recomputed
from reactivate.experiment import loading
from reactivate.experiment.exhibits import Figure, Recomputed
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.printed import Printed
from reactivate.foundation.registry import load_function
from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import DEPENDS

PAPERS = {name: loading.load_paper(name) for name in loading.paper_names()}
EXHIBITS = [
    (paper, name, exhibit)
    for paper, known in PAPERS.items()
    for name, exhibit in known.exhibits.items()
]
COMPUTED = [
    pytest.param(p, n, e, id=f"{p}/{n}")
    for p, n, e in EXHIBITS
    if Experiment.load("paper").exhibit(p, n).is_computed
]
FIGURES = [pytest.param(e, id=f"{p}/{n}") for p, n, e in EXHIBITS if e.kind == "figure"]
CHECKS = [
    pytest.param(claim, claim.check.function, id=f"{paper}/{name}")
    for paper, known in PAPERS.items()
    for name, claim in known.claims.items()
    if claim.check and claim.check.function
]
TOLD = [
    pytest.param(target, id=f"{paper}/{name}")
    for paper, known in PAPERS.items()
    for name, target in [
        *((n, f.check.function) for n, f in known.findings.items() if f.check),
        *known.own_tables.items(),
    ]
    if target
]
BY_CONVENTION = {  # right under one that the document may mean
    "crelu/table1": {("baseline_double", "params")},
    "iieu/table6": {("iieu_b", "params")},
    "thesis/table3_1": {("symmetric", "sigmoid"), ("symmetric", "tanh")},
}


@pytest.mark.parametrize(("paper", "name", "exhibit"), COMPUTED)
def test_computed_values_cover_the_grid_and_are_as_printed_or_depend_on_a_convention(
    paper, name, exhibit
):
    assert isinstance(exhibit, Recomputed)
    values = {(v.row, v.column): v for v in load_function(exhibit.function)()}
    assert set(values) == {
        (row, column)
        for row in exhibit.row_names
        for column in exhibit.column_names
        if exhibit.is_computed(row, column)
    }
    depends = set()
    for place, value in values.items():
        printed = Printed.parse(exhibit.printed_at(*place))
        found = judge_recomputed(exhibit, *place, printed, value.value, value.how)
        if found.verdict == DEPENDS:
            depends.add(place)
        else:
            assert found.verdict.is_favourable, found.reason
    assert depends == BY_CONVENTION.get(f"{paper}/{name}", set())


@pytest.mark.parametrize("exhibit", FIGURES)
def test_figures_come_with_their_numbers_and_stay_small(exhibit, tmp_path):
    assert isinstance(exhibit, Figure)
    numbers, picture = load_function(exhibit.function)()
    assert isinstance(picture, Picture)
    assert len(numbers)
    assert not numbers.isna().any().any()
    picture.savefig(tmp_path / "figure.png", dpi=120)
    assert (tmp_path / "figure.png").stat().st_size < 200_000


@pytest.mark.parametrize(("claim", "target"), CHECKS)
def test_a_check_gives_a_verdict_that_a_claim_of_its_kind_can_get(claim, target):
    found = load_function(target)()
    assert isinstance(found, Judgement)
    assert found.verdict.may_judge(claim.kind)


@pytest.mark.parametrize("target", TOLD)
def test_findings_and_own_tables_are_told_in_one_line(target):
    told = load_function(target)()
    assert isinstance(told, str)
    assert told
    assert "\n" not in told
