"""Whether a result was made by the code of this tree."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment, printed_digests
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.foundation.digests import closure, code_digest

CHECK = "reactivate.stages.check"


def targets_of(path: Path, record: dict[str, Any]) -> tuple[str, ...]:
    """The code that would make a record again.

    Args:
        path: Of the record, ``{root}/{scale}/{paper}/...``.
        record: The content of a ``run.json``, or of a figure's ``provenance.json``.

    Raises:
        ValueError: The configuration no longer has the cell or the exhibit.
    """
    paper, experiment = path.parts[2], Experiment.load(PRINTED_SCALE)  # code has no scale
    if "cell" in record:
        return experiment.cell(paper, Cell(**record["cell"])).modules(record.get("stage"))
    if "exhibit" in record:
        return experiment.exhibit(paper, record["exhibit"]).modules("plot")
    return experiment.exhibit(paper, path.parent.name).modules("analyse")


def older_code(path: Path, record: dict[str, Any]) -> str | None:
    """What is said of a record that other code made than this tree's; None if it is current.

    The modules that changed are named where the record kept theirs.
    """
    targets = targets_of(path, record)
    now = code_digest(*targets)
    if record["code"] == now:
        return None
    changed = changed_modules(record.get("modules", {}), targets)
    said = f"made by code {record['code']}, which now is {now}"
    return f"{said}: {', '.join(changed)} changed" if changed else said


def changed_modules(loaded: dict[str, str], targets: tuple[str, ...]) -> list[str]:
    """Modules that a run loaded and that are not what they were, and those it has to load now."""
    if not loaded:
        return []
    now = closure(*targets)
    return sorted(name for name, code in now.items() if loaded.get(name, code) != code)


def outdated_checks(paper: str, judged: dict[str, Any]) -> Iterator[str]:
    """The statements of a ``claims.json`` that other code, or other printed numbers, judged."""
    for claim, found in judged["claims"].items():
        target = found["function"]
        if found["code"] != code_digest(CHECK, target):
            changed = changed_modules(judged.get("modules", {}), (CHECK, target))
            yield f"{claim} ({', '.join(changed)})" if changed else claim
        elif found.get("printed") != printed_digests(paper, target):
            yield f"{claim} (printed numbers)"
