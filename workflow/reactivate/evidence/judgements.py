"""What functions found of the claims of a paper, as ``claims.json`` keeps it."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from reactivate.evidence.details import Durations
from reactivate.evidence.environment import Environment
from reactivate.evidence.records import Record
from reactivate.evidence.versions import read_versioned
from reactivate.foundation.configuration import Strict
from reactivate.judging.judgement import Judgement


class Looked(Strict):
    """The function that looked into a claim, and how that went."""

    function: str
    code: str
    printed: dict[str, str] | None  # digests of the printed tables that the function may read
    seconds: float = Field(ge=0)
    warnings: list[str]


class Told(Looked):
    """What a function says in a sentence: a finding, or how far a document's tables agree."""

    says: str


class Judged(Looked):
    """The verdict on one claim, and what reached it."""

    judgement: dict[str, Any]

    @field_validator("judgement")
    @classmethod
    def _is_a_judgement(cls, kept: dict[str, Any]) -> dict[str, Any]:
        Judgement.from_json(kept)
        return kept

    @property
    def reached(self) -> Judgement:
        """The judgement that was reached."""
        return Judgement.from_json(self.judgement)


class Judgements(Strict):
    """All claims and findings of a paper that functions look into, by one process."""

    version: Literal[3] = 3
    paper: str
    scale: str
    environment: Environment
    modules: dict[str, str]
    claims: dict[str, Judged]
    findings: dict[str, Told]
    own_tables: dict[str, Told]  # by claim

    @property
    def looked(self) -> dict[str, Looked]:
        """Everything that a function looked into, by its name."""
        own = {f"{claim} (own table)": told for claim, told in self.own_tables.items()}
        return {**self.claims, **self.findings, **own}

    def record(self, name: str) -> Record:
        """The judgement of one claim, or a finding, in the form of a record."""
        looked = self.looked[name]
        return Record(
            stage="check",
            paper=self.paper,
            scale=self.scale,
            function=looked.function,
            code=looked.code,
            modules=self.modules,
            environment=self.environment,
            times=Durations(seconds=looked.seconds, training_seconds=None, resumes=0),
            warnings=looked.warnings,
            files={},
        )


def read_judgements(path: Path) -> Judgements:
    """The content of a ``claims.json``.

    Raises:
        ValueError: It is not as the stage leaves it; file, key and value are named.
    """
    remedy = f"Make it again with: snakemake --force {path}"
    return read_versioned(Judgements, path, None, remedy)
