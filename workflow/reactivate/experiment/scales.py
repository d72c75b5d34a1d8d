"""The form of a scale, and of what it changes of a paper; anything else is an error."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from reactivate.experiment.cell import Name, Pattern
from reactivate.experiment.measurements import Fewer
from reactivate.experiment.numbers import Argument, Count, Positive, Setting, Share
from reactivate.experiment.observations import Sparser
from reactivate.experiment.paper import Image
from reactivate.foundation.configuration import Strict

PRINTED_SCALE = "paper"  # it is the printed protocol


def _by_name(value: Any) -> Any:
    return {"default": value} if isinstance(value, int | float) else value


# as the rates of a recipe: one for all, or by parameterization with a default
LrFactor = Annotated[dict[Name, Annotated[float, Field(gt=0, le=10)]], BeforeValidator(_by_name)]
# one number for all, or by activation with a default
Seeds = Annotated[dict[Name, Count], BeforeValidator(_by_name)]


class Limits(Strict):
    """The changes that a scale may make to a recipe."""

    data_fraction: float | None = Field(default=None, ge=1e-5, le=1)
    test_fraction: float | None = Field(default=None, ge=1e-5, le=1)  # None: the same
    tests: Literal["end"] | None = None  # when an image network is tested; None: every epoch
    width: Positive | None = None
    epochs: Count | None = None
    batch_size: Count | None = None
    lr_factor: LrFactor | None = None  # of image networks
    dropout_factor: Share | None = None  # of networks that take it
    crop: Count | None = None  # of networks that tell classes of pixels
    arguments: dict[Name, Argument] = Field(default_factory=dict)  # of the network
    seeds: Seeds | None = None

    def seeds_of(self, activation: str) -> int | None:
        """The number of seeds of cells with an activation; None for as many as printed."""
        return None if self.seeds is None else self.seeds.get(activation, self.seeds["default"])

    @property
    def given(self) -> dict[str, Any]:
        """Arguments of the network that the scale changes."""
        dropout = {} if self.dropout_factor is None else {"dropout_factor": self.dropout_factor}
        return self.arguments | dropout

    def narrowed(self, model: Image) -> Image:
        """The network at the width of the scale, with the arguments that the scale changes."""
        changed: dict[str, Any] = {"width": model.width * (self.width or 1.0)}
        if self.given:
            changed["arguments"] = model.arguments | self.given
        return model.model_copy(update=changed)


class Selection(Strict):
    """The part of an exhibit that a scale runs; what is not named is run whole."""

    protocols: list[str] | None = None
    rows: list[str] | None = None
    columns: list[str] | None = None

    def holds(self, protocol: str, row: str, column: str) -> bool:
        """Whether a number of the exhibit is in this part of it."""
        asked = ((self.protocols, protocol), (self.rows, row), (self.columns, column))
        return all(names is None or name in names for names, name in asked)


class PaperScale(Strict):
    """The changes that a scale makes to one paper; see the paper's ``scales.yaml``."""

    recipes: dict[Pattern, Limits] = Field(default_factory=dict)
    exhibits: dict[Name, Selection] = Field(default_factory=dict)
    settings: dict[Name, dict[Name, Setting]] = Field(default_factory=dict)  # of analyses
    observations: dict[Pattern, Sparser] = Field(default_factory=dict)
    measurements: dict[Pattern, Fewer] = Field(default_factory=dict)
    # of image networks, all that machines of a kind can run
    reaches: dict[Name, dict[Name, Selection]] = Field(default_factory=dict)


class Scale(Strict):
    """The purpose of a scale, and the datasets that stand in for those that must be supplied."""

    says: str
    stand_ins: dict[Name, str] = Field(default_factory=dict)  # dataset -> the one used instead
    reaches: dict[Name, str] = Field(default_factory=dict)  # kind of machine -> what it can run
