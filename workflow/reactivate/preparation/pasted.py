"""Scenes that stand in for an official set, of the objects of another one."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from reactivate.datasets.pasting import Scene, paste_scene
from reactivate.experiment.catalog.imagesets import SceneSet
from reactivate.foundation.seeding import generator
from reactivate.preparation.arrays import ImageArrays


def pasted_scenes(arrays: ImageArrays, wanted: SceneSet) -> dict[str, Iterator[Scene]]:
    """The scenes of ``train`` and ``test``, each of objects of that part only.

    Sets of the same objects and side have the same scenes, whatever their format.

    Args:
        arrays: The objects, with one channel.
        wanted: Catalog entry of the set.
    """
    return {
        "train": _pasted(arrays.train_images, arrays.train_labels, "train", wanted.train, wanted),
        "test": _pasted(arrays.test_images, arrays.test_labels, "test", wanted.test, wanted),
    }


def _pasted(
    images: NDArray[np.uint8], labels: NDArray[np.int64], part: str, count: int, wanted: SceneSet
) -> Iterator[Scene]:
    for number in range(count):
        random = generator("scenes", wanted.objects, wanted.side, part, number)
        yield paste_scene(images[:, 0], labels, wanted.side, random)
