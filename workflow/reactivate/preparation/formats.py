"""Sets of images, read by the function of their format."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from reactivate.experiment.catalog.formats import FOLDER_FORMATS, IMAGE_FORMATS
from reactivate.experiment.catalog.imagesets import FolderSet, ImageSet
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


def read_folder(folder: Path, wanted: FolderSet) -> Iterator[Piece]:
    """The arrays of a set of images that the user supplies as a folder, piece by piece."""
    read: Callable[[Path, FolderSet], Iterator[Piece]] = FOLDER_FORMATS.load(wanted.format)
    return read(folder, wanted)
