"""Decoding of one picture; a corrupt one is an error that names it."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError


def decode(name: str, content: bytes, shortest: int | None = None) -> NDArray[Any]:
    """The picture as RGB ``(H, W, 3)``, uint8.

    Args:
        name: Name of the file, for the message.
        content: A whole file in any format that Pillow reads.
        shortest: Where it is given, a JPEG is decoded at 1/2, 1/4 or 1/8 of its size, the smallest
            whose sides both have so many pixels; this is faster, and gives other pixels.

    Raises:
        ValueError: The bytes are not a picture, or not a whole one.
    """
    try:
        with Image.open(io.BytesIO(content)) as picture:
            if shortest is not None:
                picture.draft("RGB", (shortest, shortest))
            return np.asarray(picture if picture.mode == "RGB" else picture.convert("RGB"))
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        reason = "its format is not known" if "identify" in str(error) else error
        raise ValueError(
            f"{name} ({len(content)} bytes) is not a picture that can be read: {reason}; "
            "supply an undamaged copy"
        ) from None
