"""The form of a measurement: what is asked of a trained network, as data."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from reactivate.experiment.cell import Name
from reactivate.experiment.names import hundredths, joined
from reactivate.experiment.numbers import Count, NonNegative, Positive, ProperShare
from reactivate.foundation.configuration import Strict, added


class Fgsm(Strict):
    """One step along the sign of the gradient."""

    name: Literal["fgsm"]
    epsilon: Positive  # of 255


class Pgd(Strict):
    """Steps along the gradient, each followed by a projection into the ball."""

    name: Literal["pgd"]
    epsilon: Positive  # of 255
    step: Positive  # of 255
    steps: Count
    norm: Literal["linf", "l2"] = "linf"
    start: Literal["none", "uniform", "gaussian"] = "none"


class Attack(Strict):
    """Accuracy of a network, and of its fixed paths, on images that an attack changed."""

    stage: Literal["attack"]
    attack: Annotated[Fgsm | Pgd, Field(discriminator="name")]
    images: Count | None = None  # the first ones; all if there is none
    paths: Literal["none", "document", "authors_code"] = "none"
    # average over all images, or over the last batches, as the author's running mean does
    window: Count | None = None  # images

    @property
    def says(self) -> str:
        """A few words on the measurement, for captions."""
        images = "all" if self.images is None else f"the first {self.images}"
        return f"{self.attack.name.upper()} {self.attack.epsilon:g}/255, {images} test images"


class Certification(Strict):
    """Distance from every image within which a smoothed network provably keeps its class."""

    stage: Literal["certify"]
    sigma: Positive  # of the noise, for pixels from 0 to 1
    n0: Count  # samples that choose the class
    n: Count  # samples that bound its probability
    alpha: float = Field(gt=0, lt=1)
    every: Count  # of the test images, counted from the first
    images: Count | None = None  # at most
    repress: ProperShare = 0.0  # eta_2
    variant: Literal["document", "authors_code", "sound"] = "document"
    where: Literal["all", "joined"] = "all"  # activations that are repressed
    # leave the n samples out where the n0 already miss: such an image counts nothing in any table
    skip_wrong: bool = False
    radii: list[NonNegative] = Field(min_length=1)  # at which the certified accuracy is taken
    # all n samples, as printed; or until every radius is decided, which leaves no average radius
    stopping: Literal["fixed", "anytime"] = added("fixed")

    @property
    def says(self) -> str:
        """A few words on the measurement, for captions."""
        images = "" if self.images is None else f", at most {self.images}"
        samples = f"n {self.n}" if self.stopping == "fixed" else f"anytime up to n {self.n}"
        return (
            f"n0 {self.n0}, {samples}, alpha {self.alpha:g}, every {self.every}. test image"
            + images
        )

    @model_validator(mode="after")
    def _choice_is_cheaper(self) -> "Certification":
        if self.n0 > self.n:
            raise ValueError(f"n0 is {self.n0}, more than n {self.n}; accepted: at most n")
        return self


class Reconstruction(Strict):
    """Share of what a pooled convolution reads that its features give back."""

    stage: Literal["reconstruct"]
    filters: Literal["learned", "random"]
    scope: Literal["region", "map"]  # one pooling region of an image, or whole feature maps
    images: Count | None = None  # the first ones; all if there is none
    tolerance: float = Field(gt=0, lt=1)  # of the least-squares problems
    steps: Count  # at most
    # what the document leaves open, and what was chosen
    open: dict[Name, str] = Field(default_factory=dict)

    @property
    def says(self) -> str:
        """A few words on the measurement, for captions."""
        images = "all" if self.images is None else f"the first {self.images}"
        scope = "one pooling region" if self.scope == "region" else "whole feature maps"
        return f"{scope} of {images} test images, {self.filters} filters"


AnyMeasurement = Attack | Certification | Reconstruction
Measurement = Annotated[AnyMeasurement, Field(discriminator="stage")]


class Fewer(Strict):
    """The settings of a measurement that a scale may lower."""

    images: Count | None = None
    window: Count | None = None
    every: Count | None = None
    n0: Count | None = None
    n: Count | None = None
    skip_wrong: bool | None = None
    stopping: Literal["fixed", "anytime"] | None = None


def certified_metric(radius: float) -> str:
    """Name of the certified accuracy at a radius.

    Example:
        >>> certified_metric(0.25), certified_metric(3)
        ('certified_025', 'certified_300')
    """
    return joined("certified", hundredths(radius))
