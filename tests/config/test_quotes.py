"""Whatever is quoted stands in the text of its document, in the lines that are named."""

import random
from dataclasses import replace

import pytest
import quotes
from quotes import Passage, keep, kept, not_as_kept, not_in_text
from reactivate.experiment.quotes import Headline
from reactivate.experiment.statements import Statement

PAPERS = quotes.papers()
with_texts = pytest.mark.skipif(not quotes.TEXTS, reason="REACTIVATE_TEXTS is not set")
every = pytest.mark.parametrize("paper", PAPERS)
TEXT = ["The first line of a para-", "graph, with *signs*.", "", "Another paragraph."]


def wrong(paper, judge):
    """What is wrong with the quotations of a paper, each with its place."""
    found = quotes.quoted(paper)[0].items()
    told = {(name, judge(passage)) for name, said in found for passage in said.passages}
    return sorted(f"{name}: {mistake}" for name, mistake in told if mistake)


def slips(paper, each=15):
    """Passages of a paper with one letter changed, or other lines, drawn at random."""
    stream = random.Random(f"a slip of the hand in the quotations of {paper}")
    for passage in stream.sample(list(quotes.passages(paper)), each):
        letters = [i for i, sign in enumerate(passage.words) if sign.isalpha()]
        at = stream.choice(letters)
        other = stream.choice([sign for sign in "aeinst" if sign != passage.words[at]])
        yield replace(passage, words=passage.words[:at] + other + passage.words[at + 1 :])
        yield replace(passage, first=passage.first + 1, last=passage.last + 1)
        yield replace(passage, last=passage.last + 1)


@with_texts
@every
def test_the_text_of_every_document_is_among_the_texts(paper):
    assert quotes.lines(paper) is not None


@with_texts
@every
def test_every_quotation_stands_in_the_text_at_its_lines(paper):
    assert wrong(paper, lambda passage: not_in_text(passage, quotes.lines(paper))) == []


@every
def test_every_quotation_is_of_the_lines_that_were_kept(paper):
    known = kept(paper)
    assert wrong(paper, lambda passage: not_as_kept(passage, known)) == []


@with_texts
@every
def test_what_was_kept_is_of_the_text_and_of_the_quoted_lines_alone(paper):
    assert keep(quotes.passages(paper), quotes.lines(paper)) == kept(paper)


@every
def test_every_claim_has_a_quotation(paper):
    found = quotes.quoted(paper)[0].values()
    statements = [said for said in found if isinstance(said, Statement)]
    headlines = [said for said in found if isinstance(said, Headline)]
    assert statements
    assert len(headlines) >= 5
    assert all(said.passages for said in found)


@pytest.mark.parametrize("paper", ["gmp", "thesis"])
def test_the_right_form_of_a_misprint_is_looked_for_too(paper):
    found = quotes.quoted(paper)[0]
    slips = {name for name, said in found.items() if getattr(said, "misprint", None)}
    assert slips
    assert {f"{name}/misprint" for name in slips} == {n for n in found if n.endswith("/misprint")}


def test_contradictions_and_findings_are_looked_for_too():
    found = [name for paper in PAPERS for name in quotes.quoted(paper)[0]]
    known = list(map(quotes.read, PAPERS))
    contradictions = sum(c.contradicts is not None for p in known for c in p.claims.values())
    quoting = sum(f.quotation is not None for p in known for f in p.findings.values())
    assert sum(name.endswith("/contradicts") for name in found) == contradictions > 0
    assert sum("/findings/" in name for name in found) == quoting > 0


@with_texts
@every
def test_a_changed_letter_or_line_is_seen_in_the_text(paper):
    assert [p for p in slips(paper) if not not_in_text(p, quotes.lines(paper))] == []


@every
def test_a_changed_letter_or_line_is_seen_without_the_text(paper):
    known = kept(paper)
    assert [p for p in slips(paper) if not not_as_kept(p, known)] == []


@pytest.mark.parametrize(
    "passage",
    [
        Passage("line of a paragraph, with", 1, 2),
        Passage("line  of a\n paragraph", 1, 2),
        Passage("with *signs", 2, 2),
        Passage("*signs*. Another", 2, 4),
    ],
)
def test_spaces_and_hyphens_between_lines_do_not_count(passage):
    assert not_in_text(passage, TEXT) == ""
    assert not_as_kept(passage, keep([passage], TEXT)) == ""


@pytest.mark.parametrize(
    ("passage", "said"),
    [
        (Passage("line of a paragreph", 1, 2), "lines 1-2: no 'line of a paragreph'"),
        (Passage("the first", 1, 1), "line 1: no 'the first'"),
        (Passage("with signs", 2, 2), "line 2: no 'with signs'"),
        (Passage("Another paragraph,", 4, 4), "line 4: no 'Another paragraph,'"),
        (Passage("Another", 2, 2), "line 2: no 'Another'"),
    ],
)
def test_other_letters_signs_and_lines_do(passage, said):
    assert not_in_text(passage, TEXT) == said
    assert not_as_kept(passage, keep([passage], TEXT)) == said


@pytest.mark.parametrize(
    ("passage", "said"),
    [
        (Passage("Another", 3, 4), "lines 3-4: fewer hold 'Another'"),
        (Passage("Another", 4, 5), "lines 4-5: the text has 4"),
    ],
)
def test_lines_are_those_of_the_words_and_no_others(passage, said):
    assert not_in_text(passage, TEXT) == said
    assert not_as_kept(passage, {}).startswith(f"nothing is kept of {passage.where}; run ")


def test_a_text_is_found_by_its_checksum_whatever_its_name(tmp_path):
    (tmp_path / "psc.txt").write_text("another text", encoding="utf-8")
    assert quotes.lines("psc", str(tmp_path)) is None
