"""Small folders laid out as COCO and as KITTI-Materials, written without the project's code."""

import json
import random

import numpy as np
from PIL import Image

COUNTS = {"train2017": 5, "val2017": 3}
COLOURS = [(200, 40, 40), (40, 200, 40), (40, 40, 200)]


def canvas(rng, width, height):
    """A noisy picture, and one to three boxes of one colour each: x, y, width, height, class."""
    noise = np.array([rng.randrange(60) for _ in range(width * height * 3)], dtype=np.uint8)
    pixels = noise.reshape(height, width, 3)
    boxes = []
    for _ in range(rng.randint(1, 3)):
        w, h = rng.randint(8, width // 2), rng.randint(8, height // 2)
        x, y, kind = rng.randrange(width - w), rng.randrange(height - h), rng.randrange(3)
        pixels[y : y + h, x : x + w] = COLOURS[kind]
        boxes.append((x, y, w, h, kind))
    return pixels, boxes


def write_coco(folder, counts=None, size=(64, 48)):
    """Pictures of two parts, and their annotations; numbers of categories have gaps, as COCO's."""
    numbers = [number for number in range(1, 91) if number % 9][:80]
    (folder / "annotations").mkdir(parents=True)
    for part, count in (counts or COUNTS).items():
        rng = random.Random(part)
        (folder / part).mkdir()
        images, annotations = [], []
        for number in range(1, count + 1):
            width, height = size if number % 2 else size[::-1]
            pixels, boxes = canvas(rng, width, height)
            name = f"{number:012}.jpg"
            Image.fromarray(pixels).save(folder / part / name, quality=95)
            images.append({"id": number, "file_name": name, "width": width, "height": height})
            for x, y, w, h, kind in boxes:
                annotations.append(
                    {
                        "id": len(annotations) + 1,
                        "image_id": number,
                        "category_id": numbers[30 * kind],
                        "bbox": [x, y, w, h],
                        "area": w * h,
                        "iscrowd": 0,
                    }
                )
        categories = [{"id": number, "name": f"kind {number}"} for number in numbers]
        content = {"images": images, "annotations": annotations, "categories": categories}
        (folder / "annotations" / f"instances_{part}.json").write_text(json.dumps(content))


def write_materials(folder, counts=None, size=(72, 40)):
    """Pictures, the classes of their pixels, and the lists of the first split."""
    rng = random.Random("materials")
    for name in ("train/image_2", "train/semantic", "list_folder1"):
        (folder / name).mkdir(parents=True)
    for file, count in (counts or {"train.txt": 5, "val.txt": 3}).items():
        names = [f"{file.removesuffix('.txt')}_{number}" for number in range(count)]
        for name in names:
            pixels, boxes = canvas(rng, *size)
            classes = np.full(pixels.shape[:2], 19, dtype=np.uint8)
            for x, y, w, h, kind in boxes:
                classes[y : y + h, x : x + w] = kind
            classes[0] = 255  # pixels that do not count
            Image.fromarray(pixels).save(folder / f"train/image_2/{name}.png")
            Image.fromarray(classes).save(folder / f"train/semantic/{name}.png")
        (folder / "list_folder1" / file).write_text("".join(f"{name}\n" for name in names))
