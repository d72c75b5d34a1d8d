"""Where the words that a claim, a finding or a headline quotes stand in the text of its document.

Where the texts are at hand (in the folder that ``REACTIVATE_TEXTS`` names), every quotation is
looked for in them. Elsewhere it is compared with what was kept of the quoted lines, word by word,
in ``tests/documents/{paper}/lines.json``. After other lines are quoted: ``REACTIVATE_TEXTS=...
python tests/config/quotes.py`` keeps them, from the texts; of all documents, or of those named.
"""

import base64
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir
from functools import cache
from hashlib import sha256
from pathlib import Path

from reactivate.experiment.loading import load_paper, paper_names
from reactivate.experiment.paper import Paper
from reactivate.experiment.quotes import Passage, Quotation

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT / "tests" / "documents"
TEXTS = os.environ.get("REACTIVATE_TEXTS", "")
WORD = re.compile(r"[A-Za-z]+|[0-9]+|\S")  # a sign, and a letter with an accent, is a word too
SIGNS = 2  # kept of a word: one of 4096 other words has the same

Kept = dict[str, list[str]]  # "first-last" -> digest of these lines, and of each word in them


def normal(text: str) -> str:
    """The text with single spaces, and without hyphens that only break a word between lines."""
    joined = re.sub(r"(?<=[a-z])-[ \t]*\n\s*(?=[a-z])", "", text)
    return re.sub(r"\s+", " ", joined).strip()


def words(text: str) -> str:
    """The first signs of the digest of every word."""
    digests = (sha256(word.encode()).digest() for word in WORD.findall(text))
    return "".join(base64.b64encode(digest).decode()[:SIGNS] for digest in digests)


def key(passage: Passage) -> str:
    """The lines of a passage, as they are named in what is kept."""
    return f"{passage.first}-{passage.last}"


@cache
def lines(paper: str, folder: str = TEXTS) -> list[str] | None:
    """The text of a document, found by its checksum; None where it is not at hand."""
    expected = quoted(paper)[1]
    for path in Path(folder).glob("*.txt") if folder else ():
        content = path.read_bytes()
        if sha256(content).hexdigest() == expected:
            return content.decode().split("\n")
    return None


@cache
def quoted(paper: str) -> tuple[dict[str, Quotation], str]:
    """Every quotation of a paper by its place in the configuration; and its text's checksum."""
    known = read(paper)
    found = {f"{paper}/{place}": said for place, said in _quotations(known) if said is not None}
    return found, str(known.source.text_sha256)


def read(paper: str) -> Paper:
    """The configuration of a document."""
    with chdir(ROOT):
        return load_paper(paper)


def _quotations(paper: Paper) -> Iterator[tuple[str, Quotation | None]]:
    """All places of a paper that may quote, with what they do: some quote nothing."""
    for name, claim in paper.claims.items():
        yield f"claims/{name}", claim
        yield f"claims/{name}/misprint", claim.misprint
        yield f"claims/{name}/contradicts", claim.contradicts
    yield from ((f"findings/{name}", found.quotation) for name, found in paper.findings.items())
    yield from ((f"headlines/{name}", head) for name, head in paper.headlines.items())


def papers() -> list[str]:
    """All documents."""
    with chdir(ROOT):
        return list(paper_names())


def keep(passages: Iterable[Passage], text: list[str]) -> Kept:
    """What is kept of quoted lines, in their order; of the lines, not of the quotations."""
    found = {}
    for passage in sorted(set(passages), key=lambda p: (p.first, p.last)):
        whole = normal("\n".join(text[passage.first - 1 : passage.last]))
        found[key(passage)] = [sha256(whole.encode()).hexdigest(), words(whole)]
    return found


def kept(paper: str) -> Kept:
    """What was kept of the quoted lines of a document."""
    path = DOCUMENTS / paper / "lines.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def passages(paper: str) -> Iterator[Passage]:
    """All quoted words of a document."""
    for said in quoted(paper)[0].values():
        yield from said.passages


def not_in_text(passage: Passage, text: list[str]) -> str:
    """What is wrong with a passage, beside the text of its document; empty if nothing is."""
    if passage.last > len(text):
        return f"{passage.where}: the text has {len(text)}"
    sought = normal(passage.words)
    first, last = passage.first, passage.last
    if sought not in normal("\n".join(text[first - 1 : last])):
        return f"{passage.where}: no {passage.words!r}"
    fewer = (text[first:last], text[first - 1 : last - 1])
    if any(sought in normal("\n".join(part)) for part in fewer):
        return f"{passage.where}: fewer hold {passage.words!r}"
    return ""


def not_as_kept(passage: Passage, known: Kept) -> str:
    """What is wrong with a passage, beside what was kept; empty if nothing is."""
    if key(passage) not in known:
        return f"nothing is kept of {passage.where}; run tests/config/quotes.py with the texts"
    whole, sought = known[key(passage)][1], words(normal(passage.words))
    starts = range(0, len(whole) - len(sought) + 1, SIGNS)
    if not any(whole.startswith(sought, start) for start in starts):
        return f"{passage.where}: no {passage.words!r}"
    return ""


def write(chosen: list[str]) -> None:
    """Keeps the quoted lines of every chosen document whose text is at hand."""
    for paper in chosen:
        text = lines(paper)
        if text is None:
            print(f"no file in {TEXTS!r} is the text of {paper}: {quoted(paper)[1]}")
            continue
        wrong = [said for passage in passages(paper) if (said := not_in_text(passage, text))]
        if wrong:
            raise SystemExit("\n".join([f"{paper}: nothing was kept", *wrong]))
        content = json.dumps(keep(passages(paper), text), indent=0)
        (DOCUMENTS / paper / "lines.json").write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1:] or papers())
