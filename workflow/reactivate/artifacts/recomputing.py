"""Comparison of publications with what their leaves give when everything above is made again."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from reactivate.artifacts.rebuilding import bring, is_brought, rebuild
from reactivate.artifacts.replacing import TEXTS
from reactivate.auditing.differences import difference
from reactivate.auditing.findings import Finding
from reactivate.evidence.histories import CURVE, HISTORY
from reactivate.evidence.provenance import PROVENANCE
from reactivate.evidence.publication import SIGNATURE, SUMS, written_lists
from reactivate.evidence.records import read_record
from reactivate.evidence.versions import MODULE_LISTS, whole_content
from reactivate.experiment.loading import paper_names
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS, checks_file
from reactivate.foundation.workplace import of_project

# of a scale: made from everything else
LISTS = (Path(SUMS), Path(SIGNATURE), Path(MODULE_LISTS))


@dataclass
class Recomputation:
    """Publications made again from their leaves, and what differs.

    Attributes:
        scales: The published scales.
        leaves: Number of files that everything else is made from, by kind.
        told: A few words on what was done.
    """

    scales: list[str]
    leaves: Counter[str] = field(default_factory=Counter)
    told: str = ""

    def findings(self, doubted: set[Path]) -> list[Finding]:
        """Files that are not what the leaves give.

        Args:
            doubted: Files that are known to be wrong; from a leaf among them nothing is made.
        """
        sources = {scale: PUBLISHED / scale for scale in self.scales}
        leaves = [leaf for source in sources.values() for leaf in leaves_of(source)]
        self.leaves = Counter(map(_kind, leaves))
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.leaves.items()))
        self.told = f"everything but {len(leaves)} leaves, which are taken on trust ({kinds})"
        wrong = [p for p in doubted if any(is_leaf(p, source) for source in sources.values())]
        if wrong:
            self.told = f"nothing above {len(leaves)} leaves, of which {len(wrong)} are wrong"
            return []
        with TemporaryDirectory(prefix="reactivate-") as folder:
            place = Path(folder)
            try:
                for scale, source in sources.items():
                    bring(source, place / RESULTS / scale)
                rebuild(place, self.scales)
            except (ValueError, OSError) as error:
                return [Finding("unfounded", PUBLISHED, f"its leaves cannot be used: {error}")]
            found = [f for source in sources.values() for f in _compared(source, place)]
            found += [f for source in sources.values() for f in _of_lists(source)]
            return [*found, *_of_texts(place)]


def leaves_of(source: Path) -> list[Path]:
    """Files of a published scale that are taken on trust."""
    return [path for path in source.rglob("*") if path.is_file() and is_leaf(path, source)]


def is_leaf(path: Path, source: Path) -> bool:
    """Whether a file, which may be lost, is taken on trust in a published scale."""
    if not path.is_relative_to(source) or not is_brought(path.relative_to(source), source):
        return False
    drawn = path.with_name(f"{path.name.partition('.')[0]}.png").exists()
    return drawn or not path.name.endswith(PROVENANCE)  # that of a table is made again


def _kind(leaf: Path) -> str:
    if leaf.name == RECORD or leaf.name.endswith(PROVENANCE):
        return "records"
    if leaf.suffix in (".png", ".svg"):
        return "pictures"
    return "judgements of papers" if leaf.suffix == ".json" else "tables of numbers"


def _compared(source: Path, place: Path) -> Iterator[Finding]:
    """Findings on the files of one scale, beside those made again."""
    made, vouched = place / RESULTS / source.name, _vouched(source)
    there = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    rebuilt = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
    for name in sorted((there | rebuilt).difference(LISTS)):
        path = source / name
        if len(name.parts) > 2:  # a leaf
            if name in there and path not in vouched:
                yield Finding("unvouched", path, "no record has it")
        elif name not in rebuilt:
            yield Finding("unfounded", path, "the leaves do not give it")
        elif name not in there:
            yield Finding("missing", path, "the leaves give it")
        elif (old := whole_content(path)) != (new := (made / name).read_bytes()):
            yield Finding("unfounded", path, difference(path, old, new))


def _of_lists(source: Path) -> Iterator[Finding]:
    """The finding on the file of modules of a scale, if its records do not give it."""
    path = source / MODULE_LISTS
    if path.exists() and path.read_text(encoding="utf-8") != written_lists(source):
        yield Finding("unfounded", path, "the records do not give it")


def _vouched(source: Path) -> set[Path]:
    """Records below a scale, the files that they vouch for, curves, and judgements."""
    known = {checks_file(source.name, paper, source.parent) for paper in paper_names()}
    for path in source.rglob(RECORD):
        files = read_record(path).files
        known |= {path, *(path.parent / name for name in files)}
        if HISTORY in files:  # of which some epochs are published
            known.add(path.with_name(CURVE))
    return known


def _of_texts(place: Path) -> Iterator[Finding]:
    """Findings on the texts of the project that tell of publications."""
    for text in TEXTS:
        if of_project(text).exists():
            old, new = (path.read_bytes() for path in (of_project(text), place / text))
            if old != new:
                yield Finding("unfounded", text, difference(text, old, new))
