"""The form of config/scales.yaml; anything else is an error."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from reactivate.experiment.measurements import Fewer
from reactivate.experiment.observations import Sparser
from reactivate.experiment.schema import Image
from reactivate.foundation.configuration import Strict

PRINTED_SCALE = "paper"  # it is the printed protocol


def _by_parameterization(factor: Any) -> Any:
    return {"default": factor} if isinstance(factor, int | float) else factor


# as the rates of a recipe: one for all, or by parameterization with a default
LrFactor = Annotated[
    dict[str, Annotated[float, Field(gt=0, le=10)]], BeforeValidator(_by_parameterization)
]


class Limits(Strict):
    """What a scale may change of a recipe."""

    data_fraction: float | None = Field(default=None, gt=0, le=1)
    width: float | None = Field(default=None, gt=0)
    epochs: int | None = Field(default=None, ge=1)
    batch_size: int | None = Field(default=None, ge=1)
    lr_factor: LrFactor | None = None  # of image networks
    dropout_factor: float | None = Field(default=None, ge=0, le=1)  # of networks that take it
    seeds: int | None = Field(default=None, ge=1)
    draws: int | None = Field(default=None, ge=1)

    def narrowed(self, model: Image) -> Image:
        """The network at the width of the scale, with dropout to match."""
        changed: dict[str, Any] = {"width": model.width * (self.width or 1.0)}
        if self.dropout_factor is not None:
            changed["arguments"] = model.arguments | {"dropout_factor": self.dropout_factor}
        return model.model_copy(update=changed)


class Selection(Strict):
    """Which part of an exhibit a scale runs."""

    protocols: list[str] | None = None
    rows: list[str] | None = None
    columns: list[str] | None = None


class Reach(Strict):
    """What a machine can run of a scale: of image networks, only what is selected here."""

    says: str
    exhibits: dict[str, dict[str, Selection]] = Field(default_factory=dict)


class Scale(Strict):
    says: str
    recipes: dict[str, dict[str, Limits]] = Field(default_factory=dict)
    exhibits: dict[str, dict[str, Selection]] = Field(default_factory=dict)
    # of analyses, by paper and exhibit
    settings: dict[str, dict[str, dict[str, int | float | str]]] = Field(default_factory=dict)
    observations: dict[str, dict[str, Sparser]] = Field(default_factory=dict)
    measurements: dict[str, dict[str, Fewer]] = Field(default_factory=dict)
    stand_ins: dict[str, str] = Field(default_factory=dict)  # dataset -> the one used instead
    reaches: dict[str, Reach] = Field(default_factory=dict)
