"""The form of an observation: records made while a network trains, and how often."""

from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, Field, FiniteFloat

from reactivate.foundation.configuration import Strict


def _increasing(points: list[float]) -> list[float]:
    if not all(low < high for low, high in pairwise(points)):
        raise ValueError(f"breakpoints {points} do not increase; accepted: increasing numbers")
    return points


Breakpoints = Annotated[
    list[FiniteFloat], Field(min_length=1, max_length=126), AfterValidator(_increasing)
]


class Early(Strict):
    """A closer look at the first steps."""

    every: int = Field(ge=1)
    until: int = Field(ge=1)


class Observation(Strict):
    """Records of all runs of a recipe; steps are the printed ones, stretched with the schedule.

    What is looked at is fixed in advance: the same test images, pairs and neurons in every run.
    """

    every: int = Field(ge=1)  # steps between two records
    early: Early | None = None
    images: int = Field(ge=2)  # test images over which neuron entropy is taken
    pairs: int = Field(ge=1)  # of these images, with different labels, for pattern similarity
    samples: int = Field(ge=1)  # of these images whose pre- and post-activations are recorded
    neurons: int = Field(ge=1)  # of each layer, at most, for pre- and post-activations
    # by activation: sets of breakpoints with which similarity is taken, beside its own
    breakpoints: dict[str, list[Breakpoints]] = Field(default_factory=dict)
    each_step: bool = False  # weights and gradients are means over all steps since the last record
    open: dict[str, str] = Field(default_factory=dict)  # what the document leaves open


class Sparser(Strict):
    """The settings of an observation that a smaller scale may change."""

    every: int | None = Field(default=None, ge=1)
    early: Early | None = None
    images: int | None = Field(default=None, ge=2)
    pairs: int | None = Field(default=None, ge=1)
