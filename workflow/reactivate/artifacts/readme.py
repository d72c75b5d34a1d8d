"""The blocks of README.md that tell what was claimed and found, generated from published/."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from reactivate.artifacts.readings import readings_block
from reactivate.auditing.chain import Ledger
from reactivate.auditing.counts import verdict_counts
from reactivate.auditing.headlines import Found, findings_of, name_of, summary
from reactivate.auditing.rows import Row
from reactivate.experiment.loading import load_paper, load_scales, paper_names
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.judging.verdicts import Ruling

README = Path("README.md")


def verdict_block(root: Path = PUBLISHED) -> str:
    """The headline claims of every document with what was found, then all claims counted."""
    audited = [scale for scale in load_scales() if audit_file(scale, "csv", root).exists()]
    audited.sort(key=lambda scale: scale != PRINTED_SCALE)
    scales = {scale: Ledger(scale, root).rows for scale in audited}
    lines = [line for name in paper_names() for line in _headlines(name, scales)]
    return "\n".join([*lines, *_counts(scales)])


def _headlines(name: str, scales: Mapping[str, Mapping[str, Row]]) -> Iterator[str]:
    paper = load_paper(name)
    if not paper.headlines:
        return
    yield f"**{paper.title}** (`{name}`)"
    yield ""
    yield "| claimed | found | how sure |"
    yield "| --- | --- | --- |"
    for headline in paper.headlines.values():
        found = findings_of(paper, headline, scales)
        cells = (headline.says, summary(found), _sure(found))
        yield f"| {' | '.join(map(_cell, cells))} |"
    yield ""


def _sure(found: list[Found]) -> str:
    """How sure that is, of each claim that is decided or could be."""
    told = [f"*{name_of(each)}*: {each.sure}" for each in found if each.sure]
    return "; ".join(told[:MOST]) + (
        f"; {len(told) - MOST} more on the page" if len(told) > MOST else ""
    )


MOST = 2  # claims of a headline whose evidence is told here


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _counts(scales: Mapping[str, Mapping[str, Row]]) -> Iterator[str]:
    """A line per verdict: how many claims of each document got it, at every published scale."""
    counts = {
        scale: verdict_counts((row.claim, row.verdict) for row in rows.values())
        for scale, rows in scales.items()
    }
    if not counts:
        return
    columns = [(paper, scale) for paper in paper_names() for scale in scales]
    yield f"| of all claims | {' | '.join(f'{paper}, {scale}' for paper, scale in columns)} |"
    yield f"| --- |{' --- |' * len(columns)}"
    for ruling in Ruling:
        numbers = [_number(counts[scale].get(paper, {}), ruling) for paper, scale in columns]
        if any(numbers):
            shown = " | ".join(str(number or "") for number in numbers)
            yield f"| {ruling.value.replace('_', ' ')} | {shown} |"


def _number(tally: Mapping[str, int], ruling: Ruling) -> int:
    return sum(n for name, n in tally.items() if name.partition("(")[0] == ruling.value)


def renewed(text: str, root: Path = PUBLISHED) -> str:
    """The README with all its blocks as the audits below a folder have them now."""
    for name, block in (("verdicts", verdict_block(root)), ("readings", readings_block(root))):
        text = with_block(text, name, block)
    return text


def with_block(text: str, name: str, block: str) -> str:
    """The README with one of its blocks replaced."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    pattern = re.compile(f"{re.escape(begin)}.*{re.escape(end)}", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"README.md has no block between {begin} and {end}; put the marks back")
    return pattern.sub(lambda _: f"{begin}\n{block}\n{end}", text)
