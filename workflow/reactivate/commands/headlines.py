"""Print what was found of the comparisons that documents promise, at what price, and what is open.

A headline rests on claims; those that compare trained networks or repeated computations are the
ones that more seeds can decide.
"""

import csv
import io
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from reactivate.auditing.chain import Ledger
from reactivate.auditing.power import core_seconds_of
from reactivate.auditing.rows import Row
from reactivate.commands.parsing import Parser
from reactivate.commands.terminal import at_terminal, folded, painted_verdict, print_json
from reactivate.evidence.records import read_record
from reactivate.experiment.loading import load_paper, load_scale, paper_names
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS, audit_file
from reactivate.foundation.registry import unknown_name
from reactivate.judging.looks import SEQUENTIAL
from reactivate.judging.verdicts import Kind, Ruling

HEAD = (
    "| claim | before | verdict | effect or cases | core-hours | what would decide it |\n"
    "| --- | --- | --- | --- | --- | --- |"
)
MOST_SEEDS = 100  # beyond which a number of seeds is no plan


@dataclass(frozen=True)
class Promise:
    """A comparison that a headline rests on.

    Attributes:
        claim: Its address.
        headlines: The promises that rest on it.
        before: Its verdict in an older publication; empty without one.
        verdict: What was found.
        found: Effect with interval, or how many cases are above, open and below.
        core_hours: What the runs and analyses behind it took; None if nothing was run.
        decides: What would decide it.
    """

    claim: str
    headlines: tuple[str, ...]
    before: str
    verdict: str
    found: str
    core_hours: float | None
    decides: str

    @property
    def line(self) -> str:
        """The row of the printed table."""
        hours = "" if self.core_hours is None else f"{self.core_hours:.2f}"
        told = [self.claim, self.before, self.verdict, self.found, hours, self.decides]
        return f"| {' | '.join(text.replace('|', '/') for text in told)} |"

    @property
    def paragraph(self) -> Iterator[str]:
        """The same in a few lines, for people at a terminal."""
        was = f" (before: {self.before})" if self.before else ""
        yield f"{self.claim}: {painted_verdict(self.verdict)}{was}"
        if self.found:
            yield f"  {self.found}"
        if self.core_hours is not None:
            yield f"  {self.core_hours:.2f} core-hours"
        if self.decides:
            yield f"  to decide it: {self.decides}"


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate headlines``."""
    parser.add_argument("paper", nargs="*", help="e.g. psc; default: all")
    parser.add_scale()
    parser.add_argument("--since", metavar="COMMIT", help="show the verdicts published there, too")
    parser.add_json()
    parser.examples("reactivate headlines", "reactivate headlines thesis --since HEAD~20")
    parser.set_defaults(run=lambda a: headlines(a.paper, a.scale, a.since, a.json))


def headlines(
    papers: list[str], scale: str, since: str | None = None, as_json: bool = False
) -> None:
    """Prints every comparison behind a headline: a line of Markdown, or a paragraph at a terminal.

    Args:
        papers: Whose headlines; empty: all.
        scale: The scale.
        since: A commit with an older publication.
        as_json: Whether to print for programs.

    Raises:
        ValueError: There is no such paper, scale, commit or audit.
    """
    load_scale(scale)
    for name in papers:
        if name not in paper_names():
            raise ValueError(
                unknown_name("paper", name, list(paper_names()), "Look into config/papers")
            )
    ledgers = (Ledger(scale, root) for root in (RESULTS, PUBLISHED))
    ledger = next((each for each in ledgers if each.file("csv").exists()), None)
    if ledger is None:
        made = audit_file(scale, "csv")
        raise ValueError(f"there is no audit of {scale}; make one with: snakemake {made}")
    before = {} if since is None else published_verdicts(scale, since)
    found = [
        promise for name in papers or paper_names() for promise in promises(name, ledger, before)
    ]
    if as_json:
        print_json([asdict(promise) for promise in found])
        return
    if at_terminal():
        for line in (line for promise in found for line in promise.paragraph):
            print(folded(line, "    "))
    else:
        print("\n".join([HEAD, *(promise.line for promise in found)]))
    print(f"\n{counted(found)}")


def promises(paper: str, ledger: Ledger, before: dict[str, str]) -> Iterator[Promise]:
    """The comparisons behind the headlines of a paper, each once.

    Args:
        paper: Its key.
        ledger: The audit.
        before: Older verdicts, by claim.
    """
    known = load_paper(paper)
    names = dict.fromkeys(name for each in known.headlines.values() for name in each.claims)
    for name in names:
        row = ledger.rows[f"{paper}/claims/{name}"]
        if row.kind == Kind.COMPARISON:
            behind = tuple(key for key, each in known.headlines.items() if name in each.claims)
            yield Promise(
                row.claim,
                behind,
                before.get(row.claim, ""),
                row.verdict,
                found_of(row),
                spent(ledger, row),
                decides(row),
            )


def found_of(row: Row) -> str:
    """The effect with its interval, or the cases of a list; empty where nothing was compared."""
    if row.low and row.high:
        level = f"{100 * float(row.level):g} %"
        return (
            f"{_brief(row.effect)}, {_brief(row.low)} to {_brief(row.high)} ({level}), n = {row.n}"
        )
    return row.counts or (f"{_brief(row.effect)}, n = {row.n}" if row.effect else "")


def decides(row: Row) -> str:
    """What would decide a claim; empty where it is decided."""
    if row.ruling is Ruling.UNDECIDED and row.seeds_to_decide:
        seeds = int(row.seeds_to_decide)
        hours = f", {float(row.core_hours):.1f} core-hours" if row.core_hours else ""
        if seeds > MOST_SEEDS:
            return f"more than {MOST_SEEDS} seeds"
        beyond = " (more than are looked at)" if seeds > SEQUENTIAL.looks[-1] else ""
        return f"{seeds} seeds{beyond}{hours}"
    return "" if row.ruling is Ruling.HOLDS else row.would_change


def spent(ledger: Ledger, row: Row) -> float | None:
    """Core-hours of the records behind a claim, and of the runs that analyses among them read."""
    links = ledger.chain(row.claim).records
    files = [Path(link.path) for link in links if Path(link.path).name == RECORD]
    seconds = core_seconds_of(files, lambda path: read_record(ledger.here(path.as_posix())))
    return seconds / 3600 if seconds else None


def counted(found: list[Promise]) -> str:
    """How many comparisons have each verdict, and how many had it before."""

    def told(verdicts: Iterator[str]) -> str:
        tally = Counter(verdict.partition("(")[0] for verdict in verdicts)
        return ", ".join(
            f"{count} {name.replace('_', ' ')}" for name, count in tally.most_common()
        )

    now = f"{len(found)} comparisons: {told(p.verdict for p in found)}"
    old = told(p.before for p in found if p.before)
    return f"{now}; before: {old}" if old else now


def published_verdicts(scale: str, commit: str) -> dict[str, str]:
    """The verdicts that a commit has in its publication, by claim.

    Raises:
        ValueError: Git knows no such commit, or it published no audit of the scale.
    """
    file = audit_file(scale, "csv", PUBLISHED).as_posix()
    shown = subprocess.run(
        ["git", "show", f"{commit}:{file}"], capture_output=True, text=True, check=False
    )
    if shown.returncode:
        raise ValueError(
            f"--since is {commit!r}: {shown.stderr.strip()}; accepted: a commit that has {file}"
        )
    return {row["claim"]: row["verdict"] for row in csv.DictReader(io.StringIO(shown.stdout))}


def _brief(number: str) -> str:
    return f"{float(number):.3g}"
