"""Every published figure can be drawn from its published numbers, and people can read it."""

from pathlib import Path

import pandas as pd
import pytest
from reactivate.documents.shared.style import styled
from reactivate.experiment.exhibits import Analysis, Curves
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.foundation.registry import load_function

ROOT = Path(__file__).parents[3]
# their numbers were published before the analysis had a column that pictures need
OLDER = {"paper/thesis/figure5_4", "paper/thesis/figure5_6"}
DRAWN = [
    pytest.param(exhibit, path, id=path.relative_to(ROOT / "published").as_posix())
    for paper in paper_names()
    for name, exhibit in load_paper(paper).exhibits.items()
    if isinstance(exhibit, Analysis | Curves)
    for path in sorted((ROOT / "published").glob(f"*/{paper}/{name}.csv"))[:1]
    if path.relative_to(ROOT / "published").with_suffix("").as_posix() not in OLDER
]


@pytest.mark.slow
@pytest.mark.parametrize(("exhibit", "path"), DRAWN)
def test_a_published_figure_is_drawn_from_its_csv(exhibit, path, tmp_path):
    with styled():
        figure = load_function(exhibit.picture)(pd.read_csv(path))
        figure.savefig(tmp_path / "figure.png", dpi=40)  # the texts in it are looked at
    labelled = [axis for axis in figure.axes if axis.axison and axis.get_xticks().size]
    named = [axis.get_xlabel() or axis.get_ylabel() or axis.get_title() for axis in labelled]
    assert any(named) or not labelled
