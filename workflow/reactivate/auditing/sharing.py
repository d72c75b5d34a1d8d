"""Runs listed once, and what many of them have in common said once."""

from pathlib import Path
from typing import Any

from reactivate.auditing.chain import Ledger, Record
from reactivate.evidence.records import RECORD


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

    def place(self, record: Record) -> int:
        """Where a record is in the list; it is added if it is new."""
        key = record.path, record.made_by  # a file of judgements holds many
        if key not in self._places:
            told = self._told(record)
            self._places[key] = len(self.runs)
            self.runs.append(told)
        return self._places[key]

    def _told(self, record: Record) -> dict[str, Any]:
        git = {"commit": record.commit, "dirty": record.dirty}
        where = {"python": record.python, "packages": record.packages, "machine": record.machine}
        told: dict[str, Any] = {
            "path": record.path,
            "sha256": record.sha256,
            "made_by": record.made_by,
            "seconds": record.seconds,
            "code": record.code,
            "environment": _index(self.environments, {**git, **where}),
        }
        if record.seeds:
            told["seeds"] = record.seeds
        if record.dataset is not None:
            data = {"name": record.dataset, "sha256": str(record.dataset_sha256)}
            told["dataset"] = _index(self.datasets, data)
        if record.warnings:
            told["warnings"] = record.warnings
        if record.read:
            told["read"] = [self._read(path, checksum) for path, checksum in record.read]
        return told

    def _read(self, path: str, checksum: str) -> int | dict[str, str]:
        """Where the record is that was read, or the file and its sum."""
        if Path(path).name == RECORD:
            return self.place(self._ledger.record(path, checksum))
        return {"file": path, "sha256": checksum}

    def listed(self) -> dict[str, Any]:
        """All of it; numbers in ``runs`` are places in the three lists."""
        return {
            "runs": self.runs,
            "environments": self.environments,
            "datasets": self.datasets,
        }


def _index(known: list[dict[str, Any]], item: dict[str, Any]) -> int:
    if item not in known:
        known.append(item)
    return known.index(item)
