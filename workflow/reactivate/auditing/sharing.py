"""Runs listed once, and what many of them have in common said once."""

from pathlib import Path
from typing import Any

from reactivate.auditing.chain import Ledger, Link
from reactivate.evidence.details import ReadFile
from reactivate.experiment.paths import RECORD


class Runs:
    """A list of records with all that they read; packages, machines and datasets apart.

    Args:
        ledger: Where the records that others read are looked up.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._places: dict[tuple[str, str], int] = {}
        self.runs: list[dict[str, Any]] = []
        self.environments: list[dict[str, Any]] = []
        self.datasets: list[dict[str, Any]] = []

    def place(self, link: Link) -> int:
        """The number of a record in the list; it is added if it is new."""
        key = link.path, link.record.made_by  # a file of judgements holds many
        if key not in self._places:
            told = self._told(link)
            self._places[key] = len(self.runs)
            self.runs.append(told)
        return self._places[key]

    def _told(self, link: Link) -> dict[str, Any]:
        record = link.record
        around = record.environment
        where = {
            **around.git.model_dump(),
            **around.model_dump(include={"python", "packages", "machine"}),
        }
        told: dict[str, Any] = {
            "path": link.path,
            "sha256": link.sha256,
            "made_by": record.made_by,
            "seconds": record.times.seconds,
            "code": record.code,
            "environment": _index(self.environments, where),
        }
        if record.seeds:
            told["seeds"] = record.seeds
        if record.data is not None:
            told["dataset"] = _index(self.datasets, record.data.model_dump())
        if record.warnings:
            told["warnings"] = record.warnings
        if record.read:
            told["read"] = [self._read(file) for file in record.read]
        return told

    def _read(self, read: ReadFile) -> int | dict[str, str]:
        """The number of the record that was read, or the file and its sum."""
        if Path(read.file).name == RECORD:
            return self.place(self._ledger.link(read.file, read.sha256))
        return {"file": read.file, "sha256": read.sha256}

    def listed(self) -> dict[str, Any]:
        """The three lists; a number in ``runs`` is a place in one of them."""
        return {
            "runs": self.runs,
            "environments": self.environments,
            "datasets": self.datasets,
        }


def _index(known: list[dict[str, Any]], item: dict[str, Any]) -> int:
    if item not in known:
        known.append(item)
    return known.index(item)
