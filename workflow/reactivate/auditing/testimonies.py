"""Which file vouches for which by a checksum, and who is to blame where the two disagree."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reactivate.artifacts.publication import SUMS, is_left_out, read_sums
from reactivate.auditing.findings import Finding
from reactivate.files import sha256
from reactivate.records import RECORD
from reactivate.runs import PUBLISHED, RESULTS

PROVENANCE = ".provenance.json"
LONGEST = 10  # sums -> table -> measurement -> training -> its files, and some more


@dataclass(frozen=True)
class Testimony:
    """A file says what the checksum of another one is."""

    voucher: Path
    about: Path
    expected: str


def here(recorded: str, root: Path) -> Path:
    """Where a file that was recorded below results/ is now.

    Example:
        >>> here("results/laptop/gmp/table3.csv", PUBLISHED).as_posix()
        'published/laptop/gmp/table3.csv'
        >>> here("data/prepared/banana.safetensors.sha256", PUBLISHED).as_posix()
        'data/prepared/banana.safetensors.sha256'
    """
    path = Path(recorded)
    return root / path.relative_to(RESULTS) if path.is_relative_to(RESULTS) else path


def of_sums(folder: Path) -> Iterator[Testimony]:
    """What the list of a published scale says of its files."""
    for path, expected in read_sums(folder).items():
        yield Testimony(folder / SUMS, path, expected)


def of_record(path: Path, content: dict[str, Any], root: Path) -> Iterator[Testimony]:
    """What a ``run.json`` says of its files and of the records it was made from."""
    for name, expected in content["files"].items():
        file = path.parent / name
        if root != PUBLISHED or file.exists() or not is_left_out(name, content):
            yield Testimony(path, file, expected)
    for read in content.get("read", []):
        if Path(read["file"]).is_relative_to(RESULTS):  # data is looked at by itself
            yield Testimony(path, here(read["file"], root), read["sha256"])


def of_exhibit(path: Path, content: dict[str, Any], root: Path) -> Iterator[Testimony]:
    """What a ``provenance.json`` says of the files of an exhibit and of the records behind it."""
    stem = path.name.removesuffix(PROVENANCE)
    for ending, expected in content["files"].items():
        yield Testimony(path, path.with_name(f"{stem}.{ending}"), expected)
    of_cells = [record for cell in content["cells"] for record in cell["records"]]
    for record in [*content.get("runs", []), *of_cells]:
        yield Testimony(path, here(record["record"], root), record["sha256"])


def vouched(path: Path, content: dict[str, Any], root: Path) -> list[Testimony]:
    """Everything that a record, or the provenance of an exhibit, vouches for.

    Args:
        path: The file.
        content: What it holds.
        root: ``RESULTS`` or ``PUBLISHED``, where it is.

    Raises:
        ValueError: It is neither.
    """
    of = of_record if path.name == RECORD else of_exhibit
    try:
        return list(of(path, content, root))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it is not as a {of.__name__[3:]} leaves it ({error!r})") from None


def settle(testimonies: list[Testimony]) -> dict[Path, Finding]:
    """Who is wrong: a file that nobody believed vouches for, or one who says what others deny.

    A file is bad if no testimony about it holds; what a bad file says is not heard. A list of
    sums, which anybody can write again, counts only where nothing else vouches for a file. A
    voucher that is contradicted by the file and by another voucher is itself out of step: a list
    of sums was edited, anything else is older than the file.
    """
    found = {path: checksum(path) for path in {t.about for t in testimonies}}
    bad: dict[Path, Testimony] = {}
    for _ in range(LONGEST):
        heard = defaultdict(list)
        for testimony in testimonies:
            if testimony.voucher not in bad:
                heard[testimony.about].append(testimony)
        now = {
            path: said[0]
            for path, said in heard.items()
            if all(found[path] != testimony.expected for testimony in _makers(said))
        }
        if now.keys() == bad.keys():
            break
        bad = now
    blamed = {path: _blame(testimony, found[path]) for path, testimony in bad.items()}
    for testimony in testimonies:
        denied = found[testimony.about] != testimony.expected
        if denied and testimony.about not in bad and testimony.voucher not in bad:
            blamed.setdefault(testimony.voucher, _out_of_step(testimony))
    return blamed


def _makers(said: list[Testimony]) -> list[Testimony]:
    """Testimonies of what was made with a file or from it; of a list if there are no others."""
    return [testimony for testimony in said if testimony.voucher.name != SUMS] or said


def checksum(path: Path) -> str | None:
    """The checksum of a file; None if it is not there."""
    return sha256(path) if path.is_file() else None


def _blame(testimony: Testimony, found: str | None) -> Finding:
    voucher = testimony.voucher.as_posix()
    if found is None:
        said = f"{voucher} recorded it ({testimony.expected})"
        return Finding("missing", testimony.about, said)
    said = f"sha256 is {found}, but {voucher} recorded {testimony.expected}"
    return Finding("tampered", testimony.about, said)


def _out_of_step(testimony: Testimony) -> Finding:
    about = testimony.about.as_posix()
    if testimony.voucher.name == SUMS:
        said = f"it says {testimony.expected} of {about}, which other records and the file deny"
        return Finding("tampered", testimony.voucher, said)
    return Finding("stale", testimony.voucher, f"made from an older {about}")
