"""Copy what is small and verified from results/ to published/."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from reactivate.artifacts.notebooks import NOTEBOOKS, execute
from reactivate.artifacts.rebuilding import copy_whole, is_brought, rebuild
from reactivate.artifacts.replacing import TEXTS, alone, commit, discard, prepare
from reactivate.auditing.assurances import require_listed
from reactivate.auditing.currency import older_code, outdated_checks
from reactivate.auditing.data import older_data
from reactivate.commands.parsing import Parser
from reactivate.evidence.histories import write_curve
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import KeptRecord, read_provenance
from reactivate.evidence.publication import (
    SIGNATURE,
    SUMS,
    is_left_out,
    read_sums,
    thin,
    write_sums,
)
from reactivate.evidence.records import Record, read_record, verify_record
from reactivate.evidence.versions import MODULE_LISTS, whole_sum
from reactivate.experiment.loading import load_paper, load_scale, load_scales, paper_names
from reactivate.experiment.paths import (
    PUBLISHED,
    RECORD,
    RESULTS,
    VALUES,
    audit_file,
    checks_file,
    exhibit_file,
)
from reactivate.foundation.files import read_json, sha256

AUDIT_ENDINGS = ("csv", "json", "html", "verdicts.json", "agreement.csv")
# neither svg nor pdf: `reactivate judge --draw` draws them from the csv
EXHIBIT_ENDINGS = ("csv", "md", "tex", "png", "provenance.json")
FIGURE_BYTES = 200_000
TOTAL_BYTES = 39_800_000  # of files; a clone takes a fifth more on disk, in blocks and folders


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate publish``."""
    parser.add_scale()
    parser.add_argument(
        "--notebooks",
        action="store_true",
        help="execute the notebooks from what is published, and publish their pages instead",
    )
    parser.examples("reactivate publish --scale laptop", "reactivate publish --notebooks")
    parser.set_defaults(run=lambda a: publish_notebooks() if a.notebooks else publish(a.scale))


def publish_notebooks() -> None:
    """Replaces ``published/notebooks``: a page per document, told from what is published."""
    with alone():
        pages = execute()
    size = sum(page.stat().st_size for page in pages)
    print(f"published {len(pages)} notebooks to {NOTEBOOKS} ({size / 1e6:.1f} MB)")


def publish(scale: str) -> None:
    """Replaces ``published/{scale}`` by this clone's exhibits, run records and audit.

    Nothing is published that cannot be vouched for: every table must be the one its provenance
    recorded, every run's files those of its record, every run one on the catalog's data, every
    new run made by the code of this tree.
    What is published already may stay as it is; ``verify`` tells which code made it. Leaves are
    copied, of histories some epochs; all that stands above them is made again from them, as
    ``verify`` will do. Pages of other scales, which show the new verdicts too, are made again.
    """
    load_scale(scale)
    chosen = list(dict.fromkeys(_files(scale)))
    others = [name for name in load_scales() if name != scale and (PUBLISHED / name).is_dir()]
    for other in others:
        require_listed(PUBLISHED / other)
    with alone():
        place, new = prepare()
        try:
            _make(scale, chosen, others, place, new)
            size = _require_small(new / PUBLISHED)
        except BaseException:
            discard()
            raise
        commit()
    count = len(read_sums(PUBLISHED / scale))
    print(f"published {count} files to {PUBLISHED / scale} ({size / 1e6:.1f} MB in published/)")


def _make(scale: str, chosen: list[Path], others: list[str], place: Path, new: Path) -> None:
    """Makes a publication from its leaves.

    Args:
        scale: The scale that is published.
        chosen: Its files in ``results/``.
        others: Other scales that are published, whose pages are made again.
        place: An empty folder to work in.
        new: Where ``published/`` and the texts that tell of it are left.
    """
    for file in chosen:
        if is_brought(file.relative_to(RESULTS / scale), RESULTS / scale):
            _copy(file, place / file)
        if file.name == RECORD:
            write_curve(file.parent, place / file.parent)
            if (values := file.with_name(VALUES)).exists():
                _copy(values, place / values)
    for other in others:
        for file in sorted((PUBLISHED / other).rglob("*")):
            if file.is_file() and file.name != MODULE_LISTS:
                copy_whole(file, place / RESULTS / file.relative_to(PUBLISHED))
    audited = [name for name in others if audit_file(name, "csv", PUBLISHED).exists()]
    rebuild(place, [scale], [scale, *audited])
    for each in (scale, *others):
        for file in sorted((place / RESULTS / each).rglob("*")):
            if file.is_file() and not _is_lent(file):
                _copy(file, new / PUBLISHED / file.relative_to(place / RESULTS))
        thin(new / PUBLISHED / each)
        write_sums(new / PUBLISHED / each)
        _keep_signature(PUBLISHED / each, new / PUBLISHED / each)
    for file in PUBLISHED.rglob("*") if PUBLISHED.is_dir() else ():
        if file.is_file() and file.relative_to(PUBLISHED).parts[0] not in load_scales():
            _copy(file, new / file)  # notebooks and benchmarks, which belong to no scale
    for text in TEXTS:
        if (place / text).exists():
            _copy(place / text, new / text)


def _keep_signature(old: Path, new: Path) -> None:
    """Takes the signature of a list of sums along, if the list is the one that was signed."""
    (new / SIGNATURE).unlink(missing_ok=True)
    is_signed = (old / SIGNATURE).exists() and (old / SUMS).exists()
    if is_signed and sha256(old / SUMS) == sha256(new / SUMS):
        _copy(old / SIGNATURE, new / SIGNATURE)


def _copy(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def _is_lent(file: Path) -> bool:
    """Whether a file is the values of an analysis that are published as a figure's csv."""
    record = file.with_name(RECORD)
    return file.name == VALUES and record.exists() and is_left_out(VALUES, read_record(record))


def _require_small(folder: Path) -> int:
    """The size of all files of a folder, if git can hold them."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    too_large = [f for f in files if f.suffix == ".png" and f.stat().st_size > FIGURE_BYTES]
    if too_large:
        names = ", ".join(str(path.relative_to(folder)) for path in too_large)
        raise ValueError(f"figures above {FIGURE_BYTES} bytes cannot be published: {names}")
    size = sum(path.stat().st_size for path in files)
    if size > TOTAL_BYTES:
        raise ValueError(
            f"published/ would hold {size} bytes; at most {TOTAL_BYTES} belong in git"
        )
    return size


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
    runs = [KeptRecord(record=run["path"], sha256=run["sha256"]) for run in audited["runs"]]
    for table in audited["exhibits"]:
        shown = [[runs[place] for place in cell["records"]] for cell in table["cells"]]
        yield from _exhibit_files(scale, table["paper"], table["name"], shown)
    for figure in audited["figures"]:
        yield from _exhibit_files(scale, figure["paper"], figure["name"], [])


def _exhibit_files(
    scale: str, paper: str, exhibit: str, audited: list[list[KeptRecord]]
) -> Iterator[Path]:
    """Files of an exhibit and of its runs; ``audited`` are the records that the audit shows."""
    provenance = exhibit_file(scale, paper, exhibit, "provenance.json")
    evidence = read_provenance(provenance)
    if audited != [cell.records for cell in evidence.cells]:
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
    if evidence.record is not None and not _is_drawn(provenance, evidence.record):
        _require_current(provenance, evidence.record)  # a figure is its own record


def _run_files(path: Path, expected: str) -> Iterator[Path]:
    if sha256(path) != expected:
        raise ValueError(
            f"{path} is not the record the table was made from ({expected}); run snakemake again"
        )
    record = verify_record(path, only_present=_is_published(path))
    for said in older_data(record):
        raise ValueError(f"{path} was {said}; run snakemake again before publishing")
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
    return there.exists() and whole_sum(there) == sha256(path)


def _is_drawn(path: Path, record: Record) -> bool:
    """Whether a figure was published as it was drawn, in whatever form its record was kept."""
    there = PUBLISHED / path.relative_to(RESULTS)
    return there.exists() and read_provenance(there).record == record


def _require_current(path: Path, record: Record) -> None:
    older = None if _is_published(path) else older_code(record)
    if older is not None:
        raise ValueError(f"{path} was {older}; run snakemake again before publishing")
