"""Sets of scenes, with objects or the class of each pixel: the user's, or those that stand in.

Those that stand in are made by rule ``prepare``: a folder laid out as the official set, and beside
it a file of checksums of everything in the folder, whose own checksum the catalog has.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

from reactivate.datasets.coco import Objects
from reactivate.datasets.segmentation_items import Segments
from reactivate.experiment.catalog.imagesets import FolderSet, SceneSet
from reactivate.experiment.paths import dataset_file
from reactivate.foundation.files import verify_checksum
from reactivate.preparation.coco_folder import read_coco, read_instances
from reactivate.preparation.folders import user_folder
from reactivate.preparation.materials_folder import SPLITS, read_materials
from reactivate.preparation.sums import content_sum


def scene_folder(name: str, wanted: SceneSet | FolderSet) -> Path:
    """The folder of a set; what stands in is checked, file by file.

    Raises:
        ValueError: It is not there, or a file of it was changed.
    """
    if isinstance(wanted, FolderSet):
        return user_folder(name, wanted)
    index = dataset_file(name)
    verify_checksum(index)
    folder = index.with_suffix("")
    for file, expected in load_file(index).items():
        path = folder / file
        if not path.is_file() or not np.array_equal(content_sum(path), expected):
            problem = "is not what was prepared" if path.is_file() else "does not exist"
            raise ValueError(f"{path} {problem}; delete {index} and make it again with snakemake")
    return folder


def detection_sets(name: str, wanted: SceneSet | FolderSet) -> Mapping[str, Objects]:
    """Pictures and objects of ``train`` and ``test``.

    Raises:
        ValueError: The set is not there, not in the form that is expected, or of another kind.
    """
    _check(name, wanted, ("coco",))
    return read_coco(scene_folder(name, wanted), wanted.classes, _place(wanted))


def true_instances(name: str, wanted: SceneSet | FolderSet) -> dict[str, Any]:
    """The annotations that detections of the test part are judged by."""
    _check(name, wanted, ("coco",))
    return read_instances(scene_folder(name, wanted), "test", _place(wanted))


def segmentation_sets(name: str, wanted: SceneSet | FolderSet) -> Mapping[str, Segments]:
    """Pictures and their classes of ``train`` and ``test``.

    Raises:
        ValueError: The set is not there, not in the form that is expected, or of another kind.
    """
    _check(name, wanted, tuple(SPLITS))
    folder = scene_folder(name, wanted)
    return read_materials(folder, wanted.classes, _place(wanted), SPLITS[wanted.format])


def _check(name: str, wanted: SceneSet | FolderSet, accepted: tuple[str, ...]) -> None:
    if wanted.format not in accepted:
        raise ValueError(
            f"{name} is of format {wanted.format}; accepted: {', '.join(accepted)}. "
            "Choose another dataset in config/papers"
        )


def _place(wanted: SceneSet | FolderSet) -> str:
    """What names the folder, for messages."""
    return wanted.variable if isinstance(wanted, FolderSet) else "data/prepared"
