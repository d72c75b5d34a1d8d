"""A document can be found and cited from what is on record of it, and nothing is made up."""

from types import SimpleNamespace

import pytest
from reactivate.auditing.sources import address, bibtex
from reactivate.experiment.loading import load_paper


def paper(cited, arxiv=None):
    return SimpleNamespace(paper="toy", source=SimpleNamespace(cited=cited, arxiv=arxiv))


def fields(entry):
    lines = [line.strip().rstrip(",") for line in entry.splitlines()[1:-1]]
    return dict(line.split(" = ") for line in lines)


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        (
            "Shang, Sohn, Almeida & Lee, On units, ICML 2016",
            {
                "author": "{Shang and Sohn and Almeida and Lee}",
                "title": "{On units}",
                "howpublished": "{ICML 2016}",
                "year": "{2016}",
            },
        ),
        ("Chen & Ge, On values", {"author": "{Chen and Ge}", "title": "{On values}"}),
        (
            "Cai, IIEU: units, supplementary document, ICCV 2023",
            {
                "author": "{Cai}",
                "title": "{IIEU: units}",
                "howpublished": "{supplementary document, ICCV 2023}",
                "year": "{2023}",
            },
        ),
        ("An unsigned note", {"title": "{An unsigned note}"}),
    ],
)
def test_an_entry_has_what_is_cited(cited, expected):
    entry = bibtex(paper(cited))
    assert entry.startswith("@misc{toy,\n")
    assert entry.endswith("\n}")
    assert fields(entry) == expected


def test_an_address_is_given_where_one_is_on_record():
    known = paper("Chen & Ge, On values", "2305.15912")
    assert address(known) == "https://arxiv.org/abs/2305.15912"
    assert fields(bibtex(known))["eprint"] == "{2305.15912}"
    assert fields(bibtex(known))["url"] == f"{{{address(known)}}}"
    assert address(paper("Nobody, A toy")) == ""


@pytest.mark.parametrize("name", ["crelu", "gmp", "iieu", "psc", "thesis"])
def test_every_document_of_the_project_has_author_and_title(name):
    found = fields(bibtex(load_paper(name)))
    cited = load_paper(name).source.cited
    authors = found["author"].strip("{}").split(" and ")
    assert cited.startswith(authors[0])
    assert found["title"].strip("{}") in cited
