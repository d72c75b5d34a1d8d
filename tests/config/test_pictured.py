"""Which rule makes an exhibit: what has a picture is drawn, the rest tabulated."""

import re

import pytest
from reactivate.experiment import loading
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.experiment import pictured

EXHIBITS = [
    pytest.param(name, exhibit, id=f"{paper}/{name}")
    for paper in loading.paper_names()
    for name, exhibit in loading.load_paper(paper).exhibits.items()
]


@pytest.mark.parametrize(("name", "exhibit"), EXHIBITS)
def test_an_exhibit_is_drawn_or_tabulated(name, exhibit):
    drawn = re.fullmatch(pictured(), name)
    tabulated = re.fullmatch(rf"(?!(?:{pictured()})\.)[a-z0-9_]+\.csv", f"{name}.csv")
    assert (drawn is None) == isinstance(exhibit, Grid)
    assert (tabulated is not None) == isinstance(exhibit, Grid)


@pytest.mark.parametrize(("name", "drawn"), [("figure99", True), ("table99", False)])
def test_a_name_that_no_paper_has_reaches_the_rule_that_explains_it(name, drawn):
    assert (re.fullmatch(pictured(), name) is not None) == drawn


def test_one_name_for_a_table_and_a_picture_is_refused(edit):
    edit("papers/psc/paper.yaml", "  bound:  #", "  figure5:  #")
    edit("papers/psc/headlines.yaml", "exhibits: [bound,", "exhibits: [figure5,")
    with pytest.raises(ValueError, match=r"figure5 is a table in one paper and a picture in"):
        pictured()
