"""Set this clone's numbers beside the published ones; without any, those beside the printed."""

from collections import Counter
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path

from reactivate.auditing.chain import Ledger
from reactivate.auditing.rows import Row
from reactivate.commands.parsing import Parser
from reactivate.commands.terminal import (
    GAP,
    aligned,
    at_terminal,
    painted,
    painted_verdict,
    print_aligned,
    print_json,
)
from reactivate.evidence.measured import Measured, difference_tolerance
from reactivate.evidence.provenance import ShownCell, read_provenance
from reactivate.experiment.loading import load_paper, load_scale, paper_names
from reactivate.experiment.paths import PUBLISHED, RESULTS, audit_file, exhibit_file
from reactivate.judging.verdicts import Kind

COLOURS = {"identical": "green", "agrees": "green", "apart": "red"}


@dataclass(frozen=True)
class Changed:
    """A claim with another verdict here than published; ``-`` where one side has none."""

    claim: str
    here: str
    published: str


@dataclass(frozen=True)
class Compared:
    """A cell of a table, here and as it was published; ``-`` where one side has none."""

    cell: str
    here: str
    published: str
    agreement: str


@dataclass(frozen=True)
class Comparison:
    """All that is here and published at a scale."""

    claims: int | None  # None: only one side has an audit
    changed: list[Changed]
    exhibits: dict[str, list[Compared]]


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate compare``."""
    parser.add_scale()
    parser.add_json()
    parser.examples("reactivate compare", "reactivate compare --scale paper --json")
    parser.set_defaults(run=lambda a: compare(a.scale, a.json))


def compare(scale: str, as_json: bool = False) -> None:
    """Prints, cell by cell, whether this clone agrees with ``published/``.

    ``identical``: every seed gave the same number to 1e-6; ``agrees``: the means differ by less
    than the 95 % interval of their difference (another processor or library rounds differently,
    and training amplifies it); ``apart``: by more. Claims whose verdicts are not the same come
    first, where both have an audit. At a terminal identical cells are only counted. Where this
    clone has made nothing, what was published stands beside what the documents print.

    Args:
        scale: The scale.
        as_json: Whether to print for programs.

    Raises:
        ValueError: There is nothing to compare.
    """
    load_scale(scale)
    found = _comparison(scale)
    if found.claims is not None or found.exhibits:
        print_json(asdict(found)) if as_json else _print(found)
    elif not (RESULTS / scale).is_dir() and audit_file(scale, "csv", PUBLISHED).exists():
        _compare_printed(scale, as_json)
    else:
        raise ValueError(
            f"nothing to compare at scale {scale}: no exhibit is both in {RESULTS / scale} and in "
            f"{PUBLISHED / scale}; make one first, e.g. snakemake results/{scale}/gmp/table3.csv"
        )


def _comparison(scale: str) -> Comparison:
    claims, changed = _changed_verdicts(scale)
    exhibits = {}
    for paper in paper_names():
        for exhibit in load_paper(paper).tables:
            ours = exhibit_file(scale, paper, exhibit, "provenance.json")
            theirs = exhibit_file(scale, paper, exhibit, "provenance.json", PUBLISHED)
            if ours.exists() and theirs.exists():
                exhibits[f"{paper}/{exhibit}"] = _compared(_cells(ours), _cells(theirs))
    return Comparison(claims, changed, exhibits)


def _changed_verdicts(scale: str) -> tuple[int | None, list[Changed]]:
    """The number of claims, and those with another verdict; None if not both have an audit."""
    if not all(audit_file(scale, "csv", root).exists() for root in (RESULTS, PUBLISHED)):
        return None, []
    here, there = (Ledger(scale, root).rows for root in (RESULTS, PUBLISHED))
    claims = sorted(here.keys() | there.keys())
    both = [
        Changed(claim, *(rows[claim].verdict if claim in rows else "-" for rows in (here, there)))
        for claim in claims
    ]
    return len(claims), [each for each in both if each.here != each.published]


def _cells(path: Path) -> dict[str, ShownCell]:
    cells = read_provenance(path).cells
    return {f"{cell.row}/{cell.column} {cell.protocol}": cell for cell in cells}


def _compared(ours: dict[str, ShownCell], theirs: dict[str, ShownCell]) -> list[Compared]:
    compared = []
    for place in sorted(ours.keys() | theirs.keys()):
        here, there = ours.get(place), theirs.get(place)
        word = agreement(here.values, there.values) if here and there else "only_one_side"
        compared.append(Compared(place, _text(here), _text(there), word))
    return compared


def _print(found: Comparison) -> None:
    for claim in found.changed:
        verdicts = painted_verdict(claim.here), painted_verdict(claim.published)
        print(f"{claim.claim}: here {verdicts[0]}, published {verdicts[1]}")
    if found.claims is not None:
        same = found.claims - len(found.changed)
        print(f"{same} of {found.claims} claims have the published verdict")
    for name, cells in found.exhibits.items():
        # a person wants to see what differs, a program all
        shown = [c for c in cells if c.agreement != "identical" or not at_terminal()]
        counts = Counter(cell.agreement for cell in cells)
        counted = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
        if not shown:
            print(f"{painted(name, 'bold')}: {counted}")
            continue
        print(f"{painted(name, 'bold')}\n{'cell':32} {'here':>15} {'published':>15}")
        for cell in shown:
            word = painted(cell.agreement, COLOURS.get(cell.agreement, "yellow"))
            print(f"{cell.cell:32} {cell.here:>15} {cell.published:>15}  {word}")
        print(counted)


def _compare_printed(scale: str, as_json: bool) -> None:
    """Prints what was published and made from numbers beside what the documents print."""
    audit = audit_file(scale, "csv", PUBLISHED)
    rows = [r for r in Ledger(scale, PUBLISHED).rows.values() if r.kind == Kind.NUMBER and r.ours]
    if as_json:
        told = [
            {"claim": r.claim, "printed": r.printed, "published": r.ours, "verdict": r.verdict}
            for r in rows
        ]
        print_json({"file": audit.as_posix(), "printed": told})
        return
    print(f"this clone has no results at scale {scale}; published ones from")
    print(f"{audit} stand beside what the documents print:\n")
    if at_terminal():
        _print_by_exhibit(rows)
        return
    head = ("claim", "printed", "published", "verdict")
    print_aligned([head, *((r.claim, r.printed, _short(r.ours), r.verdict) for r in rows)])


def _print_by_exhibit(rows: list[Row]) -> None:
    """Prints numbers under the names of their tables, in lines that fit a terminal."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.claim.rsplit("/", 2)[0], []).append(row)
    for name, of in groups.items():
        print(painted(name, "bold"))
        lines = [("  row, column", "printed", "published")]
        lines += [(f"  {r.claim.removeprefix(name)[1:]}", r.printed, _short(r.ours)) for r in of]
        for line, verdict in zip(
            aligned(lines), ["verdict", *(r.verdict for r in of)], strict=True
        ):
            print(line, painted_verdict(verdict) if verdict != "verdict" else verdict, sep=GAP)


def _short(number: str) -> str:
    """A number to four digits.

    Example:
        >>> _short("0.6605603098869324"), _short("1387108.0")
        ('0.6606', '1387108')
    """
    value = float(number)
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"


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
