"""Check that the user's ImageNet folder has the usual form."""

import re
from pathlib import Path

from reactivate.experiment.catalog.imagesets import FolderSet

WNID = re.compile(r"n\d{8}")


def check_imagenet(folder: Path, wanted: FolderSet) -> None:
    """Does nothing if the folder is ``train/<wnid>/*.JPEG`` and ``val/<wnid>/*.JPEG``.

    Raises:
        ValueError: It is not; says what was found and what is expected.
    """
    names = {part: _classes(folder / part, wanted) for part in ("train", "val")}
    if odd := sorted(set(names["train"]) ^ set(names["val"])):
        raise ValueError(
            f"{folder} ({wanted.variable}): train and val differ in the classes {_some(odd)}; "
            "every class needs a folder in both"
        )


def _classes(part: Path, wanted: FolderSet) -> list[str]:
    expected = f"expected {wanted.classes} folders n01440764 and so on"
    if not part.is_dir():
        raise ValueError(
            f"{part} does not exist; {expected} in it. Set {wanted.variable} to the folder above"
        )
    entries = sorted(part.iterdir())
    names = [path.name for path in entries if path.is_dir() and WNID.fullmatch(path.name)]
    if len(names) != wanted.classes:
        files = sum(path.is_file() for path in entries)
        raise ValueError(
            f"{part} has {len(names)} class folders and {files} files; {expected}. "
            f"Sort the pictures into one folder per class, or correct {wanted.variable}"
        )
    if others := [path.name for path in entries if path.is_dir() and path.name not in names]:
        raise ValueError(f"{part} also has the folders {_some(others)}; {expected}. Remove them")
    counts = {name: sum(1 for _ in (part / name).glob("*.JPEG")) for name in names}
    if empty := [name for name, count in counts.items() if not count]:
        raise ValueError(
            f"{part} has no *.JPEG in {_some(empty)}; supply the whole set, "
            f"or correct {wanted.variable}"
        )
    images = wanted.train if part.name == "train" else wanted.test
    if sum(counts.values()) != images:
        raise ValueError(
            f"{part} has {sum(counts.values())} files *.JPEG, expected {images}; "
            f"supply the whole set, or correct {wanted.variable}"
        )
    return names


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
