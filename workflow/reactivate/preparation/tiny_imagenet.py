"""Tiny ImageNet read from its archive: JPEG files in one folder per class."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from reactivate.datasets.pictures import decode
from reactivate.experiment.catalog.imagesets import ImageSet
from reactivate.preparation.archives import read_members
from reactivate.preparation.arrays import ImageArrays

ANNOTATIONS = "val/val_annotations.txt"


def read_tiny_imagenet(files: Mapping[str, Path], wanted: ImageSet) -> ImageArrays:
    """Training images by class and name, validation images in the order of their annotations.

    The label of a class is the position of its WordNet id in alphabetical order. The validation
    part takes the place of a test set, for the official one has no labels.
    """
    (archive,) = files.values()
    members = {
        str(PurePosixPath(*PurePosixPath(name).parts[1:])): content  # without the first folder
        for name, content in read_members(archive)
    }
    train = sorted(name for name in members if _is_training_image(name))
    classes = sorted({PurePosixPath(name).parts[1] for name in train})
    pairs = [(name, PurePosixPath(name).parts[1]) for name in train]
    validation = _annotated(members, archive.name)
    for name, wnid in validation:
        if name not in members or wnid not in classes:
            what = "picture" if name not in members else f"class {wnid}"
            raise ValueError(
                f"{archive.name}: {ANNOTATIONS} names {name} of class {wnid}, but there is no "
                f"such {what}; supply the whole archive"
            )
    return ImageArrays(
        *_decoded(pairs, members, classes, wanted), *_decoded(validation, members, classes, wanted)
    )


def _is_training_image(name: str) -> bool:
    """Whether a name in the archive is that of a training image."""
    parts = PurePosixPath(name).parts
    return len(parts) == 4 and (parts[0], parts[2]) == ("train", "images")


def _annotated(members: Mapping[str, bytes], archive: str) -> list[tuple[str, str]]:
    """Name and class of every validation image, in the order of the annotations."""
    if ANNOTATIONS not in members:
        raise ValueError(f"{archive} holds no {ANNOTATIONS}; supply the whole archive")
    lines = [line.split("\t") for line in members[ANNOTATIONS].decode().splitlines() if line]
    if short := [line for line in lines if len(line) < 2]:
        raise ValueError(
            f"{archive}: {ANNOTATIONS} has the line {short[0][0]!r}; "
            "expected picture, class and box separated by tabs. Supply the official file"
        )
    return [(f"val/images/{line[0]}", line[1]) for line in lines]


def _decoded(
    pairs: list[tuple[str, str]],
    members: Mapping[str, bytes],
    classes: list[str],
    wanted: ImageSet,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Decoded images, and the labels of their classes."""
    images = np.empty((len(pairs), *wanted.shape), dtype=np.uint8)
    for image, (name, _) in zip(images, pairs, strict=True):
        picture = decode(name, members[name]).transpose(2, 0, 1)
        if picture.shape != wanted.shape:
            raise ValueError(
                f"{name} has shape {picture.shape}, expected {wanted.shape}; "
                "supply the official file, or correct shape in config/datasets.yaml"
            )
        image[:] = picture
    return images, np.array([classes.index(wnid) for _, wnid in pairs], dtype=np.int64)
