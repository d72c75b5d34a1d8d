"""The form of a recipe that trains an image network: what a document prints of it, as data."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from reactivate.experiment.cell import Name
from reactivate.experiment.changes import Changes, Pictures
from reactivate.experiment.measurements import Fgsm, Pgd
from reactivate.experiment.numbers import (
    Count,
    CountOrZero,
    NonNegative,
    Positive,
    ProperShare,
    Rate,
    Several,
    Share,
)
from reactivate.experiment.rates import OnPlateau, Pieces, Schedule, WarmUp
from reactivate.foundation.configuration import Strict, added


class Sgd(Strict):
    name: Literal["sgd"]
    momentum: ProperShare
    weight_decay: NonNegative
    nesterov: bool = added(False)
    spares_vectors: bool = added(
        False
    )  # parameters of one dimension: no weight decay, but for those
    but: list[str] = added([])  # whose names end so


class Adam(Strict):
    name: Literal["adam"]
    weight_decay: NonNegative


class AdamW(Strict):
    """Adam whose weight decay is no part of the gradient."""

    name: Literal["adamw"]
    weight_decay: NonNegative
    # of the learning rate, of parameters whose names begin so
    factors: dict[Name, Positive] = Field(default_factory=dict)


class Training(Strict):
    """The recipe by which an image network is trained and measured."""

    stage: Literal["train"]
    optimizer: Annotated[Sgd | Adam | AdamW, Field(discriminator="name")]
    lr: dict[Name, Rate]  # by parameterization, and `default`
    schedule: Schedule
    warm_up: WarmUp | None = None
    batch_size: Count
    whole_batches: bool = added(
        False
    )  # images that do not fill the last batch of an epoch are left out
    epochs: Count | None = None
    iterations: Count | None = None
    label_smoothing: ProperShare = 0.0
    normalise: Literal["mean_std", "mean"]
    augmentation: Changes = Changes()
    pictures: Pictures | None = None
    side: Count | None = None  # images are averaged down to this side
    seeds: Count
    folds: Several | None = None  # seed n leaves fold n out
    ten_crop: bool = False  # measure with the average over ten crops, too
    measure_train: bool = False  # measure the final network on its training images, too
    mixed_precision: bool = True  # where there is a GPU
    # by activation, and `default`: initial weights, unless the model says which
    initialization: dict[Name, str] | None = added(None)
    # what the document leaves open, what was chosen, and where the choice is from
    open: dict[Name, str] = Field(default_factory=dict)

    def batches(self, images: int) -> int:
        """Number of batches of an epoch with so many images."""
        whole, rest = divmod(images, self.batch_size)
        return max(1, whole if self.whole_batches else whole + bool(rest))

    @model_validator(mode="after")
    def _lengths_fit(self) -> "Training":
        if (self.epochs is None) == (self.iterations is None):
            raise ValueError("a recipe needs exactly one of epochs and iterations")
        if self.folds is not None and self.seeds > self.folds:
            raise ValueError(f"seeds is {self.seeds}, but there are only {self.folds} folds")
        if isinstance(self.schedule, Pieces):
            printed = sum(piece.epochs for piece in self.schedule.pieces)
            if printed != self.epochs:
                raise ValueError(f"schedule.pieces last {printed} epochs, epochs is {self.epochs}")
        if isinstance(self.schedule, OnPlateau) and self.epochs is None:
            raise ValueError("schedule plateau needs epochs, not iterations")
        return self


PruningProtocol = Literal["document", "authors_code"]


class Pruning(Strict):
    """Removal of parameters while a network trains: which, when and by what score, as printed."""

    blend: Literal[
        "weight",
        "entropy_weighted",
        "harmonic_mean",
        "normalised_product",
        "standardised_product",
        "sum",
        "random",
    ]
    sparsity: ProperShare
    every: Count | None  # epochs between prunings; null: one, before fine-tuning
    fine_tune: CountOrZero  # epochs at the end
    scope: Literal["layer", "network"] = "layer"  # the same share of each, or one threshold
    protocol: PruningProtocol = "document"

    @model_validator(mode="after")
    def _protocol_has_blend(self) -> "Pruning":
        if (self.protocol, self.blend) == ("authors_code", "standardised_product"):
            raise ValueError(f"the author's program has no blend {self.blend}; choose another")
        return self


class Pruned(Training):
    """The recipe of an image network that loses parameters while it trains."""

    stage: Literal["prune"]  # type: ignore[assignment]  # tells the two apart
    pruning: Pruning

    @model_validator(mode="after")
    def _prunes_in_time(self) -> "Pruned":
        if self.epochs is None:
            raise ValueError("pruning is counted in epochs; give epochs, not iterations")
        last = self.epochs - self.pruning.fine_tune
        if last <= (self.pruning.every or 0):
            raise ValueError(
                f"epochs {self.epochs} without fine_tune {self.pruning.fine_tune} leave none to "
                f"prune every {self.pruning.every or self.epochs}; lower fine_tune or every"
            )
        return self


class Standard(Strict):
    """Training on images as they are; :mod:`reactivate.defences` has this and all that follow."""

    name: Literal["std"]


class Noise(Strict):
    """Training on images with Gaussian noise."""

    name: Literal["noise"]
    sigma: Positive  # deviation, for pixels from 0 to 1; so are those below


class SmoothAdv(Strict):
    """Training on noisy images that attack the smoothed classifier."""

    name: Literal["smoothadv"]
    sigma: Positive
    epsilon: Positive  # l2, for pixels from 0 to 1
    steps: Count
    copies: Count
    warm_up: Count  # epochs


class SmoothMix(Strict):
    """Training on noisy copies, mixed with images that the smoothed classifier is wrong about."""

    name: Literal["smoothmix"]
    sigma: Positive
    step: Positive  # l2, for pixels from 0 to 1
    steps: Count
    copies: Count
    eta: Positive
    warm_up: Count  # epochs


class Consistency(Strict):
    """Training on noisy copies that shall be classified alike."""

    name: Literal["consistency"]
    sigma: Positive
    weight: Positive  # lambda
    entropy: Positive  # eta
    copies: Several


class Scrfp2(Strict):
    """Training on images with Gaussian noise that reforms float or fixed paths."""

    name: Literal["scrfp2"]
    sigma: Positive
    eta: float = Field(gt=-1, lt=1)  # eta_1
    paths: Literal["float", "fixed"]
    protocol: Literal["document", "authors_code"]


class Defended(Training):
    """The recipe of an image network that is trained with a defence, on images from 0 to 1."""

    stage: Literal["defend"]  # type: ignore[assignment]  # tells the two apart
    defence: Annotated[
        Standard | Noise | Fgsm | Pgd | SmoothAdv | SmoothMix | Consistency | Scrfp2,
        Field(discriminator="name"),
    ]

    @model_validator(mode="after")
    def _images_stay_images(self) -> "Defended":
        for key in ("lighting", "erasing"):
            if getattr(self.augmentation, key):
                raise ValueError(f"augmentation.{key} takes pixels out of [0, 1]; remove it")
        if self.label_smoothing:
            raise ValueError("label_smoothing is not heeded beside a defence; remove it")
        return self


class Start(Strict):
    """The runs of a network of classes whose weights a backbone starts from.

    Activation, parameterization and seed are those of the network that has the backbone.
    """

    dataset: Name
    model: Name
    recipe: Name


class Detected(Training):
    """The recipe of a network that finds objects in pictures."""

    stage: Literal["detect"]  # type: ignore[assignment]  # tells the two apart
    backbone: Start


class Segmented(Training):
    """The recipe of a network that tells the class of every pixel."""

    stage: Literal["segment"]  # type: ignore[assignment]  # tells the two apart
    backbone: Start
    balanced: bool  # pixels of rare classes count more in the loss
    # side of what is cut out of training pictures, whose shorter side is half to twice of it
    crop: Count
    blur: Share  # share of training pictures that are blurred
