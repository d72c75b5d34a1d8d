"""Files of a folder, and checksums of what they say, however it is compressed."""

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

PICTURE = ".png"


class Sums:
    """Writes files below a folder, and keeps the SHA-256 of the content of each.

    Of a picture it is that of its pixels: encoders of other versions write other bytes.

    Args:
        folder: All names start from it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found = dict[str, NDArray[np.uint8]]()

    def save_picture(self, name: str, picture: Image.Image) -> None:
        """Writes a picture without loss."""
        picture.save(self._place(name))
        self.found[name] = content_sum(self.folder / name)

    def save_text(self, name: str, text: str) -> None:
        """Writes a text."""
        self._place(name).write_text(text, encoding="utf-8")
        self.found[name] = content_sum(self.folder / name)

    def _place(self, name: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def content_sum(path: Path) -> NDArray[np.uint8]:
    """The SHA-256 of a file's bytes; of a picture, of its mode, size and pixels. ``(32,)``."""
    if path.suffix == PICTURE:
        with Image.open(path) as picture:
            content = f"{picture.mode} {picture.size} ".encode() + picture.tobytes()
    else:
        content = path.read_bytes()
    return np.frombuffer(hashlib.sha256(content).digest(), dtype=np.uint8)
