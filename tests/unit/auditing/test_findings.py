"""What is the matter with a file: errors, and what only informs, as docs/numbers.md tells them."""

from pathlib import Path

import pytest
from reactivate.auditing.findings import KINDS, Finding

ERRORS = [
    *("tampered", "missing", "unvouched", "unfounded"),
    *("foreign", "missigned", "unrepeated", "uncommitted"),
]
NEWS = ["unsigned", "stale", "dirty"]


@pytest.mark.parametrize("kind", [*ERRORS, *NEWS])
def test_a_finding_is_an_error_or_only_informs(kind):
    assert Finding(kind, Path("run.json"), "").wrong == (kind in ERRORS)


def test_there_are_no_other_kinds_of_findings():
    assert sorted(KINDS) == sorted([*ERRORS, *NEWS])
