"""The form of a paper in config/papers: what its files say together; anything else is an error."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from reactivate.experiment.cell import Name
from reactivate.experiment.exhibits import Analysis, Cells, Exhibit, Grid, Target, Trained
from reactivate.experiment.measurements import Measurement
from reactivate.experiment.numbers import Argument, Count, Positive
from reactivate.experiment.observations import Observation
from reactivate.experiment.quotes import Headline
from reactivate.experiment.recipes import Defended, Detected, Pruned, Segmented, Training
from reactivate.experiment.statements import Check, FindingForm, Statement
from reactivate.experiment.sweeps import SweepRecipe
from reactivate.foundation.configuration import Strict
from reactivate.foundation.registry import unknown_name


class Mlp(Strict):
    """Small networks that are trained as a batch."""

    kind: Literal["mlp"]
    hidden: Count


class Image(Strict):
    """A network of the library for images, and what it is made with."""

    kind: Literal["image"]
    network: str  # a key of reactivate.models.MODELS
    width: Positive = 1.0
    arguments: dict[Name, Argument] = Field(default_factory=dict)  # of the network
    options: dict[Name, Argument] = Field(default_factory=dict)  # of the activation


class Source(Strict):
    cited: str
    arxiv: str | None = None
    read: date
    # of the extracted text, whose lines the quotations name
    text_sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class Protocol(Strict):
    """A way to read what a document leaves open, or what its author's program does."""

    says: str
    on_test_split: bool = False  # it selects on the test split
    afterwards: bool = False  # it was added when results were known, and may only soften
    is_ours: bool = False  # no reading of the document: beside the verdict, not in it


class Paper(Strict):
    """A document: its recipes, exhibits, claims, and what we found beside them."""

    paper: Name
    title: str
    source: Source
    # what it adds to the library's tables of names: {name: "module:attribute"}
    activations: dict[Name, Target] = Field(default_factory=dict)
    networks: dict[Name, Target] = Field(default_factory=dict)
    parameterizations: dict[Name, Target] = Field(default_factory=dict)
    models: dict[Name, Annotated[Mlp | Image, Field(discriminator="kind")]] = Field(
        default_factory=dict
    )
    recipes: dict[
        Name,
        Annotated[
            SweepRecipe | Training | Pruned | Defended | Detected | Segmented,
            Field(discriminator="stage"),
        ],
    ] = Field(default_factory=dict)
    observations: dict[Name, Observation] = Field(default_factory=dict)  # by recipe
    measurements: dict[Name, Measurement] = Field(default_factory=dict)  # of trained networks
    exhibits: dict[Name, Exhibit]
    claims: dict[Name, Statement] = Field(default_factory=dict)
    findings: dict[Name, FindingForm] = Field(default_factory=dict)  # without a verdict
    headlines: dict[Name, Headline] = Field(default_factory=dict)
    protocols: dict[Name, Protocol] = Field(default_factory=dict)

    @field_validator("protocols", mode="before")
    @classmethod
    def _a_sentence_is_enough(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {k: {"says": v} if isinstance(v, str) else v for k, v in given.items()}

    @model_validator(mode="after")
    def _claims_are_no_findings(self) -> "Paper":
        twice = sorted(self.claims.keys() & self.findings.keys())
        if twice:
            where = f"config/papers/{self.paper}"
            raise ValueError(f"{twice[0]} is both a claim and a finding; rename one in {where}")
        return self

    @property
    def run_exhibits(self) -> dict[str, Cells]:
        """Tables and figures whose cells are runs."""
        return {k: e for k, e in self.exhibits.items() if isinstance(e, Cells)}

    @property
    def trained(self) -> dict[str, Trained]:
        """Tables whose cells are runs."""
        return {k: e for k, e in self.exhibits.items() if isinstance(e, Trained)}

    @property
    def analyses(self) -> dict[str, Analysis]:
        """Pictures with an analysis of their own."""
        return {k: e for k, e in self.exhibits.items() if isinstance(e, Analysis)}

    @property
    def tables(self) -> dict[str, Grid]:
        """Exhibits with printed numbers."""
        return {k: e for k, e in self.exhibits.items() if isinstance(e, Grid)}

    @property
    def checked(self) -> dict[str, str]:
        """Claims and findings that a function looks into, and that function."""
        targets = {name: check.function or check.judge for name, check in self.checks.items()}
        return {name: target for name, target in targets.items() if target is not None}

    @property
    def looked_into(self) -> list[str]:
        """All functions that look into claims and findings, each once."""
        return list(dict.fromkeys([*self.checked.values(), *self.own_tables.values()]))

    @property
    def own_tables(self) -> dict[str, str]:
        """Functions that say how far the document's own numbers agree with a claim."""
        asked = {name: claim.own_table for name, claim in self.claims.items()}
        return {name: target for name, target in asked.items() if target is not None}

    @property
    def checks(self) -> dict[str, Check]:
        """How each claim is judged, and each finding was found, where there is anything to run."""
        asked = {name: claim.check for name, claim in self.claims.items()}
        asked |= {name: finding.check for name, finding in self.findings.items()}
        return {name: check for name, check in asked.items() if check is not None}

    def check_claim(self, check: Check, where: str) -> None:
        """Raises if a claim names a row or protocol that its exhibit does not have."""
        if check.exhibit is None:
            return
        if check.judge is not None:
            if check.exhibit not in self.analyses:
                raise unknown_name("analysis", str(check.exhibit), list(self.analyses), where)
            return
        if check.exhibit not in self.trained:
            raise unknown_name("trained exhibit", str(check.exhibit), list(self.trained), where)
        exhibit = self.trained[check.exhibit]
        rows, columns = exhibit.row_names, exhibit.column_names
        for row in check.rows or []:
            if row not in rows:
                raise unknown_name("row", row, rows, where)
        for column in check.columns or []:
            if column not in columns:
                raise unknown_name("column", column, columns, where)
        if check.along is not None:
            self._check_series(check, rows, columns, where)
        if check.best is not None:
            self._check_rivals(check.best, check.rows or rows, check.columns or columns, where)
        if check.chosen_lr is None:
            self._check_runs(exhibit, check.rows or rows, check.columns or columns, where)
        for row in check.chosen_lr or {}:
            if row not in [*rows, "default"]:
                raise unknown_name("row", row, [*rows, "default"], where)
        if check.chosen_lr is not None and "default" not in check.chosen_lr:
            raise ValueError(f"chosen_lr.default is missing; add it to {where}")
        if check.protocol is not None and check.protocol not in exhibit.protocols:
            raise unknown_name("protocol", check.protocol, exhibit.protocols, where)

    def _check_series(self, check: Check, rows: list[str], columns: list[str], where: str) -> None:
        if check.best not in (check.rows or rows):
            raise unknown_name("row", str(check.best), check.rows or rows, where)
        for series in check.along or []:
            for column in series:
                if column not in columns:
                    raise unknown_name("column", column, columns, where)
            if len(set(series)) < 2 or len(set(series)) < len(series):
                raise ValueError(
                    f"along: {series} has no order; accepted: two columns or more, each once. "
                    f"Change it in {where}"
                )

    def _check_rivals(self, best: str, rows: list[str], columns: list[str], where: str) -> None:
        if best not in [*rows, *columns]:
            raise unknown_name("row or column", best, [*rows, *columns], where)
        if len(rows if best in rows else columns) < 2:
            raise ValueError(f"best: {best} is compared with no other; name more in {where}")

    def _check_runs(
        self, exhibit: Trained, rows: list[str], columns: list[str], where: str
    ) -> None:
        for row in rows:
            for column in columns:
                left_out = exhibit.reason_not_run(row, column) is not None
                if left_out or not exhibit.is_run(row, column):
                    raise ValueError(
                        f"row {row}, column {column} is not trained, so nothing can be judged "
                        f"from it; name other rows and columns in {where}"
                    )
