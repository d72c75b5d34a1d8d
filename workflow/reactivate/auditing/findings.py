"""Findings: what is the matter with a file that the audit rests on, in one line each."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# no work that goes on explains them
WRONG = (
    "tampered",
    "missing",
    "unvouched",
    "unfounded",
    "foreign",
    "missigned",
    "unrepeated",
    "uncommitted",
)
KINDS = (*WRONG, "unsigned", "stale", "dirty")


@dataclass(frozen=True, order=True)
class Finding:
    """Something is the matter with a file.

    Kinds: ``tampered`` (it is not what was recorded), ``missing``, ``unvouched`` (nothing records
    it), ``unfounded`` (it is not what the code of this tree makes from its leaves: forged, or
    published before that code), ``foreign`` (made from other data than the catalog's),
    ``missigned`` (signed by somebody else, or for other content), ``unrepeated`` (a run that gave
    other bytes when it was run again), ``uncommitted`` (published, not as committed),
    ``unsigned``, ``stale`` (made by older code, or from older tables or configuration), ``dirty``
    (made from files that were not committed).
    """

    kind: str
    path: Path
    says: str

    def __str__(self) -> str:
        return f"{self.kind} {self.path.as_posix()}: {self.says}"

    @property
    def wrong(self) -> bool:
        """Whether the finding is an error; the others only inform."""
        return self.kind in WRONG


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Sorted findings, one of each kind for a file; only errors for a file that has any.

    Example:
        >>> path = Path("run.json")
        >>> given = [Finding("stale", path, "older code"), Finding("stale", path, "older data")]
        >>> [str(finding) for finding in merged(given)]
        ['stale run.json: older code; older data']
        >>> [finding.kind for finding in merged([*given, Finding("tampered", path, "")])]
        ['tampered']
    """
    said: dict[Path, dict[str, list[str]]] = {}
    for finding in findings:
        said.setdefault(finding.path, {}).setdefault(finding.kind, []).append(finding.says)
    kept = []
    for path, kinds in said.items():
        wrong = [kind for kind in WRONG if kind in kinds][:1]
        kept += [Finding(k, path, "; ".join(kinds[k])) for k in wrong or kinds]
    return sorted(kept)


def counted(findings: Iterable[Finding]) -> str:
    """The number of findings of each kind, as text.

    Example:
        >>> counted([Finding("stale", Path("a"), ""), Finding("stale", Path("b"), "")])
        '2 stale'
        >>> counted([])
        'nothing is wrong'
    """
    counts = Counter(finding.kind for finding in findings)
    return ", ".join(f"{counts[k]} {k}" for k in KINDS if counts[k]) or "nothing is wrong"
