"""Print where a number comes from: the chain from a claim to runs, data, code, command."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from reactivate.auditing.assurances import checksum, here
from reactivate.auditing.chain import Ledger, Link, Number
from reactivate.auditing.currency import targets_of
from reactivate.auditing.data import expected_sum
from reactivate.auditing.rows import BETWEEN_PARTS, Row, decide_text
from reactivate.commands.status import duration
from reactivate.evidence.measured import Measured
from reactivate.evidence.publication import SUMS, read_sums
from reactivate.evidence.records import Record
from reactivate.experiment.loading import load_exhibit, load_paper, load_scale
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS, audit_file, exhibit_file
from reactivate.experiment.statements import Statement
from reactivate.foundation.digests import code_digest
from reactivate.judging.verdicts import Verdict

STATES = {None: "no repository", False: "clean", True: "dirty: with uncommitted changes"}


def why(name: str, scale: str) -> None:
    """Prints what a claim, or a whole exhibit, rests on.

    Args:
        name: ``paper/exhibit/row/column``, ``paper/claims/name`` or ``paper/exhibit``.
        scale: Of the audit: this clone's own, or the published one if it has none.
    """
    load_scale(scale)
    paper, _, rest = name.partition("/")
    teller = _teller(scale, paper)
    whole = rest and "/" not in rest
    for line in teller.exhibit(paper, rest) if whole else teller.claim(name):
        print(line)


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

    def claim(self, name: str) -> Iterator[str]:
        """A printed number or a statement in words."""
        chain = self.ledger.chain(name)
        row, (paper, exhibit) = chain.row, name.split("/")[:2]
        yield fact("claim", f"{name} at scale {row.scale}")
        yield fact("audit", str(self.ledger.file("csv")))
        yield fact("locator", f"{load_paper(paper).title}, {row.locator}")
        yield fact("printed", row.printed)
        statement = load_paper(paper).claims.get(name.removeprefix(f"{paper}/claims/"))
        if statement is not None:
            yield from _quotation(statement)
        for number in chain.numbers[:1]:
            yield fact("ours", _ours(number))
            yield fact("per seed", ", ".join(map(str, number.values)))
        yield fact("protocol", ": ".join(filter(None, [row.protocol, chain.protocol])))
        yield fact("verdict", f"{row.verdict}: it {Verdict.parse(row.verdict).sentence}")
        yield fact("reason", row.reason)
        yield from _evidence(row)
        yield from self.records(chain.records)
        for number in chain.numbers[1:]:
            yield fact("also", f"{number.protocol}, from")
            yield from self.records(number.records)
        if not chain.records:
            check = None if statement is None else statement.check
            if statement is None or (check is not None and check.not_run is None):
                asked = exhibit if check is None else str(check.exhibit)
                yield fact("to make", self._plan(paper, asked))
            return
        yield fact("again", chain.command)
        yield fact("took", duration(chain.seconds))

    def exhibit(self, paper: str, name: str) -> Iterator[str]:
        """A whole table or figure: its files, what is behind them, and the claims about it."""
        where = f"{load_paper(paper).title}, {load_exhibit(paper, name).locator}"
        yield fact("exhibit", f"{paper}/{name} at scale {self.scale}")
        yield fact("locator", where)
        provenance = exhibit_file(self.scale, paper, name, "provenance.json", self.root)
        if not provenance.exists():
            yield fact("to make", self._plan(paper, name))
            return
        content = self.ledger.provenance(provenance)
        yield fact("caption", content.caption)
        for ending, expected in content.files.items():
            path = exhibit_file(self.scale, paper, name, ending, self.root)
            yield fact("file", f"{path} {_still(path, expected)}")
        by_file = {r.file: self.ledger.link(r.file, r.sha256) for r in content.behind}
        if content.record is not None:  # a figure is its own record
            drawn = exhibit_file(self.scale, paper, name, "provenance.json").as_posix()
            record = content.record.model_copy(update={"read": []})  # told before it
            by_file[drawn] = Link(drawn, str(checksum(provenance)), record)
        links = tuple(by_file.values())
        yield from self.records(links)
        yield fact("again", self.ledger.command(links))
        yield fact("took", duration(sum(link.record.times.seconds for link in links)))
        for claim, row in self.ledger.rows.items():
            if claim.startswith(f"{paper}/{name}/") or _speaks_of(paper, name, claim):
                yield fact("claim", f"{claim} {row.verdict}: {row.reason}")

    def records(self, links: tuple[Link, ...]) -> Iterator[str]:
        """Records with their checksums; what neighbours have in common is told once."""
        told: list[str] = []
        for link in links:
            record = link.record
            facts = list(_facts(record))
            if facts != told:
                yield from told
            told = facts
            path = here(link.path, self.root)
            # others are their own witness, but for the list of what was published
            expected = link.sha256 if path.name == RECORD else self.sums.get(path)
            yield fact("record", f"{path} {_still(path, expected)}")
            seeds = f", seeds {', '.join(map(str, record.seeds))}" if record.seeds else ""
            yield fact("", f"{record.made_by}{seeds}, {duration(record.times.seconds)}")
            for read in record.read:
                source = here(read.file, self.root)
                yield fact("", f"made from {source} {_still(source, read.sha256)}")
        yield from told

    def _plan(self, paper: str, exhibit: str) -> str:
        """A hint at the command that tells how long it would take to make an exhibit."""
        known = exhibit in load_paper(paper).exhibits
        made = exhibit_file(self.scale, paper, exhibit, "csv")
        target = made if known else audit_file(self.scale, "html")
        return f"nothing is there; what it takes: reactivate plan {target.as_posix()}"


def fact(word: str, text: str) -> str:
    """A line of the chain.

    Example:
        >>> fact("printed", "3.06")
        'printed   3.06'
    """
    return f"{word:10}{text}"


def _quotation(statement: Statement) -> Iterator[str]:
    """The words of the document, each passage with the lines of its text."""
    for passage in statement.passages:
        yield fact("quote", f"{passage.where}: {passage.words}")
    if statement.text is not None:
        yield fact("text", f"{statement.text}: a decisive glyph may be lost in the extracted text")


def _evidence(row: Row) -> Iterator[str]:
    """What the verdict rests on in numbers, and what would change it."""
    if row.effect:
        ends = f", {row.low} to {row.high} at {float(row.level):.1%}" if row.low else ""
        yield fact("effect", f"{row.effect}{ends}")
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
    yield from (fact(word, text) for word, text in told.items() if text)
    yield from (fact("reading", part) for part in row.parts.split(BETWEEN_PARTS) if part)
    if row.seeds_to_decide:
        yield fact("to decide", decide_text(row))
    if row.would_change:
        yield fact("change", row.would_change)
    if row.reply:
        yield fact("reply", row.reply)


def _facts(record: Record) -> Iterator[str]:
    """Data, code, commit and machine of a record, and what is different in this tree."""
    if record.data is not None:
        data, now = record.data, expected_sum(record.data.name)
        state = "as in this tree" if now == data.sha256 else f"in this tree {now}"
        yield fact("  dataset", f"{data.name} sha256 {data.sha256} ({state})")
    now = _code_now(record)
    state = "as in this tree" if now == record.code else f"stale: in this tree {now}"
    yield fact("  code", f"{record.code} ({state})")
    around = record.environment
    yield fact("  commit", f"{around.git.commit} ({STATES[around.git.dirty]})")
    device = f"{around.machine.gpu or around.machine.cpu}, threads {around.machine.threads}"
    versions = ", ".join(f"{name} {version}" for name, version in around.packages.items())
    yield fact("  machine", f"{device}; Python {around.python}, {versions}")
    yield from (fact("  warned", warning) for warning in record.warnings)


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


def _still(path: Path, expected: str | None) -> str:
    """The checksum of a file, and whether it is the recorded one."""
    actual = checksum(path)
    if actual is None:
        return f"sha256 {expected} (not here)"
    if expected is None:
        return f"sha256 {actual} (recorded nowhere)"
    state = "as" if actual == expected else f"tampered: {expected} was"
    return f"sha256 {actual} ({state} recorded)"
