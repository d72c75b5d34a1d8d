"""Sets of images that are too large to be prepared."""

from pathlib import Path
from typing import NoReturn

from reactivate.experiment.catalog.imagesets import FolderSet


def refuse_streamed(_: Path, wanted: FolderSet) -> NoReturn:
    """Raises, because the images are read from the user's folder while a network is trained.

    Raises:
        ValueError: Always.
    """
    raise ValueError(
        f"{wanted.title} is too large to be prepared; "
        f"it is read from {wanted.variable} while training"
    )
