"""Verification of all that an audit rests on: files changed, lost, old or uncommitted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reactivate.auditing.assurances import (
    Assurance,
    checksum,
    of_exhibit,
    of_record,
    of_sums,
    settle,
)
from reactivate.auditing.consistency import Comparison, gives_its_table
from reactivate.auditing.currency import older_code, outdated_checks
from reactivate.auditing.data import older_data
from reactivate.auditing.findings import Finding
from reactivate.evidence.environment import Git, changed_paths
from reactivate.evidence.judgements import Judgements, read_judgements
from reactivate.evidence.provenance import PROVENANCE, Provenance, read_provenance
from reactivate.evidence.publication import SIGNATURE, SUMS, is_left_out
from reactivate.evidence.records import Record, read_record
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.loading import load_exhibit, paper_names
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS, VALUES, checks_file


@dataclass
class Verification:
    """A scale below ``results/`` or ``published/``, hashed again."""

    scale: str
    root: Path
    records: dict[Path, Record] = field(default_factory=dict)
    contents: dict[Path, Provenance | Judgements] = field(default_factory=dict)
    assurances: list[Assurance] = field(default_factory=list)
    doubtful: set[Path] = field(default_factory=set)  # not what was recorded: not believed

    @property
    def folder(self) -> Path:
        return self.root / self.scale

    @property
    def files(self) -> int:
        """The number of files that were hashed."""
        return len({assurance.about for assurance in self.assurances})

    def findings(self) -> list[Finding]:
        """All findings on files of this scale."""
        findings = list(self._read())
        uncommitted = set[Path]()
        if self.root == PUBLISHED:
            uncommitted = changed_paths(self.folder) or uncommitted
            findings += self._hear_sums(uncommitted)
        findings += settle(self.assurances).values()
        self.doubtful = {finding.path for finding in findings if finding.wrong}
        for path, record in self.records.items():
            if path not in self.doubtful:
                findings += _about_record(path, record)
                if self.root == PUBLISHED:
                    findings += _about_drawn(path, record)
        believed = {p: c for p, c in self.contents.items() if p not in self.doubtful}
        for path, content in believed.items():
            findings += _about(path, content)
        findings += Comparison(self.scale, self.root, believed, self.doubtful).findings()
        findings += [
            Finding("uncommitted", path, "it is not as committed") for path in uncommitted
        ]
        return findings

    def _read(self) -> Iterator[Finding]:
        """Reads records, exhibits' provenance and judgements, and what they vouch for."""
        judged = {checks_file(self.scale, paper, self.root) for paper in paper_names()}
        for path in sorted(self.folder.rglob("*.json")):
            try:
                if path.name == RECORD:
                    self._hear_record(path)
                elif path.name.endswith(PROVENANCE):
                    yield from self._hear_exhibit(path)
                elif path in judged:
                    self.contents[path] = read_judgements(path)
            except ValueError as error:
                yield Finding("tampered", path, f"it cannot be read ({error})")

    def _hear_record(self, path: Path) -> None:
        record = read_record(path)
        self.assurances += of_record(path, record, self.root)
        self.records[path] = record

    def _hear_exhibit(self, path: Path) -> Iterator[Finding]:
        content = read_provenance(path)
        # published files have sums; of results a table and its provenance watch each other
        if self.root == RESULTS and not gives_its_table(content):
            yield Finding(*self._denied(path, content))
            return
        self.assurances += of_exhibit(path, content, self.root)
        self.contents[path] = content

    def _denied(self, path: Path, content: Provenance) -> tuple[str, Path, str]:
        """The finding on a provenance file whose numbers do not give the table it vouches for."""
        make = f"make it again with: snakemake --force {path.name.replace(PROVENANCE, '.csv')}"
        exhibit = load_exhibit(content.paper, content.exhibit)
        assert isinstance(exhibit, Grid)
        printed = {(c.row, c.column): c.printed for c in content.cells}
        if any(exhibit.printed_at(*place) != text for place, text in printed.items()):
            return "stale", path, f"printed otherwise in config/papers; {make}"
        return "tampered", path, f"its numbers are not those of the table it vouches for; {make}"

    def _hear_sums(self, uncommitted: set[Path]) -> Iterator[Finding]:
        """Hears the list of all files; yields what it does not know."""
        sums = self.folder / SUMS
        try:
            listed = list(of_sums(self.folder))
        except FileNotFoundError:
            yield Finding("missing", sums, f"reactivate publish --scale {self.scale} writes it")
            return
        except ValueError as error:
            yield Finding("tampered", sums, str(error))
            return
        for assurance in listed:
            if sums in uncommitted and assurance.about not in uncommitted:
                actual = checksum(assurance.about)
                if actual != assurance.expected:  # the list was changed, not the file
                    said = f"of {assurance.about}, which is as committed: {actual}"
                    yield Finding("tampered", sums, f"it says {assurance.expected} {said}")
                    continue
            self.assurances.append(assurance)
        known = {assurance.about for assurance in listed}
        for path in sorted(self.folder.rglob("*")):
            own = (sums, self.folder / SIGNATURE)
            if path.is_file() and path not in known and path not in own:
                yield Finding("unvouched", path, f"{sums} does not list it")


def _about(path: Path, content: Provenance | Judgements) -> Iterator[Finding]:
    """Findings that a file, though it is as recorded, gives against itself."""
    if isinstance(content, Judgements):
        yield from _dirty(path, content.environment.git)
        old = list(outdated_checks(content))
        if old:
            said = f"{len(old)} of {len(content.looked)} statements were judged by older code"
            yield Finding("stale", path, f"{said}, e.g. {old[0]}")
    elif content.record is not None:  # a figure is its own record
        yield from _about_record(path, content.record)


def _about_record(path: Path, record: Record) -> Iterator[Finding]:
    yield from _dirty(path, record.environment.git)
    yield from (Finding("stale", path, said) for said in _older_code(record))
    yield from (Finding("foreign", path, said) for said in older_data(record))


def _about_drawn(path: Path, record: Record) -> Iterator[Finding]:
    """The finding on values of an analysis that are published as the csv of its figure."""
    values = path.parent / VALUES
    drawn = path.parents[2] / f"{path.parent.name}.csv"
    if values.exists() or VALUES not in record.files or not is_left_out(VALUES, record):
        return
    actual = checksum(drawn)
    if actual != record.files[VALUES]:
        said = f"sha256 is {actual}, but its analysis {path} recorded {record.files[VALUES]}"
        yield Finding("tampered" if actual else "missing", drawn, said)


def _dirty(path: Path, git: Git) -> Iterator[Finding]:
    if git.dirty:
        said = f"made from commit {git.commit} and changes on top of it"
        yield Finding("dirty", path, said)


def _older_code(record: Record) -> Iterator[str]:
    try:
        said = older_code(record)
    except ValueError as error:
        yield f"the configuration no longer has it ({error})"
        return
    if said is not None:
        yield said
