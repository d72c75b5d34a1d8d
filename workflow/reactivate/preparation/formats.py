"""Formats of image sets, and the function that reads images from each."""

from collections.abc import Callable, Mapping
from pathlib import Path

from reactivate.experiment.catalog.imagesets import Format, ImageSet
from reactivate.preparation.arrays import ImageArrays, check_arrays
from reactivate.preparation.cifar10 import read_cifar10_bin, read_cifar10_png
from reactivate.preparation.cifar100 import read_cifar100
from reactivate.preparation.idx import read_idx
from reactivate.preparation.sources import FetchedFiles
from reactivate.preparation.tiny_imagenet import read_tiny_imagenet

Reader = Callable[[Mapping[str, Path], ImageSet], ImageArrays]
READERS: dict[Format, Reader] = {
    "idx": read_idx,
    "cifar10_png": read_cifar10_png,
    "cifar10_bin": read_cifar10_bin,
    "cifar100_pickle": read_cifar100,
    "tiny_imagenet": read_tiny_imagenet,
}


def read_images(fetched: FetchedFiles, wanted: ImageSet) -> ImageArrays:
    """The arrays of a set of images, checked against the catalog's sizes."""
    arrays = READERS[fetched.source.format](fetched.paths, wanted)
    check_arrays(arrays, wanted, wanted.shape, str(fetched.source))
    return arrays
