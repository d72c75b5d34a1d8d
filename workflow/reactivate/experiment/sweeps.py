"""The form of a recipe that trains small networks, all seeds of a cell at once."""

from typing import Literal

from pydantic import Field, model_validator

from reactivate.experiment.cell import Name
from reactivate.experiment.numbers import (
    Count,
    NonNegative,
    Part,
    Positive,
    ProperShare,
    Rate,
    Several,
)
from reactivate.foundation.configuration import Strict


class Optimizer(Strict):
    name: Literal["adam"]
    epsilon: Positive


class ChosenLr(Strict):
    """A learning rate that cross-validation inside the training split chooses."""

    choose_from: list[Rate] = Field(min_length=2)
    folds: Several


class Splits(Strict):
    test_fraction: Part
    validation_fraction: ProperShare
    seeds: Count


class Plateau(Strict):
    factor: float = Field(gt=0, lt=1)
    patience: Count
    min_delta: NonNegative


class Stop(Strict):
    patience: Count


class BatchNorm(Strict):
    momentum: float = Field(gt=0, le=1)  # weight of the newest batch, as torch counts it
    epsilon: Positive


class SweepRecipe(Strict):
    """The recipe that trains the small networks of a cell, all seeds at once."""

    stage: Literal["sweep"]
    optimizer: Optimizer
    lr: dict[Name, Rate] | ChosenLr
    batch_size: Count | Literal["full"]
    splits: Splits
    # what decides about schedule, stop and the weights kept: rows, or the training loss
    monitor: Literal["validation", "test", "training"]
    loss: Literal["mse", "mae"]
    epochs: Count
    plateau: Plateau
    stop: Stop
    initialization: Literal[
        "document", "document_direction", "authors_code", "authors_code_signed"
    ]
    output_layer: Literal["plain", "same_if_wn"]
    batch_norm: BatchNorm
    precision: Literal["float32", "float64"]
    # what the document leaves open, and what was chosen
    open: dict[Name, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _monitor_has_data(self) -> "SweepRecipe":
        held_out = self.splits.validation_fraction
        if self.monitor == "validation" and held_out == 0:
            raise ValueError("monitor: validation needs splits.validation_fraction above 0")
        if self.monitor != "validation" and held_out > 0:
            raise ValueError(
                f"monitor: {self.monitor} holds nothing out, but splits.validation_fraction is "
                f"{held_out:g}; set it to 0, or monitor: validation"
            )
        return self
