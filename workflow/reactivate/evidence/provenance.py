"""The numbers of an exhibit at a scale and the runs behind them, from its provenance file."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reactivate.evidence.details import Checksum, FileSums, ReadFile, Real
from reactivate.evidence.measured import Measured
from reactivate.evidence.records import Record
from reactivate.evidence.versions import VERSION, exhibit_of_version1, read_versioned
from reactivate.foundation.compact_json import write_compact_json
from reactivate.foundation.configuration import Strict, added
from reactivate.foundation.files import sha256

if TYPE_CHECKING:  # it imports pandas, for which who reads times need not wait
    from reactivate.evidence.tables import Entry

PROVENANCE = ".provenance.json"


class KeptRecord(Strict):
    """A record that a number rests on, and the checksum it had."""

    record: str
    sha256: Checksum


class ShownCell(Strict):
    """Our number for one place of a table under one protocol, and the records behind it."""

    row: str
    column: str
    protocol: str
    values: list[Real]  # one per seed
    how: str  # it was computed, where nothing was trained
    dataset: str
    printed: str
    mean: Real
    standard_error: Real | None
    n: int
    records: list[KeptRecord]

    @classmethod
    def of(cls, entry: "Entry", printed: str, records: Iterable[Path]) -> "ShownCell":
        """A number beside the printed one, resting on records with their checksums of now."""
        kept = [KeptRecord(record=path.as_posix(), sha256=sha256(path)) for path in records]
        measured = asdict(entry.measured)
        return cls(**asdict(entry), printed=printed, **measured, records=kept)

    @property
    def place(self) -> tuple[str, str, str]:
        """Row, column and protocol of the number."""
        return self.row, self.column, self.protocol


class Provenance(Strict):
    """An exhibit's content: its numbers, its files, and the records that they were made from.

    Attributes:
        metric: Name, unit and better direction of a trained table's numbers.
        cells: The numbers of a table; those of a figure are in its csv alone.
        verdicts: On the printed numbers of a table, by row/column, as it was made.
        files: Checksums of the exhibit's files, by their ending.
        record: How a figure was drawn, and from what.
    """

    version: Literal[2] = VERSION
    paper: str
    exhibit: str
    scale: str
    caption: str
    metric: dict[str, str] | None = None
    cells: list[ShownCell]
    verdicts: dict[str, str] = added({})
    files: FileSums
    record: Record | None = None

    @property
    def behind(self) -> list[ReadFile]:
        """Every record that the exhibit was made from, as often as it was used."""
        drawn = [] if self.record is None else self.record.read
        kept = [record for cell in self.cells for record in cell.records]
        return [*drawn, *(ReadFile(file=k.record, sha256=k.sha256) for k in kept)]


def read_provenance(path: Path) -> Provenance:
    """The content of a ``provenance.json``, of whatever version.

    Raises:
        ValueError: It is not as a stage leaves it; file, key and value are named.
    """
    exhibit = path.name.removesuffix(PROVENANCE)
    remedy = f"Make it again with: snakemake --force {path.with_name(f'{exhibit}.csv')}"
    return read_versioned(Provenance, path, exhibit_of_version1, remedy)


def write_provenance(path: Path, provenance: Provenance) -> None:
    """Writes the provenance of an exhibit; to be called last, after its files."""
    write_compact_json(path, provenance.model_dump())


@dataclass(frozen=True)
class Evidence:
    """The numbers of an exhibit, by row, column and protocol."""

    cells: dict[tuple[str, str, str], ShownCell]

    @classmethod
    def read(cls, path: Path) -> "Evidence":
        """The numbers in the ``provenance.json`` of an exhibit."""
        return cls({cell.place: cell for cell in read_provenance(path).cells})

    def values(self, row: str, column: str, protocol: str) -> list[float] | None:
        """One value per seed, or None if this cell was not run."""
        cell = self.cells.get((row, column, protocol))
        return None if cell is None else cell.values

    def measured(self, row: str, column: str, protocol: str) -> Measured | None:
        """Mean and spread over seeds, or None if this cell was not run."""
        values = self.values(row, column, protocol)
        return None if values is None else Measured.of(values)

    def how(self, row: str, column: str) -> str:
        """The way in which a number was computed without training."""
        return next((c.how for k, c in self.cells.items() if k[:2] == (row, column)), "")

    def records(self, row: str, column: str) -> list[Path]:
        """The records behind a number, of all protocols."""
        cells = [cell for place, cell in self.cells.items() if place[:2] == (row, column)]
        return [Path(kept.record) for cell in cells for kept in cell.records]

    def chosen_lrs(self, row: str, column: str, protocol: str) -> list[float] | None:
        """The learning rate of every seed, or None if this cell was not run."""
        import pandas as pd

        cell = self.cells.get((row, column, protocol))
        if cell is None:
            return None
        folders = [Path(kept.record).parent for kept in cell.records]
        return [float(lr) for f in folders for lr in pd.read_csv(f / "metrics.csv")["lr"]]
