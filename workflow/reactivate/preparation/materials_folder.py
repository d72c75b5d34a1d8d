"""Folders laid out as KITTI-Materials: read where the user has one, written for what stands in."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from reactivate.datasets.segmentation_items import Segments
from reactivate.experiment.catalog.imagesets import SceneSet
from reactivate.preparation.arrays import ImageArrays
from reactivate.preparation.pasted import pasted_scenes
from reactivate.preparation.sums import Sums

LISTS = {"train": "train.txt", "test": "val.txt"}
IMAGES, LABELS = "train/image_2", "train/semantic"
SPLITS = {"kitti_materials": "list_folder1", "kitti_materials_split2": "list_folder2"}


def read_materials(
    folder: Path, classes: int, variable: str, split: str = "list_folder1"
) -> dict[str, Segments]:
    """Pictures and classes of both parts of a split.

    Reference:
        Layout: kyotovision-public/RGB-Road-Scene-Material-Segmentation 2893118,
        dataloaders/datasets/kitti_advanced.py.

    Args:
        folder: The folder that holds ``train/image_2``, ``train/semantic`` and the lists.
        classes: Number of classes.
        variable: Names the folder, for messages.
        split: The folder of ``train.txt`` and ``val.txt``, which list names without ``.png``.

    Raises:
        ValueError: The folder has another form, or a listed picture is not there.
    """
    sets = {}
    for part, file in LISTS.items():
        path = folder / split / file
        if not path.is_file():
            raise ValueError(
                f"{path} does not exist; expected {IMAGES}, {LABELS} and {split} with "
                f"{' and '.join(LISTS.values())} in {folder}. Correct {variable}"
            )
        names = [f"{line.strip()}.png" for line in path.read_text().splitlines() if line.strip()]
        for name in names:
            for inside in (IMAGES, LABELS):
                if not (folder / inside / name).is_file():
                    raise ValueError(
                        f"{path} lists {name}, but {folder / inside / name} does not exist; "
                        f"supply the whole set in {variable}"
                    )
        if not names:
            raise ValueError(f"{path} lists no pictures; supply the official file in {variable}")
        listed = np.array([name.encode() for name in names], dtype=np.bytes_)
        sets[part] = Segments(folder / IMAGES, folder / LABELS, listed, classes)
    return sets


def write_materials(
    folder: Path, arrays: ImageArrays, wanted: SceneSet
) -> dict[str, NDArray[np.uint8]]:
    """Writes scenes of objects as pictures, classes and lists; returns sums of their content."""
    sums = Sums(folder)
    for part, made in pasted_scenes(arrays, wanted).items():
        names = []
        for number, scene in enumerate(made, start=1):
            names.append(f"{part}_{number:06}")
            picture = Image.fromarray(scene.image.transpose(1, 2, 0))
            sums.save_picture(f"{IMAGES}/{names[-1]}.png", picture)
            sums.save_picture(f"{LABELS}/{names[-1]}.png", Image.fromarray(scene.classes))
        listed = "".join(f"{name}\n" for name in names)
        sums.save_text(f"{SPLITS[wanted.format]}/{LISTS[part]}", listed)
    return sums.found
