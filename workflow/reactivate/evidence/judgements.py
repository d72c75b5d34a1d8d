"""The judgements of functions on the statements of a paper, as ``claims.json`` keeps them."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from reactivate.evidence.details import Durations
from reactivate.evidence.environment import Environment
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.records import Record
from reactivate.evidence.versions import VERSION, judgements_of_version1, read_versioned
from reactivate.foundation.configuration import Strict


class Judged(Strict):
    """The verdict on one statement, and what reached it."""

    verdict: Verdict = Field(strict=False)  # JSON has no verdicts, but their texts
    reason: str
    function: str
    code: str
    printed: dict[str, str] | None  # digests of the printed tables that the function may read
    seconds: float = Field(ge=0)
    warnings: list[str]


class Judgements(Strict):
    """All statements of a paper that a function checks, judged by one process."""

    version: Literal[2] = VERSION
    paper: str
    scale: str
    environment: Environment
    modules: dict[str, str]
    claims: dict[str, Judged]

    def record(self, claim: str) -> Record:
        """The judgement of one statement, in the form of a record."""
        judged = self.claims[claim]
        return Record(
            stage="check",
            paper=self.paper,
            scale=self.scale,
            function=judged.function,
            code=judged.code,
            modules=self.modules,
            environment=self.environment,
            times=Durations(seconds=judged.seconds, training_seconds=None, resumes=0),
            warnings=judged.warnings,
            files={},
        )


def read_judgements(path: Path) -> Judgements:
    """The content of a ``claims.json``, of whatever version.

    Raises:
        ValueError: It is not as the stage leaves it; file, key and value are named.
    """
    remedy = f"Make it again with: snakemake --force {path}"
    return read_versioned(Judgements, path, judgements_of_version1, remedy)
