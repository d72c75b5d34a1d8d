"""Folders that hold a dataset the user has to bring, and the usual form of ImageNet's."""

import os
import re
from pathlib import Path

from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.foundation.workplace import of_project

PARTS = ("train", "val")
ENDING = ".JPEG"
WNID = re.compile(r"n\d{8}")  # a class of WordNet


def user_folder(name: str, wanted: FolderSet) -> Path:
    """The folder that the variable of a dataset names.

    Args:
        name: Name of the dataset, for messages.
        wanted: Catalog entry of the dataset.

    Raises:
        ValueError: The variable is not set, or names no folder.
    """
    given = os.environ.get(wanted.variable)
    if not given:
        raise ValueError(
            f"{name} may not be passed on and has to be supplied: {wanted.variable} is not set. "
            f"Set it to the folder that holds {wanted.title} (data/README.md says in what form)"
        )
    folder = of_project(Path(given).expanduser())
    if not folder.is_dir():
        problem = "is not a folder" if folder.exists() else "does not exist"
        raise ValueError(
            f"{wanted.variable} is {given!r}, which {problem}; "
            f"set it to the folder that holds {wanted.title}"
        )
    return folder


def imagenet_files(folder: Path, wanted: FolderSet) -> dict[str, dict[str, list[str]]]:
    """Names of the pictures of ``train/<wnid>/*.JPEG`` and ``val/<wnid>/*.JPEG``, sorted.

    Returns:
        The names by part and class.

    Raises:
        ValueError: The folder has another form; the message says which, and what is expected.
    """
    files = {part: _files(folder / part, wanted) for part in PARTS}
    if odd := sorted(set(files["train"]) ^ set(files["val"])):
        raise ValueError(
            f"{folder} ({wanted.variable}): train and val differ in the classes {_some(odd)}; "
            "every class needs a folder in both"
        )
    return files


def _files(part: Path, wanted: FolderSet) -> dict[str, list[str]]:
    """Names of the pictures of each class in a part of ImageNet, which must be complete."""
    expected = f"expected {wanted.classes} folders n01440764 and so on"
    if not part.is_dir():
        raise ValueError(
            f"{part} does not exist; {expected} in it. Set {wanted.variable} to the folder above"
        )
    folders = {path.name for path in part.iterdir() if path.is_dir()}
    names = sorted(name for name in folders if WNID.fullmatch(name))
    if len(names) != wanted.classes:
        beside = sum(path.is_file() for path in part.iterdir())
        raise ValueError(
            f"{part} has {len(names)} class folders and {beside} files; {expected}. "
            f"Sort the pictures into one folder per class, or correct {wanted.variable}"
        )
    if others := sorted(folders.difference(names)):
        raise ValueError(f"{part} also has the folders {_some(others)}; {expected}. Remove them")
    files = {
        name: sorted(file.name for file in os.scandir(part / name) if file.name.endswith(ENDING))
        for name in names
    }
    if empty := [name for name, own in files.items() if not own]:
        raise ValueError(
            f"{part} has no *{ENDING} in {_some(empty)}; supply the whole set, "
            f"or correct {wanted.variable}"
        )
    images = wanted.train if part.name == "train" else wanted.test
    if (count := sum(map(len, files.values()))) != images:
        raise ValueError(
            f"{part} has {count} files *{ENDING}, expected {images}; "
            f"supply the whole set, or correct {wanted.variable}"
        )
    return files


def _some(names: list[str]) -> str:
    """The first of many names, and how many more there are."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
