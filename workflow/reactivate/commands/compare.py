"""Set this clone's numbers beside the published ones."""

from math import isnan
from pathlib import Path

from reactivate.auditing.chain import Ledger
from reactivate.evidence.measured import Measured, difference_tolerance
from reactivate.evidence.provenance import ShownCell, read_provenance
from reactivate.experiment.loading import load_paper, load_scale, paper_names
from reactivate.experiment.paths import PUBLISHED, RESULTS, audit_file, exhibit_file


def compare(scale: str) -> None:
    """Prints, cell by cell, whether this clone agrees with ``published/``.

    ``identical``: every seed gave the same number to 1e-6; ``agrees``: the means differ by less
    than the 95 % interval of their difference (another processor or library rounds differently,
    and training amplifies it); ``apart``: by more. Claims whose verdicts are not the same come
    first, where both have an audit.
    """
    load_scale(scale)
    compared = _compare_verdicts(scale)
    for paper in paper_names():
        for exhibit in load_paper(paper).tables:
            ours = exhibit_file(scale, paper, exhibit, "provenance.json")
            theirs = exhibit_file(scale, paper, exhibit, "provenance.json", PUBLISHED)
            if ours.exists() and theirs.exists():
                compared = True
                _compare_exhibit(f"{paper}/{exhibit}", _cells(ours), _cells(theirs))
    if not compared:
        raise ValueError(
            f"nothing to compare at scale {scale}: no exhibit is both in {RESULTS / scale} and in "
            f"{PUBLISHED / scale}; make one first, e.g. snakemake results/{scale}/gmp/table3.csv"
        )


def _compare_verdicts(scale: str) -> bool:
    """Prints the claims with another verdict here than published; whether both have an audit."""
    if not all(audit_file(scale, "csv", root).exists() for root in (RESULTS, PUBLISHED)):
        return False
    here, there = (Ledger(scale, root).rows for root in (RESULTS, PUBLISHED))
    for claim in sorted(here.keys() | there.keys()):
        verdicts = [rows[claim].verdict if claim in rows else "-" for rows in (here, there)]
        if verdicts[0] != verdicts[1]:
            print(f"{claim}: here {verdicts[0]}, published {verdicts[1]}")
    same = sum(here[claim].verdict == there[claim].verdict for claim in here.keys() & there.keys())
    print(f"{same} of {len(here.keys() | there.keys())} claims have the published verdict")
    return True


def _cells(path: Path) -> dict[str, ShownCell]:
    cells = read_provenance(path).cells
    return {f"{cell.row}/{cell.column} {cell.protocol}": cell for cell in cells}


def _compare_exhibit(name: str, ours: dict[str, ShownCell], theirs: dict[str, ShownCell]) -> None:
    counts: dict[str, int] = {}
    print(f"{name}\n{'cell':32} {'here':>18} {'published':>18}")
    for place in sorted(ours.keys() | theirs.keys()):
        here, there = ours.get(place), theirs.get(place)
        word = agreement(here.values, there.values) if here and there else "only_one_side"
        counts[word] = counts.get(word, 0) + 1
        print(f"{place:32} {_text(here):>18} {_text(there):>18}  {word}")
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))


def agreement(here: list[float], there: list[float]) -> str:
    """A word on how two sets of per-seed values of one cell relate.

    Example:
        >>> agreement([1.0, 2.0], [1.0, 2.0]), agreement([1.0, 1.1], [9.0, 9.1])
        ('identical', 'apart')
    """
    same = len(here) == len(there) and all(
        a == b or abs(a - b) <= 1e-6 * max(1.0, abs(b)) or (isnan(a) and isnan(b))
        for a, b in zip(here, there, strict=True)
    )
    if same:
        return "identical"
    a, b = Measured.of(here), Measured.of(there)
    return "agrees" if abs(a.mean - b.mean) <= difference_tolerance(a, b) else "apart"


def _text(cell: ShownCell | None) -> str:
    return "-" if cell is None else str(Measured.of(cell.values))
