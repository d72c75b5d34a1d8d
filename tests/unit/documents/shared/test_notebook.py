"""What notebooks show: of this clone before what is published, in words, and where it was read."""

import json
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from reactivate.documents.shared.notebook import (
    Shelf,
    as_table,
    beside_printed,
    drawn,
    readable,
)
from reactivate.evidence.provenance import Provenance
from reactivate.foundation.workplace import PROJECT

ROOT = Path(__file__).parents[4]
BOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TABLE = """Neural characteristic activation value analysis (GmP), Table 3: Test error of table3.

| parameterization | source | boston_rows |
| --- | --- | --- |
| SP | printed | **3.370±0.145** ? |
|  | ours, as the document says | 3.82±0.19 |
| GmP | printed | – |

Verdict on the printed number: ? undecided.
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """``put(root, scale, ending, text)``: a file of gmp's table3 in an empty folder of results."""
    monkeypatch.setenv(PROJECT, str(ROOT))
    monkeypatch.chdir(tmp_path)

    def put(root, scale, ending="md", text=TABLE):
        path = Path(root) / scale / "gmp" / f"table3.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return put


ORDER = [
    ("results", "laptop"),
    ("results", "paper"),
    ("published", "paper"),
    ("published", "laptop"),
]


@pytest.mark.parametrize("first", range(4))
def test_own_results_come_first_and_of_published_ones_the_printed_scale(place, first):
    expected, *_ = [place(*where) for where in ORDER[first:]]
    assert Shelf("gmp", "laptop").find("table3", "md") == expected


def test_published_evidence_alone_leaves_own_results_aside(place):
    place("results", "laptop")
    published = place("published", "laptop")
    assert Shelf("gmp", "laptop", "published").find("table3", "md") == published


def test_of_another_smaller_scale_nothing_is_shown(place):
    place("published", "laptop")
    assert Shelf("gmp", "smoke").find("table3", "md") is None


def test_an_unknown_evidence_is_named_with_what_is_accepted():
    with pytest.raises(ValueError, match="evidence is 'paper'; accepted: results, published"):
        Shelf("gmp", "laptop", "paper").show("table3")


def test_a_table_says_whose_numbers_it_has_and_where_it_was_read(place):
    place("published", "paper")
    html = Shelf("gmp", "laptop").show("table3").html
    rows = [re.findall("<td>(.*?)</td>", line) for line in re.findall("<tr>(.*?)</tr>", html)]
    assert rows[1:] == [
        ["SP", "printed", "3.370±0.145 ?"],
        ["", "ours, as the document says", "3.82±0.19"],
        ["GmP", "printed", "–"],
    ]
    assert '<th scope="col">boston rows</th>' in html
    said = "Table 3: Test error of Table 3.  Verdict on the printed number: ? undecided."
    assert re.sub(" +", " ", said) in re.sub(" +", " ", html)  # without the document's title
    assert "<code>published/paper/gmp/table3.md</code>" in html


def test_what_nobody_has_made_is_said_in_words(place):
    html = Shelf("gmp", "laptop").show("figure3_10").html
    assert "Figure 3.10 was not made here at scale laptop, and is not published" in html


def test_a_published_figure_has_its_caption_in_place_of_the_picture():
    html = Shelf("gmp", "laptop", "published").show("figure1").html
    caption = json.loads((ROOT / "published/paper/gmp/figure1.provenance.json").read_text())
    alt = re.search(
        r'<img src="data:image/webp;base64,[^"]+" width="\d+" height="\d+" alt="([^"]+)">', html
    )
    assert alt is not None
    assert alt[1].startswith(caption["caption"][:40])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("figure5_4 was made", "Figure 5.4 was made"),
        ("tiny_imagenet20", "tiny imagenet20"),
        ("spsc_all_positive", "spsc all positive"),
        ("epoch_below_3_0", "epoch below 3.0"),
        ("conv1_4_7", "conv1 4 7"),
        ("eta_2, x_c, s_1, sum_k 2^-k", "eta_2, x_c, s_1, sum_k 2^-k"),
        (r"\mathbf_something", r"\mathbf_something"),
    ],
)
def test_names_become_words_and_signs_of_formulas_stay(text, words):
    assert readable(text) == words


def test_texts_of_a_table_are_no_markup():
    assert "<td>a &lt; b &amp; c</td>" in as_table(["<x>"], [["a < b & c"]])
    assert "<x>" not in as_table(["<x>"], [["a < b & c"]])


def cell(row, column, protocol, mean, printed, error=0.5):
    kept = {"row": row, "column": column, "protocol": protocol, "values": [mean], "how": ""}
    found = {"dataset": "", "printed": printed, "mean": mean, "standard_error": error, "n": 1}
    return {**kept, **found, "records": []}


def test_a_table_is_drawn_with_printed_numbers_and_ours_in_every_panel():
    numbers = [
        cell("sp", "boston_rows", "document", 4.0, "3.37±0.1"),
        cell("gmp", "boston_rows", "document", 2.0, "3.05±0.2"),
        cell("sp", "wine", "document", 1.0, "0.9"),
        cell("gmp", "wine", "computed", 7.0, "7"),
    ]
    shown = {"paper": "gmp", "exhibit": "table3", "scale": "laptop", "caption": "T."}
    metric = {"name": "test_rmse", "unit": "points"}
    figure = beside_printed(Provenance(**shown, metric=metric, cells=numbers, files={}))
    first, second = figure.axes
    assert [axis.get_title() for axis in figure.axes] == ["boston rows", "wine"]
    points = [list(bars[0].get_ydata()) for bars in first.containers]
    assert points == [[3.37, 3.05], [4.0, 2.0]]
    errors = [
        [hi - lo for (_, lo), (_, hi) in bars[2][0].get_segments()] for bars in first.containers
    ]
    assert errors[0] == pytest.approx([0.2, 0.4])
    assert errors[1] == pytest.approx([1.0, 1.0])
    assert second.containers[1][0].get_ydata()[0] == 1.0
    assert first.get_legend_handles_labels()[1] == ["printed", "ours, document"]
    plt.close(figure)


def test_a_drawn_figure_is_shown_once_and_told_to_those_who_cannot_see_it():
    figure, _ = plt.subplots()
    shown = drawn(figure, 'the "line" of table3')
    assert not plt.fignum_exists(figure.number)
    assert shown._repr_html_().startswith('<img src="data:image/webp;base64,')
    assert 'alt="the &quot;line&quot; of Table 3"' in shown.html
    assert "base64" not in repr(shown)


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_names_exhibits_of_its_document_only(path):
    from reactivate.experiment.loading import load_paper

    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    called = re.findall(r"story\.(?:about|shelf\.beside_printed)\(([^)]*)\)", code)
    named = {name for arguments in called for name in re.findall(r'"(\w+)"', arguments)}
    assert named
    assert named <= set(load_paper(path.stem).exhibits)
    assert f'Story("{path.stem}", scale, evidence)' in code


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs_and_has_parameters(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert code[0]["metadata"]["tags"] == ["parameters"]
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
