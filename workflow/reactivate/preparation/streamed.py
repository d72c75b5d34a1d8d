"""Sets of images that are too large to be prepared: their pictures are read one by one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NoReturn

from reactivate.datasets.picture_sets import PictureSet
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.experiment.paths import streamed_folder
from reactivate.preparation.folders import user_folder
from reactivate.preparation.listing import listed_pictures
from reactivate.preparation.shards import packed_pictures

TEST = "val"  # the official validation pictures: there are no labels of others


def streamed_pictures(
    name: str, wanted: FolderSet
) -> Mapping[Literal["train", "test"], PictureSet]:
    """The pictures of both parts: from archives where they were packed, or the user's folder.

    Raises:
        ValueError: Neither is there, or not in the form that is expected.
    """
    kept = streamed_folder(name)
    sets: Mapping[str, PictureSet] | None = packed_pictures(kept, wanted)
    if sets is None:
        sets = listed_pictures(user_folder(name, wanted), wanted, kept)
    return {"train": sets["train"], "test": sets[TEST]}


def refuse_streamed(_: Path, wanted: FolderSet) -> NoReturn:
    """Raises, because the images are read from the user's folder while a network is trained.

    Raises:
        ValueError: Always.
    """
    raise ValueError(
        f"{wanted.title} is too large to be prepared; "
        f"it is read from {wanted.variable} while training"
    )
