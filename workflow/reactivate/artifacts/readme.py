"""The blocks of README.md that tell what was claimed and found, generated from published/."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from reactivate.artifacts.readings import readings_block
from reactivate.auditing.answers import AGAINST, answer_of
from reactivate.auditing.chain import Ledger
from reactivate.auditing.headlines import EXACT, Found, findings_of
from reactivate.auditing.rows import Row
from reactivate.experiment.loading import load_paper, load_scales, paper_names
from reactivate.experiment.paper import Paper
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.judging.verdicts import FAVOURABLE, UNJUDGED, Ruling, Verdict

README = Path("README.md")
COLUMNS = ("document", "what it promises, and what we found", "at what scale", "how sure")
MEASURED = (Ruling.HOLDS, Ruling.FAILS, Ruling.DEPENDS)  # of claims that runs decide


def verdict_block(root: Path = PUBLISHED) -> str:
    """A table with one row per document: what it promises, what was found, how sure that is."""
    audited = [scale for scale in load_scales() if audit_file(scale, "csv", root).exists()]
    audited.sort(key=lambda scale: scale != PRINTED_SCALE)
    scales = {scale: Ledger(scale, root).rows for scale in audited}
    papers = [load_paper(name) for name in paper_names()]
    lines = [_line(paper, scales) for paper in papers if paper.headlines]
    return "\n".join([f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}", *lines])


def _line(paper: Paper, scales: Mapping[str, Mapping[str, Row]]) -> str:
    """The row of a document."""
    told = {
        headline.says: findings_of(paper, headline, scales)
        for headline in paper.headlines.values()
    }
    behind = {each.claim: each for found in told.values() for each in found if each.verdict}
    promised = (
        f"{number}. {says} **{answer_of(found).words}**"
        for number, (says, found) in enumerate(told.items(), 1)
    )
    cells = (
        f"**{paper.title}** (`{paper.paper}`)",
        "<br>".join(promised),
        _where(list(behind.values())),
        _sure([scales[each.scale][each.claim] for each in behind.values()]),
    )
    return f"| {' | '.join(map(_cell, cells))} |"


def _where(found: list[Found]) -> str:
    """At which scale claims were judged; proofs and counted cases need none."""
    judged = [(Verdict.parse(each.verdict).ruling, each.scale) for each in found]
    tally = Counter(
        "without runs" if ruling in EXACT else f"at `{scale}`"
        for ruling, scale in judged
        if ruling not in UNJUDGED
    )
    told = [f"{count} {words}" for words, count in sorted(tally.items())]
    return ", ".join(told) or "nothing was judged"


def _sure(rows: list[Row]) -> str:
    """How many claims behind the headlines are decided, and from how many replicates."""
    kinds = [Verdict.parse(row.verdict).ruling for row in rows]
    favourable, against = (sum(k in side for k in kinds) for side in (FAVOURABLE, AGAINST))
    rest = len(rows) - favourable - against
    sides = {"for it": favourable, "against it": against, "open, slips or not run": rest}
    told = ", ".join(f"{count} {words}" for words, count in sides.items() if count)
    said = [f"of {len(rows)} claims behind it {told}" if rows else "no claim was looked into"]
    replicates = sorted(
        int(row.n) for row, kind in zip(rows, kinds, strict=True) if row.n and kind in MEASURED
    )
    if replicates:
        fewest, most = replicates[0], replicates[-1]
        said.append(f"{fewest if fewest == most else f'{fewest} to {most}'} replicates")
    return "; ".join(said)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


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
