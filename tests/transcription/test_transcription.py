"""Every printed number was transcribed twice, by hand and by a program, with the same result."""

import random
import re
import shutil

import pytest
import yaml
from reactivate.experiment import loading
from transcription import (
    ROOT,
    TEXTS,
    Document,
    Table,
    differences,
    digests,
    documents,
    exhibits_that_differ,
    typed,
)

TYPED = {document.key: typed(document.key) for document in documents()}
with_texts = pytest.mark.skipif(not TEXTS.exists(), reason="the documents' text is not here")
every = pytest.mark.parametrize("document", documents(), ids=lambda document: document.key)


def mistakes(each=2):
    """Claims of each paper with one digit changed, drawn at random."""
    for document in documents():
        stream = random.Random(f"a slip of the hand in {document.key}")
        known = {c: n for c, n in TYPED[document.key].items() if c not in document.lost}
        for claim in stream.sample([c for c in known if re.search(r"\d", known[c])], each):
            number = known[claim]
            at = stream.choice([i for i, sign in enumerate(number) if sign.isdigit()])
            other = stream.choice([d for d in "0123456789" if d != number[at]])
            yield claim, number[:at] + other + number[at + 1 :]


@with_texts
@every
def test_every_claim_is_typed_as_the_text_of_its_document_has_it(document):
    assert differences(TYPED[document.key], document.parsed(), document.lost) == []


@every
def test_every_exhibit_is_typed_as_it_was_parsed_once(document):
    assert exhibits_that_differ(TYPED[document.key], document.known, document.lost) == []


@with_texts
@every
def test_the_digest_is_of_the_text(document):
    assert digests(document.parsed(), {}) == document.known


@every
def test_all_tables_of_a_document_are_compared(document):
    exhibits = {claim.rsplit("/", 2)[0] for claim in TYPED[document.key]}
    assert exhibits == set(document.known)


@every
def test_a_number_is_typed_as_lost_if_and_only_if_the_text_lost_it(document):
    lost = {claim for claim, number in TYPED[document.key].items() if number == "?"}
    assert lost == set(document.lost)
    assert all(document.lost.values())


def typed_wrongly(folder, claim, number):
    """The configuration with one number changed where it is typed."""
    shutil.copytree(ROOT / "config", folder / "config")
    paper, exhibit, row, column = claim.split("/")
    table = loading.load_exhibit(paper, exhibit)
    at = list(table.printed).index(row), table.column_names.index(column)
    (place,) = [
        (path, mark)
        for path in (folder / "config/papers" / paper).glob("*.yaml")
        for mark in typed_at(path, exhibit, *at)
    ]
    path, mark = place
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    before, after = lines[mark.line][: mark.column], lines[mark.line][mark.column :]
    lines[mark.line] = before + after.replace(TYPED[paper][claim], number, 1)
    path.write_text("".join(lines), encoding="utf-8")
    return folder


def typed_at(path, exhibit, row, column):
    """Where a number of an exhibit stands in a file, if it does."""
    node = yaml.compose(path.read_text(encoding="utf-8"))
    for key in ("exhibits", exhibit, "printed"):
        below = [value for name, value in node.value if name.value == key]
        if not below:
            return
        (node,) = below
    yield list(rows(node))[row].value[column].start_mark


def rows(node):
    """The lists of numbers, in the order they are written, however they are nested."""
    if isinstance(node, yaml.SequenceNode):
        yield node
    else:
        for _, below in node.value:
            yield from rows(below)


@pytest.mark.parametrize(("claim", "number"), list(mistakes()))
def test_a_claim_typed_wrongly_is_caught_by_the_text_and_by_the_digest(tmp_path, claim, number):
    document = Document(claim.split("/")[0])
    right = TYPED[document.key]
    wrong = typed(document.key, typed_wrongly(tmp_path, claim, number))
    assert {c for c in right if wrong[c] != right[c]} == {claim}
    assert exhibits_that_differ(wrong, document.known, document.lost) == [claim.rsplit("/", 2)[0]]
    if TEXTS.exists():
        (found,) = differences(wrong, document.parsed(), document.lost)
        assert found == f"{claim}: typed {number}, the text has {right[claim]}"


def test_a_claim_that_is_missing_or_one_too_many_is_caught():
    some = {"a/t/r/c": "1.0", "a/t/r/d": "2.0"}
    assert differences(some, {"a/t/r/c": "1.0"}, {}) == [
        "a/t/r/d: typed 2.0, the text has nothing"
    ]
    assert differences(some, {"a/t/r/c": "1.0"}, {"a/t/r/d": "cut off"}) == []
    assert differences({}, some, {}) == [
        "a/t/r/c: typed nothing, the text has 1.0",
        "a/t/r/d: typed nothing, the text has 2.0",
    ]
    # what is listed as lost must be a claim, and must not be in the text
    assert differences({}, {}, {"a/t/r/d": "cut off"}) == ["a/t/r/d: lost, but no claim"]
    assert differences(some, some, {"a/t/r/d": "cut off"}) == [
        "a/t/r/d: typed nothing, the text has 2.0"
    ]


TOY = "Table 1. A toy.\n\nhead\tx\ty\none\t1.0 \\pm 0.1\t<i>2</i>\ntwo\t3.0\t\n"


def toy(*lines, columns=("x", "y")):
    return Table("toy/table1", "Table 1. ", "head", columns, lines)


def test_a_table_is_read_by_its_caption_head_labels_and_fields():
    read = dict(toy(("one", "first"), ("two", "second")).parse(TOY))
    assert read == {
        "toy/table1/first/x": "1.0±0.1",
        "toy/table1/first/y": "2",
        "toy/table1/second/x": "3.0",
    }


@pytest.mark.parametrize(
    ("table", "error"),
    [
        (toy(("two", "first")), "'one' stands where 'two' should"),
        (toy(("one", "first"), columns=("x",)), "more numbers than columns"),
    ],
)
def test_a_table_that_is_not_as_described_is_an_error(table, error):
    with pytest.raises(ValueError, match=error):
        list(table.parse(TOY))


def test_what_is_no_number_is_an_error():
    with pytest.raises(ValueError, match=r"'l\.0' in .* is no number"):
        list(toy(("one", "first")).parse(TOY.replace("1.0 \\pm 0.1", "l.0")))
