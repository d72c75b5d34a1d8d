"""The form of what a recipe does to images before a network reads them."""

from typing import Literal

from pydantic import Field, model_validator

from reactivate.experiment.numbers import Count, CountOrZero, NonNegative, Share
from reactivate.foundation.configuration import Strict, added


class Operations(Strict):
    """Random operations; see :class:`reactivate.datasets.rand_augment.RandAugment`."""

    layers: Count
    magnitude: float = Field(ge=0, le=10)
    deviation: NonNegative
    probability: Share


class Rectangles(Strict):
    """Rectangles of noise; see :class:`reactivate.datasets.erasing.RandomErasing`."""

    probability: Share
    count: Count


class Changes(Strict):
    """Changes of training images; see :class:`reactivate.datasets.augment.Augmentation`."""

    padding: CountOrZero = 0
    flip: Share = 0.0
    shift: CountOrZero = 0
    degrees: NonNegative = 0.0
    lighting: NonNegative = 0.0  # deviation of the colour shift along its axes
    rand_augment: Operations | None = added(None)  # after crop and flip
    erasing: Rectangles | None = added(None)  # of normalised images


class Pictures(Strict):
    """The way from pictures of any size to inputs; images of one size are cut in proportion."""

    size: Count
    resize: Count
    train: Literal["random_resized_crop", "random_crop", "scale_jitter"]
    largest: Count | None = None  # of scale_jitter: resize up to this
    # of training pictures, and of those that are measured; random is one of the others
    interpolation: Literal["bilinear", "bicubic", "random"] = added("bilinear")
    test_interpolation: Literal["bilinear", "bicubic"] = added("bilinear")
    # a departure from any document, to read faster: JPEGs are decoded at 1/2, 1/4 or 1/8 of their
    # size as long as both sides keep so many pixels
    shortest: Count | None = added(None)

    @model_validator(mode="after")
    def _jitter_has_a_range(self) -> "Pictures":
        if (self.train == "scale_jitter") != (self.largest is not None):
            raise ValueError("largest belongs to train: scale_jitter, and only to it")
        if self.size > self.resize:
            raise ValueError(f"size {self.size} cannot be cut out of resize {self.resize}")
        least = self.largest or self.resize
        if self.shortest is not None and self.shortest < least:
            raise ValueError(f"shortest {self.shortest} is less than what is cut from: {least}")
        return self
