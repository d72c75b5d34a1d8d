"""Pictures and the class of each of their pixels, cut for training as KITTI-Materials' authors do.

Changes of a picture are Pillow's, as in kyotovision-public/RGB-Road-Scene-Material-Segmentation
2893118 (dataloaders/custom_transforms_adv.py); random amounts have the same distributions.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageFilter, ImageOps
from torch import Tensor
from torch.utils.data import Dataset

from reactivate.datasets.pictures import decode
from reactivate.datasets.streams import Numbered
from reactivate.foundation.seeding import generator

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet's pixels
IGNORED = 255  # label of pixels that do not count
SMALLEST, LARGEST = 0.5, 2.0  # factors on the base, of the shorter side
LABELS = ("L", "P")  # modes of pictures whose numbers are classes

Item = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Segments:
    """Pictures of one part of a set, and pictures of their classes under the same names.

    Attributes:
        images: The folder of the pictures.
        labels: The folder of the classes.
        names: File of each in both folders, ``(N,)``, as bytes: workers share its memory.
        classes: Number of classes.
    """

    images: Path
    labels: Path
    names: NDArray[np.bytes_]
    classes: int

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True)
class Cut:
    """Random changes of a training picture; none unless they are asked for.

    Args:
        crop: Side of the square that is cut out; None to leave the picture as it is.
        base: The shorter side becomes a random number from half of it to twice.
        flip: Probability of mirroring left and right.
        blur: Probability of a Gaussian blur, its radius uniform from 0 to 1 pixel.
        fill: Label of pixels that are added where a picture is smaller than the square; the
            authors add class 0.
    """

    crop: int | None = None
    base: int = 512
    flip: float = 0.0
    blur: float = 0.0
    fill: int = 0

    def __call__(
        self, picture: Image.Image, classes: Image.Image, random: torch.Generator
    ) -> tuple[Image.Image, Image.Image]:
        """A picture and its classes after flip, scale and crop, and blur, in this order."""
        if _uniform(random) < self.flip:
            picture, classes = ImageOps.mirror(picture), ImageOps.mirror(classes)
        if self.crop is not None:
            low, high = int(self.base * SMALLEST), int(self.base * LARGEST)
            shorter = _draw(low, high + 1, random)
            picture, classes = scaled(picture, classes, shorter)
            picture, classes = self._square(picture, classes, self.crop, random)
        if _uniform(random) < self.blur:
            picture = picture.filter(ImageFilter.GaussianBlur(_uniform(random)))
        return picture, classes

    def _square(
        self, picture: Image.Image, classes: Image.Image, side: int, random: torch.Generator
    ) -> tuple[Image.Image, Image.Image]:
        """A square anywhere in a picture, which is filled up right and below if it is smaller."""
        border = (0, 0, max(0, side - picture.width), max(0, side - picture.height))
        picture = ImageOps.expand(picture, border, 0)
        classes = ImageOps.expand(classes, border, self.fill)
        left = _draw(0, picture.width - side + 1, random)
        top = _draw(0, picture.height - side + 1, random)
        box = (left, top, left + side, top + side)
        return picture.crop(box), classes.crop(box)


class SegmentationItems(Dataset[Item]):
    """A normalised picture ``(3, H, W)`` and the classes of its pixels ``(H, W)``, int64.

    Args:
        segments: Pictures and their classes.
        cut: Random changes; ``Cut()`` for testing.
    """

    def __init__(self, segments: Segments, cut: Cut) -> None:
        self.segments = segments
        self.cut = cut

    def __len__(self) -> int:
        return len(self.segments)

    def __getitem__(self, asked: Numbered) -> Item:
        key, number = asked
        name = bytes(self.segments.names[number]).decode()
        path, labels = self.segments.images / name, self.segments.labels / name
        picture = Image.fromarray(decode(str(path), path.read_bytes()))
        classes = Image.fromarray(decode_labels(labels, self.segments.classes))
        if picture.size != classes.size:
            raise ValueError(
                f"{path} has {picture.size} pixels and {labels} {classes.size}; "
                "supply undamaged copies of both"
            )
        picture, classes = self.cut(picture, classes, generator(key, number, "cut"))
        pixels = torch.from_numpy(np.array(picture)).permute(2, 0, 1).float() / 255
        x = (pixels - torch.tensor(MEAN)[:, None, None]) / torch.tensor(STD)[:, None, None]
        return x.contiguous(), torch.from_numpy(np.array(classes)).long()


def decode_labels(path: Path, classes: int) -> NDArray[np.uint8]:
    """The class of each pixel ``(H, W)``, of a grey picture or one with a palette.

    Raises:
        ValueError: The file is no such picture, or has numbers that are no classes.
    """
    try:
        with Image.open(io.BytesIO(path.read_bytes())) as picture:
            mode, numbers = picture.mode, np.array(picture)
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"{path} is not a picture of classes: {error}") from None
    if mode not in LABELS:
        raise ValueError(
            f"{path} is a picture of mode {mode}; accepted: {' or '.join(LABELS)}, whose numbers "
            "are classes. Supply the official file"
        )
    wrong = numbers[(numbers >= classes) & (numbers != IGNORED)]
    if len(wrong):
        raise ValueError(
            f"{path} has the class {wrong[0]}; accepted: 0 to {classes - 1}, and {IGNORED} for "
            "pixels that do not count. Correct classes in config/datasets.yaml, or the file"
        )
    return numbers


def scaled(
    picture: Image.Image, classes: Image.Image, shorter: int
) -> tuple[Image.Image, Image.Image]:
    """Both with another shorter side: the picture bilinear, the classes by the nearest pixel."""
    width, height = picture.size
    if height > width:
        size = (shorter, int(height * shorter / width))
    else:
        size = (int(width * shorter / height), shorter)
    resampling = Image.Resampling
    return picture.resize(size, resampling.BILINEAR), classes.resize(size, resampling.NEAREST)


def pixel_counts(segments: Segments, numbers: Sequence[int] | None = None) -> Tensor:
    """Pixels of each class in the pictures of a part, ``(classes,)``, for the loss's weights."""
    counts = torch.zeros(segments.classes, dtype=torch.long)
    for number in range(len(segments)) if numbers is None else numbers:
        path = segments.labels / bytes(segments.names[number]).decode()
        found = torch.from_numpy(decode_labels(path, segments.classes)).long()
        counts += torch.bincount(found[found != IGNORED], minlength=segments.classes)
    return counts


def _uniform(random: torch.Generator) -> float:
    return float(torch.rand((), generator=random))


def _draw(low: int, high: int, random: torch.Generator) -> int:
    return int(torch.randint(low, high, (), generator=random))
