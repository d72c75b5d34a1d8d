"""The folder that holds a dataset the user has to bring."""

import os
from pathlib import Path

from reactivate.experiment.catalog.imagesets import FolderSet


def user_folder(name: str, wanted: FolderSet) -> Path:
    """The folder that the variable of a dataset names.

    Args:
        name: Of the dataset, for messages.
        wanted: Its catalog entry.

    Raises:
        ValueError: The variable is not set, or names no folder.
    """
    given = os.environ.get(wanted.variable)
    if not given:
        raise ValueError(
            f"{name} may not be passed on and has to be supplied: {wanted.variable} is not set. "
            f"Set it to the folder that holds {wanted.title} (data/README.md says in what form)"
        )
    folder = Path(given).expanduser()
    if not folder.is_dir():
        problem = "is not a folder" if folder.exists() else "does not exist"
        raise ValueError(
            f"{wanted.variable} is {given!r}, which {problem}; "
            f"set it to the folder that holds {wanted.title}"
        )
    return folder
