"""Copy what is small and verified from results/ to published/."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from reactivate.artifacts.readme import README, renewed
from reactivate.auditing.currency import older_code, outdated_checks
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import read_provenance
from reactivate.evidence.publication import is_left_out, write_sums
from reactivate.evidence.records import Record, verify_record
from reactivate.experiment.loading import load_paper, load_scale, paper_names
from reactivate.experiment.paths import (
    PUBLISHED,
    RECORD,
    RESULTS,
    audit_file,
    checks_file,
    exhibit_file,
)
from reactivate.foundation.files import read_json, sha256

AUDIT_ENDINGS = ("csv", "json", "html", "verdicts.json", "agreement.csv")
EXHIBIT_ENDINGS = ("csv", "md", "tex", "png", "provenance.json")
FIGURE_BYTES = 200_000
TOTAL_BYTES = 30_000_000


def publish(scale: str) -> None:
    """Replaces ``published/{scale}`` by this clone's exhibits, run records and audit.

    Nothing is published that cannot be vouched for: every table must be the one its provenance
    recorded, every run's files those of its record, every new run made by the code of this tree.
    What is published already may stay as it is; ``verify`` tells which code made it.
    """
    load_scale(scale)
    chosen = list(dict.fromkeys(_files(scale)))
    too_large = [f for f in chosen if f.suffix == ".png" and f.stat().st_size > FIGURE_BYTES]
    if too_large:
        raise ValueError(f"figures above {FIGURE_BYTES} bytes cannot be published: {too_large}")
    target = PUBLISHED / scale
    others = [file for file in PUBLISHED.rglob("*") if target not in file.parents]
    size = sum(file.stat().st_size for file in [*chosen, *others] if file.is_file())
    if size > TOTAL_BYTES:
        raise ValueError(
            f"published/ would hold {size} bytes; at most {TOTAL_BYTES} belong in git"
        )
    PUBLISHED.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=PUBLISHED, prefix=".new-") as folder:
        new = Path(folder) / scale
        for file in chosen:
            copy = new / file.relative_to(RESULTS / scale)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        write_sums(new)
        if target.exists():
            target.replace(Path(folder) / "old")
        new.replace(target)
    README.write_text(renewed(README.read_text(encoding="utf-8")), "utf-8")
    print(f"published {len(chosen)} files to {target} ({size / 1e6:.1f} MB in published/)")


def _files(scale: str) -> Iterator[Path]:
    """All files to publish, each verified."""
    for ending in AUDIT_ENDINGS:
        path = audit_file(scale, ending)
        if not path.exists():
            raise ValueError(f"{path} does not exist; make it with: snakemake {path}")
        yield path
    for paper in paper_names():
        if load_paper(paper).looked_into:
            path = checks_file(scale, paper)
            old = list(outdated_checks(read_judgements(path)))
            if old:
                raise ValueError(
                    f"{path}: {len(old)} claims were looked into by older code, e.g. {old[0]}; "
                    f"judge them again with: snakemake {audit_file(scale, 'html')}"
                )
            yield path
    audited = read_json(audit_file(scale, "json"))
    for table in audited["exhibits"]:
        shown = [cell["records"] for cell in table["cells"]]
        yield from _exhibit_files(scale, table["paper"], table["name"], shown)
    for figure in audited["figures"]:
        yield from _exhibit_files(scale, figure["paper"], figure["name"], [])


def _exhibit_files(
    scale: str, paper: str, exhibit: str, audited: list[list[dict[str, str]]]
) -> Iterator[Path]:
    """Files of an exhibit and of its runs; ``audited`` are the records that the audit shows."""
    provenance = exhibit_file(scale, paper, exhibit, "provenance.json")
    evidence = read_provenance(provenance)
    if audited != [[kept.model_dump() for kept in cell.records] for cell in evidence.cells]:
        raise ValueError(
            f"{audit_file(scale, 'html')} is older than {provenance}; "
            f"make it again with: snakemake {audit_file(scale, 'html')}"
        )
    for ending, expected in evidence.files.items():
        path = exhibit_file(scale, paper, exhibit, ending)
        if sha256(path) != expected:
            raise ValueError(
                f"{path} is not the file that {provenance} recorded ({expected}); it was edited. "
                f"Make it again with: snakemake --force {path}"
            )
    for ending in EXHIBIT_ENDINGS:
        path = exhibit_file(scale, paper, exhibit, ending)
        if path.exists():
            yield path
    for file, expected in {(read.file, read.sha256) for read in evidence.behind}:
        yield from _run_files(Path(file), expected)
    if evidence.record is not None:  # a figure is its own record
        _require_current(provenance, evidence.record)


def _run_files(path: Path, expected: str) -> Iterator[Path]:
    if sha256(path) != expected:
        raise ValueError(
            f"{path} is not the record the table was made from ({expected}); run snakemake again"
        )
    record = verify_record(path, only_present=_is_published(path))
    _require_current(path, record)
    yield path
    kept = [path.parent / name for name in record.files if not is_left_out(name, record)]
    yield from (file for file in kept if file.exists())
    for read in record.read:
        if Path(read.file).name == RECORD:
            yield from _run_files(Path(read.file), read.sha256)


def _is_published(path: Path) -> bool:
    """Whether a file is in published/ as it is."""
    there = PUBLISHED / path.relative_to(RESULTS)
    return there.exists() and sha256(there) == sha256(path)


def _require_current(path: Path, record: Record) -> None:
    older = None if _is_published(path) else older_code(record)
    if older is not None:
        raise ValueError(f"{path} was {older}; run snakemake again before publishing")
