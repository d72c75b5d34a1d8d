"""The form of an observation: records made while a network trains, and how often."""

from itertools import pairwise
from typing import Annotated

from pydantic import Field

from reactivate.experiment.cell import Name
from reactivate.experiment.numbers import Count, Increasing, Real, Several
from reactivate.foundation.configuration import Strict


def _increasing(points: list[float]) -> list[float]:
    if not all(low < high for low, high in pairwise(points)):
        raise ValueError(f"breakpoints {points} do not increase; accepted: increasing numbers")
    return points


Breakpoints = Annotated[list[Real], Field(min_length=1, max_length=126), Increasing]


class Early(Strict):
    """A closer look at the first steps."""

    every: Count
    until: Count


class Observation(Strict):
    """Records of all runs of a recipe; steps are the printed ones, stretched with the schedule.

    What is looked at is fixed in advance: the same test images, pairs and neurons in every run.
    """

    every: Count  # steps between two records
    early: Early | None = None
    images: Several  # test images over which neuron entropy is taken
    pairs: Count  # of these images, with different labels, for pattern similarity
    samples: Count  # of these images whose pre- and post-activations are recorded
    neurons: Count  # of each layer, at most, for pre- and post-activations
    # by activation: sets of breakpoints with which similarity is taken, beside its own
    breakpoints: dict[Name, list[Breakpoints]] = Field(default_factory=dict)
    each_step: bool = False  # weights and gradients are means over all steps since the last record
    open: dict[Name, str] = Field(default_factory=dict)  # what the document leaves open


class Sparser(Strict):
    """The settings of an observation that a smaller scale may change."""

    every: Count | None = None
    early: Early | None = None
    images: Several | None = None
    pairs: Count | None = None
