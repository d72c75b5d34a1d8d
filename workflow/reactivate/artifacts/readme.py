"""Blocks of README.md and docs/answers.md on what was claimed and found, from published/."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from reactivate.artifacts.readings import readings_block
from reactivate.artifacts.replacing import ANSWERS, README
from reactivate.auditing.answers import AGAINST, answer_of, sentence
from reactivate.auditing.chain import Ledger
from reactivate.auditing.headlines import EXACT, Found, findings_of, summary
from reactivate.auditing.rows import Row
from reactivate.experiment.loading import load_paper, load_scales, paper_names
from reactivate.experiment.paper import Paper
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.judging.verdicts import FAVOURABLE, UNJUDGED, Ruling, Verdict

COLUMNS = ("document", "what we found of its promises", "claims judged", "how sure")
MEASURED = (Ruling.HOLDS, Ruling.FAILS, Ruling.DEPENDS)  # of claims that runs decide


Scales = Mapping[str, Mapping[str, Row]]  # rows by claim; the printed scale first


def verdict_block(root: Path = PUBLISHED) -> str:
    """A table with one row per document: what was found of its promises, how sure that is."""
    scales = _scales(root)
    lines = [_line(paper, scales) for paper in _papers()]
    return "\n".join([f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}", *lines])


def answers_block(root: Path = PUBLISHED) -> str:
    """A section per document: every promise, its answer, and what was found behind it."""
    scales, parts = _scales(root), []
    for paper in _papers():
        told = _told(paper, scales)
        parts += [f"## {paper.title}", sentence(answer_of(found) for found in told.values())]
        parts += [
            f"{number}. {says}\n   **{answer_of(found).words}.** {summary(found)}"
            for number, (says, found) in enumerate(told.items(), 1)
        ]
    return "\n\n".join(parts)


def _scales(root: Path) -> Scales:
    """The audits below a folder."""
    audited = [scale for scale in load_scales() if audit_file(scale, "csv", root).exists()]
    audited.sort(key=lambda scale: scale != PRINTED_SCALE)
    return {scale: Ledger(scale, root).rows for scale in audited}


def _papers() -> list[Paper]:
    """The documents that promise something."""
    return [paper for paper in map(load_paper, paper_names()) if paper.headlines]


def _told(paper: Paper, scales: Scales) -> dict[str, list[Found]]:
    """What was found of every promise of a document."""
    return {h.says: findings_of(paper, h, scales) for h in paper.headlines.values()}


def _line(paper: Paper, scales: Scales) -> str:
    """The row of a document."""
    told = _told(paper, scales)
    behind = {each.claim: each for found in told.values() for each in found if each.verdict}
    cells = (
        f"[{paper.title}]({ANSWERS.as_posix()}#{anchor(paper.title)}) (`{paper.paper}`)",
        sentence(answer_of(found) for found in told.values()),
        _where(list(behind.values())),
        _sure([scales[each.scale][each.claim] for each in behind.values()]),
    )
    return f"| {' | '.join(map(_cell, cells))} |"


def anchor(title: str) -> str:
    """The address of a heading in its page, as those who show Markdown make it.

    Example:
        >>> anchor("Gaussian units (GmP), v2")
        'gaussian-units-gmp-v2'
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


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
    kinds = [row.ruling for row in rows]
    favourable, against = (sum(k in side for k in kinds) for side in (FAVOURABLE, AGAINST))
    rest = len(rows) - favourable - against
    sides = {"for it": favourable, "against it": against, "open, slips or not run": rest}
    told = ", ".join(f"{count} {words}" for words, count in sides.items() if count)
    total = f"{len(rows)} claim{'s' if len(rows) > 1 else ''}"
    said = [f"of {total} behind them {told}" if rows else "no claim was looked into"]
    replicates = sorted(
        int(row.n) for row, kind in zip(rows, kinds, strict=True) if row.n and kind in MEASURED
    )
    if replicates:
        fewest, most = replicates[0], replicates[-1]
        said.append(f"{fewest if fewest == most else f'{fewest} to {most}'} replicates")
    return "; ".join(said)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


BLOCKS = {  # of texts, by the name between their marks
    README: {"verdicts": verdict_block},
    ANSWERS: {"answers": answers_block, "readings": readings_block},
}


def renewed(text: str, root: Path = PUBLISHED, path: Path = README) -> str:
    """A text with all its blocks as the audits below a folder have them now.

    Args:
        text: The text.
        root: Where the audits are.
        path: Which of the texts that have blocks it is.
    """
    for name, block in BLOCKS[path].items():
        text = with_block(text, name, block(root), path)
    return text


def with_block(text: str, name: str, block: str, path: Path = README) -> str:
    """A text with one of its blocks replaced."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    pattern = re.compile(f"{re.escape(begin)}.*{re.escape(end)}", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"{path} has no block between {begin} and {end}; put the marks back")
    return pattern.sub(lambda _: f"{begin}\n{block}\n{end}", text)
