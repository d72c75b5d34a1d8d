"""The form of config/papers/*.yaml and config/scales.yaml; anything else is an error."""

from datetime import date
from typing import Any, Literal

from pydantic import Field, model_validator

from reactivate.claims import Printed
from reactivate.configuration import Strict
from reactivate.registry import unknown_name
from reactivate.runs import checked_name

RUN_AXES = ("dataset", "model", "activation", "parameterization")


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
    """How a cell is trained."""

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


class Metric(Strict):
    name: str
    better: Literal["lower", "higher"]
    unit: str


class Exhibit(Strict):
    """A printed table: the product of ``rows`` and ``columns`` are its cells."""

    kind: Literal["table"]
    title: str
    locator: str
    metric: Metric
    rows: dict[str, list[str]] = Field(min_length=1, max_length=1)
    columns: dict[str, list[str]] = Field(min_length=1, max_length=1)
    fixed: dict[str, str]
    protocols: list[str] = Field(min_length=1)  # recipes; the first one is judged
    spread: Literal["standard_error", "standard_deviation", "unstated"]
    printed: dict[str, list[Any]]

    @property
    def row_axis(self) -> str:
        return next(iter(self.rows))

    @property
    def column_axis(self) -> str:
        return next(iter(self.columns))

    @property
    def row_names(self) -> list[str]:
        return self.rows[self.row_axis]

    @property
    def column_names(self) -> list[str]:
        return self.columns[self.column_axis]

    def printed_at(self, row: str, column: str) -> str:
        """The printed number of a cell, as printed."""
        return str(self.printed[row][self.column_names.index(column)])

    @model_validator(mode="after")
    def _grid_is_whole(self) -> "Exhibit":
        axes = [*self.fixed, self.row_axis, self.column_axis]
        if sorted(axes) != sorted(RUN_AXES):
            raise ValueError(
                f"fixed, rows and columns name {', '.join(axes)}; together they must name each of "
                f"{', '.join(RUN_AXES)} once"
            )
        for name in [*self.fixed.values(), *self.row_names, *self.column_names]:
            checked_name(name, f"the grid of {self.locator}")
        if set(self.printed) != set(self.row_names):
            raise ValueError(
                f"printed has the rows {', '.join(self.printed)}, but rows lists "
                f"{', '.join(self.row_names)}"
            )
        for row, numbers in self.printed.items():
            self._check_row(row, numbers)
        return self

    def _check_row(self, row: str, numbers: list[Any]) -> None:
        if len(numbers) != len(self.column_names):
            raise ValueError(
                f"printed.{row} has {len(numbers)} numbers for {len(self.column_names)} columns "
                f"({', '.join(self.column_names)})"
            )
        for number in numbers:
            if not isinstance(number, str):
                raise ValueError(
                    f"printed.{row} holds {number!r} without quotes: quote it as printed, "
                    f'e.g. "{number}", so that trailing zeros keep its precision'
                )
            Printed.parse(number)


class Check(Strict):
    """How a statement in words is judged from an exhibit."""

    exhibit: str
    best: str | None = None
    where: Literal["every_column", "most_pairs"] = "every_column"
    chosen_lr: dict[str, float] | None = None
    protocol: str | None = None

    @model_validator(mode="after")
    def _asks_one_thing(self) -> "Check":
        if (self.best is None) == (self.chosen_lr is None):
            raise ValueError("a check needs exactly one of best and chosen_lr")
        return self


class Statement(Strict):
    """A statement in words that can be checked."""

    locator: str
    says: str
    check: Check


class Mlp(Strict):
    kind: Literal["mlp"]
    hidden: int = Field(ge=1)


class Source(Strict):
    arxiv: str
    read: date


class Paper(Strict):
    """One of the five documents: its recipes, exhibits and claims."""

    paper: str
    title: str
    source: Source
    models: dict[str, Mlp]
    recipes: dict[str, Recipe]
    exhibits: dict[str, Exhibit]
    claims: dict[str, Statement] = Field(default_factory=dict)
    protocols: dict[str, str]

    @model_validator(mode="after")
    def _names_are_known(self) -> "Paper":
        where = f"config/papers/{self.paper}.yaml"
        for name in [self.paper, *self.exhibits, *self.claims, *self.recipes, *self.models]:
            checked_name(name, where)
        for exhibit in self.exhibits.values():
            for protocol in exhibit.protocols:
                if protocol not in self.recipes:
                    raise unknown_name("recipe", protocol, list(self.recipes), where)
                if protocol not in self.protocols:
                    raise ValueError(f"protocols does not say what {protocol!r} is")
        for name, claim in self.claims.items():
            if claim.check.exhibit not in self.exhibits:
                raise unknown_name("exhibit", claim.check.exhibit, list(self.exhibits), where)
            self._check_names(claim.check, f"claims.{name} of {where}")
        return self

    def _check_names(self, check: Check, where: str) -> None:
        """A row or protocol that its exhibit does not have could never be judged."""
        exhibit = self.exhibits[check.exhibit]
        rows = exhibit.row_names
        if check.best is not None and check.best not in rows:
            raise unknown_name("row", check.best, rows, where)
        for row in check.chosen_lr or {}:
            if row not in [*rows, "default"]:
                raise unknown_name("row", row, [*rows, "default"], where)
        if check.chosen_lr is not None and "default" not in check.chosen_lr:
            raise ValueError(f"chosen_lr.default is missing; add it to {where}")
        if check.protocol is not None and check.protocol not in exhibit.protocols:
            raise unknown_name("protocol", check.protocol, exhibit.protocols, where)


class Limits(Strict):
    """What a scale may change of a recipe."""

    data_fraction: float | None = Field(default=None, gt=0, le=1)
    width: float | None = Field(default=None, gt=0)
    epochs: int | None = Field(default=None, ge=1)
    seeds: int | None = Field(default=None, ge=1)
    draws: int | None = Field(default=None, ge=1)


class Selection(Strict):
    """Which part of an exhibit a scale runs."""

    protocols: list[str] | None = None
    rows: list[str] | None = None
    columns: list[str] | None = None


class Scale(Strict):
    says: str
    recipes: dict[str, dict[str, Limits]] = Field(default_factory=dict)
    exhibits: dict[str, dict[str, Selection]] = Field(default_factory=dict)
