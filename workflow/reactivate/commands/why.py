"""Print where a number comes from: the chain from a claim to runs, data, code, command."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from reactivate.auditing.assurances import checksum, here, made_checksum
from reactivate.auditing.chain import Ledger, Link, Number
from reactivate.auditing.currency import targets_of
from reactivate.auditing.data import expected_sum
from reactivate.auditing.headlines import decide_text
from reactivate.auditing.rows import BETWEEN_PARTS, Row
from reactivate.commands.parsing import Parser
from reactivate.commands.repository import is_lost
from reactivate.commands.status import duration
from reactivate.commands.terminal import folded, painted, painted_verdict, print_json
from reactivate.evidence.environment import Git
from reactivate.evidence.measured import Measured
from reactivate.evidence.publication import SUMS, read_sums
from reactivate.evidence.records import Record
from reactivate.experiment.loading import load_exhibit, load_paper, load_scale
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS, audit_file, exhibit_file
from reactivate.experiment.statements import Statement
from reactivate.foundation.digests import code_digest
from reactivate.judging.verdicts import Verdict

STATES = {None: "no repository", False: "clean", True: "dirty: with uncommitted changes"}
LOST = "; this clone has no such commit, code above tells"

COLUMN = 12  # of the words that facts are about


class Fact(NamedTuple):
    """A line of the chain: what it is about, and what there is to say."""

    word: str
    text: str

    def __str__(self) -> str:
        return f"{self.word:{COLUMN}}{self.text}"


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate why``."""
    told = "e.g. gmp/table3/gmp/boston, gmp/claims/gmp_best, gmp/figure2"
    parser.add_argument("claim", help=told)
    parser.add_scale()
    parser.add_json()
    parser.examples("reactivate why gmp/table3/gmp/boston", "reactivate why gmp/figure2 --json")
    parser.set_defaults(run=lambda a: why(a.claim, a.scale, a.json))


def why(name: str, scale: str, as_json: bool = False) -> None:
    """Prints what a claim, or a whole exhibit, rests on.

    Args:
        name: ``paper/exhibit/row/column``, ``paper/claims/name`` or ``paper/exhibit``.
        scale: Of the audit: this clone's own, or the published one if it has none.
        as_json: Whether to print for programs.
    """
    load_scale(scale)
    paper, _, rest = name.partition("/")
    teller = _teller(scale, paper)
    whole = rest and "/" not in rest
    facts = teller.exhibit(paper, rest) if whole else teller.claim(name)
    if as_json:
        print_json([{"about": fact.word.strip(), "says": fact.text} for fact in facts])
        return
    for each in facts:
        print(_shown(each))


def _shown(told: Fact) -> str:
    """A fact as people see it: folded at a terminal, its word and a verdict in colour."""
    line = folded(str(told), " " * COLUMN)
    if told.word == "verdict":
        verdict = told.text.partition(":")[0]
        line = line.replace(verdict, painted_verdict(verdict), 1)
    word = line[: len(told.word)]
    return (painted(word, "bold") if word.strip() else word) + line[len(word) :]


def _teller(scale: str, paper: str) -> "Teller":
    """The teller of this clone's audit, of all papers or of this one; else of the published."""
    if audit_file(scale, "csv").exists():
        return Teller(scale, RESULTS)
    if audit_file(scale, "csv", paper=paper).exists():
        return Teller(scale, RESULTS, paper)
    published = audit_file(scale, "csv", PUBLISHED).exists()
    return Teller(scale, PUBLISHED if published else RESULTS)


@dataclass(frozen=True)
class Teller:
    """Tells what the audit of a scale rests on, one fact a line."""

    scale: str
    root: Path  # ``RESULTS`` or ``PUBLISHED``
    paper: str | None = None  # whose own audit it is, where that of all papers is not there

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger(self.scale, self.root, self.paper)

    @cached_property
    def sums(self) -> dict[Path, str]:
        """The checksums that were listed when the scale was published."""
        folder = self.root / self.scale
        return read_sums(folder) if (folder / SUMS).exists() else {}

    def claim(self, name: str) -> Iterator[Fact]:
        """A printed number or a statement in words."""
        chain = self.ledger.chain(name)
        row, (paper, exhibit) = chain.row, name.split("/")[:2]
        yield Fact("claim", f"{name} at scale {row.scale}")
        yield Fact("audit", str(self.ledger.file("csv")))
        yield Fact("locator", f"{load_paper(paper).title}, {row.locator}")
        yield Fact("printed", row.printed)
        statement = load_paper(paper).claims.get(name.removeprefix(f"{paper}/claims/"))
        if statement is not None:
            yield from _quotation(statement)
        for number in chain.numbers[:1]:
            yield Fact("ours", _ours(number))
            yield Fact("per seed", ", ".join(map(str, number.values)))
        yield Fact("protocol", ": ".join(filter(None, [row.protocol, chain.protocol])))
        yield Fact("verdict", f"{row.verdict}: it {Verdict.parse(row.verdict).sentence}")
        yield Fact("reason", row.reason)
        yield from _evidence(row)
        yield from self.records(chain.records)
        for number in chain.numbers[1:]:
            yield Fact("also", f"{number.protocol}, from")
            yield from self.records(number.records)
        if not chain.records:
            check = None if statement is None else statement.check
            if statement is None or (check is not None and check.not_run is None):
                asked = exhibit if check is None else str(check.exhibit)
                yield Fact("to make", self._plan(paper, asked))
            return
        yield Fact("again", chain.command)
        yield Fact("took", duration(chain.seconds))

    def exhibit(self, paper: str, name: str) -> Iterator[Fact]:
        """A whole table or figure: its files, what is behind them, and the claims about it."""
        where = f"{load_paper(paper).title}, {load_exhibit(paper, name).locator}"
        yield Fact("exhibit", f"{paper}/{name} at scale {self.scale}")
        yield Fact("locator", where)
        provenance = exhibit_file(self.scale, paper, name, "provenance.json", self.root)
        if not provenance.exists():
            yield Fact("to make", self._plan(paper, name))
            return
        content = self.ledger.provenance(provenance)
        yield Fact("caption", content.caption)
        for ending, expected in content.files.items():
            path = exhibit_file(self.scale, paper, name, ending, self.root)
            yield Fact("file", f"{path} {_still(path, expected)}")
        by_file = {r.file: self.ledger.link(r.file, r.sha256) for r in content.behind}
        if content.record is not None:  # a figure is its own record
            drawn = exhibit_file(self.scale, paper, name, "provenance.json").as_posix()
            record = content.record.model_copy(update={"read": []})  # told before it
            by_file[drawn] = Link(drawn, str(checksum(provenance)), record)
        links = tuple(by_file.values())
        yield from self.records(links)
        yield Fact("again", self.ledger.command(links))
        yield Fact("took", duration(sum(link.record.times.seconds for link in links)))
        for claim, row in self.ledger.rows.items():
            if claim.startswith(f"{paper}/{name}/") or _speaks_of(paper, name, claim):
                yield Fact("claim", f"{claim} {row.verdict}: {row.reason}")

    def records(self, links: tuple[Link, ...]) -> Iterator[Fact]:
        """Records with their checksums; what neighbours have in common is told once."""
        told: list[Fact] = []
        for link in links:
            record = link.record
            facts = list(_facts(record))
            if facts != told:
                yield from told
            told = facts
            path = here(link.path, self.root)
            # others are their own witness, but for the list of what was published
            is_listed = path.name != RECORD
            expected = self.sums.get(path) if is_listed else link.sha256
            yield Fact("record", f"{path} {_still(path, expected, is_listed)}")
            seeds = f", seeds {', '.join(map(str, record.seeds))}" if record.seeds else ""
            yield Fact("", f"{record.made_by}{seeds}, {duration(record.times.seconds)}")
            for read in record.read:
                source = here(read.file, self.root)
                yield Fact("", f"made from {source} {_still(source, read.sha256)}")
        yield from told

    def _plan(self, paper: str, exhibit: str) -> str:
        """A hint at the command that tells how long it would take to make an exhibit."""
        known = exhibit in load_paper(paper).exhibits
        made = exhibit_file(self.scale, paper, exhibit, "csv")
        target = made if known else audit_file(self.scale, "html")
        return f"nothing is there; what it takes: reactivate plan {target.as_posix()}"


def _quotation(statement: Statement) -> Iterator[Fact]:
    """The words of the document, each passage with the lines of its text."""
    for passage in statement.passages:
        yield Fact("quote", f"{passage.where}: {passage.words}")
    if statement.text is not None:
        yield Fact("text", f"{statement.text}: a decisive glyph may be lost in the extracted text")


def _evidence(row: Row) -> Iterator[Fact]:
    """What the verdict rests on in numbers, and what would change it."""
    if row.effect:
        ends = f", {row.low} to {row.high} at {float(row.level):.1%}" if row.low else ""
        yield Fact("effect", f"{row.effect}{ends}")
    told = {
        "replicates": row.n,
        "cases": row.cases,
        "unlearned": row.unlearned,
        "size": row.size,
        "counts": row.counts,
        "left open": row.choices,
        "scale": row.overrides,
        "own table": row.own_table,
        "note": row.note,
        "beside": row.beside,
    }
    yield from (Fact(word, text) for word, text in told.items() if text)
    yield from (Fact("reading", part) for part in row.parts.split(BETWEEN_PARTS) if part)
    if row.seeds_to_decide:
        yield Fact("to decide", decide_text(row))
    if row.would_change:
        yield Fact("change", row.would_change)
    if row.reply:
        yield Fact("reply", row.reply)


def _facts(record: Record) -> Iterator[Fact]:
    """Data, code, commit and machine of a record, and what is different in this tree."""
    if record.data is not None:
        data, now = record.data, expected_sum(record.data.name)
        state = "as in this tree" if now == data.sha256 else f"in this tree {now}"
        yield Fact("  dataset", f"{data.name} sha256 {data.sha256} ({state})")
    now = _code_now(record)
    state = "as in this tree" if now == record.code else f"stale: in this tree {now}"
    yield Fact("  code", f"{record.code} ({state})")
    around = record.environment
    yield Fact("  commit", f"{around.git.commit} ({_state(around.git)})")
    device = f"{around.machine.gpu or around.machine.cpu}, threads {around.machine.threads}"
    versions = ", ".join(f"{name} {version}" for name, version in around.packages.items())
    yield Fact("  machine", f"{device}; Python {around.python}, {versions}")
    yield from (Fact("  warned", warning) for warning in record.warnings)


def _state(git: Git) -> str:
    """Whether the tree of a run was committed, and whether this clone has that commit."""
    lost = git.commit is not None and is_lost(git.commit)
    return STATES[git.dirty] + (
        "; this clone has no such commit, code above tells" if lost else ""
    )


def _code_now(record: Record) -> str:
    try:
        return code_digest(*targets_of(record))
    except ValueError as error:
        return f"nothing ({error})"


def _ours(number: Number) -> str:
    measured = Measured(number.mean, number.standard_error, number.n)
    how = f"; {number.how}" if number.how else ""
    return f"{measured} (mean {number.mean}, n {number.n}{how})"


def _speaks_of(paper: str, exhibit: str, claim: str) -> bool:
    """Whether a statement is judged from an exhibit."""
    statement = load_paper(paper).claims.get(claim.removeprefix(f"{paper}/claims/"))
    if statement is None or statement.check is None:
        return False
    return statement.check.exhibit == exhibit


def _still(path: Path, expected: str | None, is_listed: bool = False) -> str:
    """The checksum of a file, and whether it is the recorded one, or that of a list of sums."""
    actual = checksum(path) if is_listed else made_checksum(path)
    if actual is None:
        return f"sha256 {expected} (not here)"
    if expected is None:
        return f"sha256 {actual} (recorded nowhere)"
    state = "as" if actual == expected else f"tampered: {expected} was"
    return f"sha256 {actual} ({state} recorded)"
