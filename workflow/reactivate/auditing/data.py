"""Checks that datasets are those that the catalog, checksum files and records name."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from reactivate.auditing.findings import Finding
from reactivate.evidence.records import Record
from reactivate.experiment.catalog.catalog import CATALOG, Dataset, catalog
from reactivate.experiment.catalog.imagesets import FolderSet, ImageSet, SceneSet
from reactivate.experiment.catalog.locations import MirrorFile
from reactivate.experiment.paths import PREPARED, dataset_file
from reactivate.foundation.files import checksum_path, read_json, recorded_checksum, sha256

RAW = Path("data/raw")


def expected_sum(name: str) -> str | None:
    """The checksum of a prepared dataset: of the catalog, or, if that has none, of its sibling."""
    known = catalog().get(name)
    if isinstance(known, Dataset | ImageSet | SceneSet):
        return known.prepared
    path = dataset_file(name)
    return recorded_checksum(path) if checksum_path(path).exists() else None


def data_findings() -> list[Finding]:
    """Findings on those prepared datasets and files supplied by hand that are in this clone."""
    prepared = sorted(PREPARED.glob("*.safetensors"))
    return [*(f for path in prepared for f in _of_prepared(path)), *_of_raw()]


def _of_prepared(path: Path) -> Iterator[Finding]:
    actual, sibling = sha256(path), checksum_path(path)
    try:
        recorded = recorded_checksum(path)
        expected = expected_sum(path.stem) or recorded
    except ValueError as error:
        yield Finding("tampered" if sibling.exists() else "missing", sibling, str(error))
        return
    if actual != expected:
        who = sibling if expected == recorded else CATALOG
        yield Finding("tampered", path, f"sha256 is {actual}, but {who} says {expected}")
    elif recorded != expected:
        yield Finding("tampered", sibling, f"it says {recorded}, but {path.name} is {actual}")
    elif (about := path.with_suffix(".json")).exists():
        said = _said(about)
        if said != actual:
            yield Finding("tampered", about, f"it says {said}, but {path.name} is {actual}")


def _said(about: Path) -> str:
    try:
        return str(read_json(about).get("sha256"))
    except ValueError as error:
        return f"nothing ({error})"


def _of_raw() -> Iterator[Finding]:
    """Findings on files supplied by hand, which may be of one of several sources."""
    accepted: dict[Path, set[str]] = {}
    for known in catalog().values():
        for source in () if isinstance(known, FolderSet) else known.sources:
            places = source.places().values() if hasattr(source, "places") else [source]
            for place in places:
                if isinstance(place, MirrorFile):
                    accepted.setdefault(RAW / place.file, set()).add(place.sha256)
    for path, sums in sorted(accepted.items()):
        if path.is_file() and (actual := sha256(path)) not in sums:
            said = f"sha256 is {actual}, but {CATALOG} says {' or '.join(sorted(sums))}"
            yield Finding("tampered", path, said)


def older_data(record: Record) -> Iterator[str]:
    """Remarks on the data behind a record that is not the dataset of now."""
    used = record.data
    if used and (now := expected_sum(used.name)) not in (None, used.sha256):
        yield f"made from {used.name} with sha256 {used.sha256}, which now is {now}"
    for read in record.read:
        path = Path(read.file)
        data = path.with_suffix("")  # without .sha256
        if path.parent == PREPARED and (now := expected_sum(data.stem)) is not None:
            text = f"{now}  {data.name}\n"  # of the checksum file, as it is written
            if hashlib.sha256(text.encode()).hexdigest() != read.sha256:
                yield f"made from an older {data}"
