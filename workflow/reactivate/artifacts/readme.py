"""The block of README.md that tells what was claimed and found, generated from published/."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from reactivate.auditing.chain import Ledger
from reactivate.auditing.counts import verdict_counts
from reactivate.auditing.headlines import Found, findings_of
from reactivate.auditing.rows import Row
from reactivate.experiment.loading import load_paper, load_scales, paper_names
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.judging.verdicts import Ruling, Verdict

README = Path("README.md")
BEGIN, END = "<!-- verdicts: begin -->", "<!-- verdicts: end -->"


def verdict_block() -> str:
    """The headline claims of every document with what was found, then all claims counted."""
    published = [s for s in load_scales() if audit_file(s, "csv", PUBLISHED).exists()]
    published.sort(key=lambda scale: scale != PRINTED_SCALE)
    scales = {scale: Ledger(scale, PUBLISHED).rows for scale in published}
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
        told = "<br>".join(_sentence(each) for each in found) or "nothing was run for it"
        sure = "<br>".join(dict.fromkeys(each.sure for each in found if each.sure))
        yield f"| {_cell(headline.says)} | {_cell(told)} | {_cell(sure)} |"
    yield ""


def _sentence(found: Found) -> str:
    """What was found of one claim, or of the numbers of a table, with the scale of the runs."""
    if not found.verdict:
        return f"{found.about}: {found.says} (scale {found.scale})"
    exact = Verdict.parse(found.verdict).ruling in EXACT
    where = "" if exact else f" (scale {found.scale})"
    name = found.claim.rpartition("/")[2].replace("_", " ")
    return f"*{name}*: {found.says.rstrip('.')}{where}."


EXACT = (Ruling.MISPRINT, Ruling.SELF_CONTRADICTORY, Ruling.REFUTED, Ruling.CONFIRMED)


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


def with_block(text: str, block: str) -> str:
    """The README with its block replaced."""
    pattern = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"README.md has no block between {BEGIN} and {END}; put the marks back")
    return pattern.sub(lambda _: f"{BEGIN}\n{block}\n{END}", text)
