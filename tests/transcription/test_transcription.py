"""Every printed number was transcribed twice, by hand and by a program, with the same result."""

import json
import random
import re
import shutil

import pytest
import yaml
from printed_tables import LOST, TABLES
from transcription import (
    DIGEST,
    LOADER,
    ROOT,
    TEXTS,
    Table,
    differences,
    digests,
    exhibits_that_differ,
    parsed,
    typed,
)

TYPED = typed()
KNOWN = json.loads(DIGEST.read_text(encoding="utf-8"))
with_texts = pytest.mark.skipif(not TEXTS.exists(), reason="the documents' text is not here")


def mistakes(each=2):
    """Claims of each paper with one digit changed, drawn at random."""
    stream = random.Random("a slip of the hand")
    for paper in TABLES:
        known = [c for c, n in TYPED.items() if c.startswith(f"{paper}/") and c not in LOST]
        for claim in stream.sample([c for c in known if re.search(r"\d", TYPED[c])], each):
            number = TYPED[claim]
            at = stream.choice([i for i, sign in enumerate(number) if sign.isdigit()])
            other = stream.choice([d for d in "0123456789" if d != number[at]])
            yield claim, number[:at] + other + number[at + 1 :]


@pytest.fixture(scope="module")
def text():
    return parsed()


@with_texts
def test_every_claim_is_typed_as_the_text_of_its_document_has_it(text):
    assert differences(TYPED, text, LOST) == []


def test_every_exhibit_is_typed_as_it_was_parsed_once():
    assert exhibits_that_differ(TYPED, KNOWN, LOST) == []


@with_texts
def test_the_digest_is_of_the_text(text):
    assert digests(text, {}) == KNOWN


def test_all_tables_of_all_documents_are_compared():
    assert len(TYPED) > 1300
    assert {exhibit.split("/")[0] for exhibit in KNOWN} == set(TABLES)


def test_a_number_is_typed_as_lost_if_and_only_if_the_text_lost_it():
    assert {claim for claim, number in TYPED.items() if number == "?"} == set(LOST)
    assert all(LOST.values())


def typed_wrongly(folder, claim, number):
    """The configuration with one number changed where it is typed."""
    shutil.copytree(ROOT / "config", folder / "config")
    paper, exhibit, row, column = claim.split("/")
    path = folder / "config" / "papers" / f"{paper}.yaml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    node = yaml.compose("".join(lines), Loader=LOADER)
    for key in ("exhibits", exhibit, "printed", row):
        (node,) = [value for name, value in node.value if name.value == key]
    said = yaml.load("".join(lines), Loader=LOADER)["exhibits"][exhibit]["columns"]
    ((_, columns),) = said.items()
    mark = node.value[list(columns).index(column)].start_mark
    before, after = lines[mark.line][: mark.column], lines[mark.line][mark.column :]
    lines[mark.line] = before + after.replace(TYPED[claim], number, 1)
    path.write_text("".join(lines), encoding="utf-8")
    return folder / "config"


@pytest.mark.parametrize(("claim", "number"), list(mistakes()))
def test_a_claim_typed_wrongly_is_caught_by_the_text_and_by_the_digest(
    request, tmp_path, claim, number
):
    wrong = typed(typed_wrongly(tmp_path, claim, number))
    assert {c for c in TYPED if wrong[c] != TYPED[c]} == {claim}
    assert exhibits_that_differ(wrong, KNOWN, LOST) == [claim.rsplit("/", 2)[0]]
    if TEXTS.exists():
        (found,) = differences(wrong, request.getfixturevalue("text"), LOST)
        assert found == f"{claim}: typed {number}, the text has {TYPED[claim]}"


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
