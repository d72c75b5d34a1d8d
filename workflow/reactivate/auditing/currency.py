"""Currency of results: checks that the code of this tree made them."""

from collections.abc import Iterator

from reactivate.evidence.environment import changed_since
from reactivate.evidence.judgements import Judgements
from reactivate.evidence.records import Record
from reactivate.experiment.experiment import Experiment, printed_digests
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.foundation.digests import closure, code_digest

CHECK = "reactivate.stages.check"
MOST = 3  # modules that are named in a line


def targets_of(record: Record) -> tuple[str, ...]:
    """Targets of the code that would make a record again, for its digest.

    Raises:
        ValueError: The configuration no longer has the cell or the exhibit.
    """
    experiment = Experiment.load(PRINTED_SCALE)  # code has no scale
    if record.cell is not None:
        return experiment.cell(record.paper, record.cell).modules(record.stage)
    if record.exhibit is not None:
        return experiment.exhibit(record.paper, record.exhibit).modules(record.stage)
    return CHECK, record.made_by


def older_code(record: Record) -> str | None:
    """A remark on a record that other code made than this tree's; None if it is current.

    The modules that changed are named where the record kept theirs.
    """
    targets = targets_of(record)
    now = code_digest(*targets)
    if record.code == now:
        return None
    changed = changed_modules(record.modules, targets)
    changed = changed or modules_since(record.environment.git.commit, targets)
    said = f"made by code {record.code}, which now is {now}"
    return f"{said}: {_listed(changed)} changed" if changed else said


def modules_since(commit: str | None, targets: tuple[str, ...]) -> list[str]:
    """Modules of targets that are not as a commit has them; none where that cannot be known."""
    files = None if commit is None else changed_since(commit)
    if files is None:
        return []
    paths = {name: f"workflow/{name.replace('.', '/')}" for name in closure(*targets)}
    return sorted(n for n, p in paths.items() if {f"{p}.py", f"{p}/__init__.py"} & files)


def _listed(modules: list[str]) -> str:
    more = f" and {len(modules) - MOST} more" if len(modules) > MOST else ""
    return ", ".join(modules[:MOST]) + more


def changed_modules(loaded: dict[str, str], targets: tuple[str, ...]) -> list[str]:
    """Modules that a run loaded and that are not what they were, and those it has to load now."""
    if not loaded:
        return []
    now = closure(*targets)
    return sorted(name for name, code in now.items() if loaded.get(name, code) != code)


def outdated_checks(judgements: Judgements) -> Iterator[str]:
    """What other code, or other printed numbers, looked into, of a ``claims.json``."""
    for claim, judged in judgements.looked.items():
        targets = CHECK, judged.function
        if judged.code != code_digest(*targets):
            changed = changed_modules(judgements.modules, targets)
            yield f"{claim} ({', '.join(changed)})" if changed else claim
        elif judged.printed != printed_digests(judgements.paper, judged.function):
            yield f"{claim} (printed numbers)"
