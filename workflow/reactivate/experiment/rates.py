"""The form of a learning rate's way through a training: its schedule, and how it warms up."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from reactivate.experiment.numbers import Count, Increasing, NonNegative, Positive
from reactivate.foundation.configuration import Strict, added


class Constant(Strict):
    """A learning rate that stays the initial one."""

    kind: Literal["constant"]


class Milestones(Strict):
    """A learning rate that is multiplied by ``factor`` at each of the epochs ``at``."""

    kind: Literal["milestones"]
    at: Annotated[list[Count], Increasing] = Field(min_length=1)
    factor: float = Field(gt=0, lt=1)


class Decay(Strict):
    """A learning rate that falls to ``final``, straight or along half a cosine, and then stays."""

    kind: Literal["linear", "cosine"]
    final: Positive
    epochs: Count | None = None  # of the whole run if there is none
    every: Literal["step", "epoch"] = added("step")  # when it is set anew


class Piece(Strict):
    epochs: Count
    lr: Positive
    weight_decay: NonNegative


class Pieces(Strict):
    """A table of epochs, each with a rate and a weight decay of its own."""

    kind: Literal["pieces"]
    pieces: list[Piece] = Field(min_length=1)


class OnPlateau(Strict):
    """A learning rate times ``factor`` when an accuracy has not risen for ``patience`` epochs."""

    kind: Literal["plateau"]
    watch: Literal["top1", "top5"]
    factor: float = Field(gt=0, lt=1)
    patience: Count
    stop_patience: Count


Schedule = Annotated[
    Constant | Milestones | Decay | Pieces | OnPlateau, Field(discriminator="kind")
]


class WarmUp(Strict):
    """The first iterations or epochs: at the rate ``lr``, or rising from it to the initial one."""

    iterations: Count | None = None
    epochs: Count | None = None
    # iterations of an epoch of the printed run; needed where smaller data may stand in
    per_epoch: Count | None = added(None)
    lr: NonNegative
    rises: bool
    every: Literal["step", "epoch"] = added("step")  # when it is set anew

    @model_validator(mode="after")
    def _one_length(self) -> "WarmUp":
        if (self.iterations is None) == (self.epochs is None):
            raise ValueError("warm_up needs exactly one of iterations and epochs")
        if self.per_epoch is not None and self.iterations is None:
            raise ValueError("warm_up.per_epoch counts iterations, of which there are none")
        if self.every == "epoch" and self.epochs is None:
            raise ValueError("warm_up that rises every epoch needs epochs, not iterations")
        return self
