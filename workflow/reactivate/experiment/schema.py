"""The form of config/papers/*.yaml; anything else is an error."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from reactivate.experiment.exhibits import Analysis, Best, Cells, Exhibit, Grid, Target, Trained
from reactivate.experiment.measurements import Measurement
from reactivate.experiment.observations import Observation
from reactivate.experiment.recipes import Defended, Pruned, Training
from reactivate.experiment.runs import checked_name
from reactivate.foundation.configuration import Strict
from reactivate.foundation.registry import unknown_name


class Optimizer(Strict):
    name: Literal["adam"]
    epsilon: float


class ChosenLr(Strict):
    """Learning rate by cross-validation inside the training split."""

    choose_from: list[float] = Field(min_length=2)
    folds: int = Field(ge=2)


class Splits(Strict):
    test_fraction: float = Field(gt=0, lt=1)
    validation_fraction: float = Field(ge=0, lt=1)
    seeds: int = Field(ge=1)


class Plateau(Strict):
    factor: float = Field(gt=0, lt=1)
    patience: int = Field(ge=1)
    min_delta: float


class Stop(Strict):
    patience: int = Field(ge=1)


class BatchNorm(Strict):
    momentum: float = Field(gt=0, le=1)  # weight of the newest batch, as torch counts it
    epsilon: float


class Recipe(Strict):
    """How the small networks of a cell are trained, all seeds at once."""

    stage: Literal["sweep"]
    optimizer: Optimizer
    lr: dict[str, float] | ChosenLr
    batch_size: int | Literal["full"]
    splits: Splits
    monitor: Literal["validation", "test"]
    loss: Literal["mse", "mae"]
    epochs: int = Field(ge=1)
    plateau: Plateau
    stop: Stop
    initialization: Literal["document", "authors_code"]
    output_layer: Literal["plain", "same_if_wn"]
    batch_norm: BatchNorm
    precision: Literal["float32", "float64"]
    # what the document leaves open, and what was chosen
    open: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _monitor_has_data(self) -> "Recipe":
        if self.monitor == "validation" and self.splits.validation_fraction == 0:
            raise ValueError("monitor: validation needs splits.validation_fraction above 0")
        return self


class Check(Strict):
    """How a statement in words is judged: from a trained exhibit, or by a function."""

    exhibit: str | None = None
    best: str | None = None  # a row or a column
    where: Literal["everywhere", "most_pairs"] = "everywhere"
    rows: list[str] | None = None  # that are compared; all if none are named
    columns: list[str] | None = None
    better: Literal["lower", "higher"] | None = None  # where it is not that of the exhibit
    chance: float | None = None  # networks that do not learn stay at or below it, in percent
    chosen_lr: dict[str, float] | None = None
    protocol: str | None = None
    judge: Target | None = None  # of an analysis: takes its data frame, returns a Judgement
    function: Target | None = None  # returns a reactivate.experiment.claims.Judgement

    @model_validator(mode="after")
    def _asks_one_thing(self) -> "Check":
        ways = (self.best, self.chance, self.chosen_lr, self.judge, self.function)
        if sum(way is not None for way in ways) != 1:
            raise ValueError(
                "a check needs exactly one of best, chance, chosen_lr, judge and function"
            )
        if (self.exhibit is None) != (self.function is not None):
            raise ValueError(
                "best, chance, chosen_lr and judge need an exhibit, a function takes none"
            )
        return self


class Statement(Strict):
    """A statement in words that can be checked."""

    locator: str
    says: str
    check: Check


class Mlp(Strict):
    """Small networks that are trained as a batch."""

    kind: Literal["mlp"]
    hidden: int = Field(ge=1)


class Image(Strict):
    """A network of the library for images, and what it is made with."""

    kind: Literal["image"]
    network: str  # a key of reactivate.models.MODELS
    width: float = Field(default=1.0, gt=0)
    arguments: dict[str, Any] = Field(default_factory=dict)  # of the network
    options: dict[str, Any] = Field(default_factory=dict)  # of the activation


class Source(Strict):
    cited: str
    arxiv: str | None = None
    read: date


class Paper(Strict):
    """One of the five documents: its recipes, exhibits and claims."""

    paper: str
    title: str
    source: Source
    models: dict[str, Annotated[Mlp | Image, Field(discriminator="kind")]] = Field(
        default_factory=dict
    )
    recipes: dict[
        str, Annotated[Recipe | Training | Pruned | Defended, Field(discriminator="stage")]
    ] = Field(default_factory=dict)
    observations: dict[str, Observation] = Field(default_factory=dict)  # by recipe
    measurements: dict[str, Measurement] = Field(default_factory=dict)  # of trained networks
    exhibits: dict[str, Exhibit]
    claims: dict[str, Statement] = Field(default_factory=dict)
    protocols: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_are_known(self) -> "Paper":
        where = f"config/papers/{self.paper}.yaml"
        named = (self.exhibits, self.claims, self.recipes, self.models, self.measurements)
        for name in [self.paper, *(name for names in named for name in names)]:
            checked_name(name, where)
        for exhibit in self.run_exhibits.values():
            for protocol in exhibit.protocols:
                if protocol not in self.protocols:
                    error = unknown_name("protocol", protocol, list(self.protocols), where)
                    raise ValueError(f"protocols does not say what {protocol!r} is: {error}")
        for name, claim in self.claims.items():
            if claim.check.exhibit is not None:
                self._check_names(claim.check, f"claims.{name} of {where}")
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
    def bests(self) -> dict[str, Best]:
        """Tables of the best of other tables."""
        return {k: e for k, e in self.exhibits.items() if isinstance(e, Best)}

    @property
    def analyses(self) -> dict[str, Analysis]:
        """Pictures with an analysis of their own."""
        return {k: e for k, e in self.exhibits.items() if isinstance(e, Analysis)}

    @property
    def tables(self) -> dict[str, Grid]:
        """Exhibits with printed numbers."""
        return {k: e for k, e in self.exhibits.items() if isinstance(e, Grid)}

    def _check_names(self, check: Check, where: str) -> None:
        """A row or protocol that its exhibit does not have could never be judged."""
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
