"""Sets of images, read by the function of their format; scenes are written by it."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.formats import FOLDER_FORMATS, IMAGE_FORMATS, SCENE_FORMATS
from reactivate.experiment.catalog.imagesets import FolderSet, ImageSet, SceneSet
from reactivate.preparation.arrays import ImageArrays, check_arrays
from reactivate.preparation.sources import FetchedFiles
from reactivate.preparation.tensor_files import Piece


def read_images(fetched: FetchedFiles, wanted: ImageSet) -> ImageArrays:
    """The arrays of a set of images, checked against the catalog's sizes."""
    read: Callable[[Mapping[str, Path], ImageSet], ImageArrays]
    read = IMAGE_FORMATS.load(fetched.source.format)
    arrays = read(fetched.paths, wanted)
    check_arrays(arrays, wanted, wanted.shape, str(fetched.source))
    return arrays


def write_scenes(
    folder: Path, objects: ImageArrays, wanted: SceneSet
) -> dict[str, NDArray[np.uint8]]:
    """Writes the folder of a set of scenes anew; returns sums of the content of its files."""
    write: Callable[[Path, ImageArrays, SceneSet], dict[str, NDArray[np.uint8]]]
    write = SCENE_FORMATS.load(wanted.format)
    if folder.exists():
        shutil.rmtree(folder)
    return write(folder, objects, wanted)


def read_folder(folder: Path, wanted: FolderSet) -> Iterator[Piece]:
    """The arrays of a set of images that the user supplies as a folder, piece by piece."""
    read: Callable[[Path, FolderSet], Iterator[Piece]] = FOLDER_FORMATS.load(wanted.format)
    return read(folder, wanted)
