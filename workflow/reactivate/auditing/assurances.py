"""Assurances: a file vouches for another by its checksum; who is wrong if they disagree."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reactivate.auditing.findings import Finding
from reactivate.evidence.provenance import PROVENANCE, Provenance
from reactivate.evidence.publication import SUMS, is_left_out, read_sums
from reactivate.evidence.records import Record
from reactivate.evidence.versions import whole_sum
from reactivate.experiment.paths import PUBLISHED, RESULTS
from reactivate.foundation.files import sha256

LONGEST = 10  # sums -> table -> measurement -> training -> its files, and some more


@dataclass(frozen=True)
class Assurance:
    """A file says what the checksum of another one is."""

    voucher: Path
    about: Path
    expected: str

    @property
    def is_listed(self) -> bool:
        """Whether a list of sums says it: of the file as it is, and not of what it was made as."""
        return self.voucher.name == SUMS

    @property
    def seen(self) -> tuple[Path, bool]:
        """What has a checksum: a file as it is, or as it was before it was published."""
        return self.about, self.is_listed


def here(recorded: str, root: Path) -> Path:
    """The place where a file that was recorded below results/ is now.

    Example:
        >>> here("results/laptop/gmp/table3.csv", PUBLISHED).as_posix()
        'published/laptop/gmp/table3.csv'
        >>> here("data/prepared/banana.safetensors.sha256", PUBLISHED).as_posix()
        'data/prepared/banana.safetensors.sha256'
    """
    path = Path(recorded)
    return root / path.relative_to(RESULTS) if path.is_relative_to(RESULTS) else path


def of_sums(folder: Path) -> Iterator[Assurance]:
    """The checksum of every file of a published scale, as its list says it."""
    for path, expected in read_sums(folder).items():
        yield Assurance(folder / SUMS, path, expected)


def of_record(path: Path, record: Record, root: Path) -> Iterator[Assurance]:
    """Assurances of a ``run.json``: of its files and of the records it was made from.

    Args:
        path: The file.
        record: What it holds.
        root: ``RESULTS`` or ``PUBLISHED``, where it is.
    """
    for name, expected in record.files.items():
        file = path.parent / name
        if root != PUBLISHED or file.exists() or not is_left_out(name, record):
            yield Assurance(path, file, expected)
    for read in record.read:
        if Path(read.file).is_relative_to(RESULTS):  # data is looked at by itself
            yield Assurance(path, here(read.file, root), read.sha256)


def of_exhibit(path: Path, provenance: Provenance, root: Path) -> Iterator[Assurance]:
    """Assurances of a ``provenance.json``: of an exhibit's files and of the records behind it."""
    stem = path.name.removesuffix(PROVENANCE)
    for ending, expected in provenance.files.items():
        yield Assurance(path, path.with_name(f"{stem}.{ending}"), expected)
    for read in provenance.behind:
        yield Assurance(path, here(read.file, root), read.sha256)


def settle(assurances: list[Assurance]) -> dict[Path, Finding]:
    """The files that are wrong: those nobody believed vouches for, or that others contradict.

    A file is bad if no assurance about it holds; what a bad file says is not heard. A list of
    sums, which anybody can write again, counts only where nothing else vouches for a file. A
    voucher that is contradicted by the file and by another voucher is itself out of step: a list
    of sums was edited, anything else is older than the file.
    """
    actual = {
        (path, is_listed): checksum(path) if is_listed else made_checksum(path)
        for path, is_listed in {assurance.seen for assurance in assurances}
    }
    bad: dict[Path, Assurance] = {}
    for _ in range(LONGEST):
        heard = defaultdict(list)
        for assurance in assurances:
            if assurance.voucher not in bad:
                heard[assurance.about].append(assurance)
        now = {
            path: said[0]
            for path, said in heard.items()
            if all(actual[assurance.seen] != assurance.expected for assurance in _makers(said))
        }
        if now.keys() == bad.keys():
            break
        bad = now
    blamed = {path: _blame(assurance, actual[assurance.seen]) for path, assurance in bad.items()}
    for assurance in assurances:
        denied = actual[assurance.seen] != assurance.expected
        if denied and assurance.about not in bad and assurance.voucher not in bad:
            blamed.setdefault(assurance.voucher, _out_of_step(assurance))
    return blamed


def _makers(said: list[Assurance]) -> list[Assurance]:
    """Assurances of what was made with a file or from it; of a list if there are no others."""
    return [assurance for assurance in said if not assurance.is_listed] or said


def checksum(path: Path) -> str | None:
    """The checksum of a file; None if it is not there."""
    return sha256(path) if path.is_file() else None


def made_checksum(path: Path) -> str | None:
    """The checksum of a file as it was made, though it was thinned to be published."""
    try:
        return whole_sum(path) if path.is_file() else None
    except ValueError:  # it names modules that nobody lists
        return checksum(path)


def require_listed(folder: Path) -> None:
    """Refuses a published scale whose files are not those of its list of sums.

    Raises:
        ValueError: A file is not as listed, or there is no list.
    """
    if not (folder / SUMS).exists():
        raise ValueError(f"{folder / SUMS} does not exist; bring it back with: git checkout")
    changed = [path for path, expected in read_sums(folder).items() if checksum(path) != expected]
    if changed:
        raise ValueError(
            f"{changed[0]} is not as {folder / SUMS} has it; see: reactivate verify --published. "
            f"Bring it back with: git checkout -- {folder}"
        )


def _blame(assurance: Assurance, actual: str | None) -> Finding:
    voucher = assurance.voucher.as_posix()
    if actual is None:
        said = f"{voucher} recorded it ({assurance.expected})"
        return Finding("missing", assurance.about, said)
    said = f"sha256 is {actual}, but {voucher} recorded {assurance.expected}"
    return Finding("tampered", assurance.about, said)


def _out_of_step(assurance: Assurance) -> Finding:
    about = assurance.about.as_posix()
    if assurance.voucher.name == SUMS:
        said = f"it says {assurance.expected} of {about}, which other records and the file deny"
        return Finding("tampered", assurance.voucher, said)
    return Finding("stale", assurance.voucher, f"made from an older {about}")
