"""Scenes made of real objects: small pictures pasted on a canvas, with exact boxes and masks."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

MOST = 5  # objects of a scene
SIDES = (20, 28, 40, 56, 80, 112, 148)  # of the longer side of an object
ATTEMPTS = 10  # to find a free place for an object
VISIBLE = 24  # numbers of an object's picture from here on belong to the object
DARKEST = 64  # number of its darkest pixel on the canvas, before its colour
BACKGROUND = (20, 90)  # numbers of the canvas, before noise
NOISE = 12  # largest number that is added to or taken from them
GRAIN = 4  # pixels of the noise's squares
COLOURS = (128, 256)


@dataclass(frozen=True)
class Scene:
    """A canvas with objects, none of which hides another.

    Attributes:
        image: ``(3, side, side)``, uint8.
        instances: Number of the object that each pixel shows, counted from 1; 0 for none.
        labels: Class of each object, ``(n,)``.
    """

    image: NDArray[np.uint8]
    instances: NDArray[np.uint8]
    labels: NDArray[np.int64]

    @property
    def boxes(self) -> NDArray[np.int64]:
        """Smallest box around the pixels of each object, ``x, y, width, height``, ``(n, 4)``."""
        found = []
        for number in range(1, len(self.labels) + 1):
            rows, columns = np.nonzero(self.instances == number)
            low, high = (columns.min(), rows.min()), (columns.max() + 1, rows.max() + 1)
            found.append((*low, high[0] - low[0], high[1] - low[1]))
        return np.array(found, dtype=np.int64).reshape(-1, 4)

    @property
    def classes(self) -> NDArray[np.uint8]:
        """Class of each pixel: 0 for the background, 1 + label of the object elsewhere."""
        return np.concatenate([[0], self.labels + 1]).astype(np.uint8)[self.instances]


def paste_scene(
    objects: NDArray[np.uint8],
    labels: NDArray[np.int64],
    side: int,
    random: torch.Generator,
) -> Scene:
    """A dark noisy canvas with one to five objects in colours and sizes of their own.

    Numbers are drawn and computed as integers, so a scene is the same on every machine.

    Args:
        objects: Grey pictures on black, ``(N, h, w)``.
        labels: Class of each, ``(N,)``.
        side: Height and width of the canvas.
        random: Where all choices are drawn from.

    Example:
        >>> square = np.full((1, 8, 8), 255, dtype=np.uint8)
        >>> scene = paste_scene(square, np.array([3]), 64, torch.Generator().manual_seed(0))
        >>> set(scene.labels.tolist()), bool((scene.boxes[:, 2] == scene.boxes[:, 3]).all())
        ({3}, True)
    """
    ground = np.array([_draw(*BACKGROUND, random) for _ in range(3)])[:, None, None]
    grains = torch.randint(-NOISE, NOISE + 1, [-(-side // GRAIN)] * 2, generator=random).numpy()
    noise = grains.repeat(GRAIN, 0).repeat(GRAIN, 1)[:side, :side]
    image = (ground + noise).astype(np.uint8)
    instances = np.zeros((side, side), dtype=np.uint8)
    shown: list[int] = []
    wanted = _draw(1, MOST + 1, random)
    sides = [longest for longest in SIDES if longest < side]
    while len(shown) < wanted:
        number, longest = _draw(0, len(objects), random), sides[_draw(0, len(sides), random)]
        seen = _resized(objects[number], longest)
        colour = np.array([_draw(*COLOURS, random) for _ in range(3)])
        for _ in range(ATTEMPTS):
            top = _draw(0, side - seen.shape[0] + 1, random)
            left = _draw(0, side - seen.shape[1] + 1, random)
            place = (slice(top, top + seen.shape[0]), slice(left, left + seen.shape[1]))
            if not instances[place].any():
                break
        else:
            wanted -= bool(shown)  # the canvas may be full; the first object always fits
            continue
        visible = seen >= VISIBLE
        light = DARKEST + seen[visible].astype(np.int64) * (255 - DARKEST) // 255
        image[:, place[0], place[1]][:, visible] = colour[:, None] * light // 255
        instances[place][visible] = len(shown) + 1
        shown.append(int(labels[number]))
    return Scene(image, instances, np.array(shown, dtype=np.int64))


def _draw(low: int, high: int, random: torch.Generator) -> int:
    return int(torch.randint(low, high, (), generator=random))


def _resized(picture: NDArray[np.uint8], longest: int) -> NDArray[np.uint8]:
    """An object cut out of its picture, its longer side as given, all edges visible."""
    seen = _cut(picture)
    scale = max(seen.shape)
    size = [max(1, round(length * longest / scale)) for length in reversed(seen.shape)]
    made = Image.fromarray(seen).resize((size[0], size[1]), Image.Resampling.BILINEAR)
    return _cut(np.asarray(made))


def _cut(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rows, columns = np.nonzero(picture >= VISIBLE)
    if not len(rows):
        raise ValueError(
            f"a picture of an object has no number of {VISIBLE} or more, so nothing can be seen; "
            "choose other objects"
        )
    return picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
