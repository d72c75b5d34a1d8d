"""Folders laid out as COCO 2017: read where the user has one, written for what stands in."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from reactivate.datasets.coco import Objects, read_objects
from reactivate.datasets.pasting import Scene
from reactivate.experiment.catalog.imagesets import SceneSet
from reactivate.preparation.arrays import ImageArrays
from reactivate.preparation.pasted import pasted_scenes
from reactivate.preparation.sums import Sums

PARTS = {"train": "train2017", "test": "val2017"}


def annotation_file(folder: Path, part: str) -> Path:
    """The annotations of a part.

    Example:
        >>> annotation_file(Path("coco"), "test").as_posix()
        'coco/annotations/instances_val2017.json'
    """
    return folder / "annotations" / f"instances_{PARTS[part]}.json"


def read_instances(folder: Path, part: str, variable: str) -> dict[str, Any]:
    """The annotations of a part, parsed.

    Args:
        folder: The folder that holds ``annotations``, ``train2017`` and ``val2017``.
        part: ``train`` or ``test``, of which the second is COCO's validation part.
        variable: Names the folder, for messages.

    Raises:
        ValueError: The folder has another form, or the file is damaged.
    """
    path = annotation_file(folder, part)
    expected = "expected annotations/instances_*2017.json, train2017 and val2017"
    for needed in (path, folder / PARTS[part]):
        if not needed.exists():
            raise ValueError(
                f"{needed} does not exist; {expected} in {folder}. Correct {variable}"
            )
    try:
        instances = json.loads(path.read_bytes())
    except ValueError as error:
        raise ValueError(
            f"{path} is not JSON: {error}; supply an undamaged copy in {variable}"
        ) from None
    if not isinstance(instances, dict):
        raise ValueError(f"{path} holds no JSON object; supply the official file in {variable}")
    return instances


def read_coco(folder: Path, classes: int, variable: str) -> dict[str, Objects]:
    """Pictures and objects of both parts.

    Raises:
        ValueError: The folder has another form, or another number of classes.
    """
    sets = {}
    for part in PARTS:
        instances = read_instances(folder, part, variable)
        try:
            read = read_objects(folder / PARTS[part], instances, training=part == "train")
        except ValueError as error:
            raise ValueError(f"{annotation_file(folder, part)}: {error}") from None
        if len(read.categories) != classes:
            raise ValueError(
                f"{annotation_file(folder, part)} has {len(read.categories)} categories, expected "
                f"{classes}; supply the official file in {variable}, or correct classes in "
                "config/datasets.yaml"
            )
        sets[part] = read
    return sets


def write_coco(
    folder: Path, arrays: ImageArrays, wanted: SceneSet
) -> dict[str, NDArray[np.uint8]]:
    """Writes scenes of objects as pictures and annotations; returns sums of their content."""
    sums = Sums(folder)
    for part, made in pasted_scenes(arrays, wanted).items():
        images, annotations = [], list[dict[str, Any]]()
        for number, scene in enumerate(made, start=1):
            name = f"{number:012}.png"
            height, width = scene.instances.shape
            picture = Image.fromarray(scene.image.transpose(1, 2, 0))
            sums.save_picture(f"{PARTS[part]}/{name}", picture)
            images.append({"id": number, "file_name": name, "width": width, "height": height})
            annotations += _annotations(scene, number, len(annotations) + 1)
        categories = [
            {"id": label, "name": name, "supercategory": wanted.objects}
            for label, name in enumerate(wanted.names, start=1)
        ]
        info = {"description": f"objects of {wanted.objects}, {part} part"}
        together = {"info": info, "licenses": [], "images": images, "annotations": annotations}
        text = json.dumps({**together, "categories": categories}, separators=(",", ":"))
        sums.save_text(annotation_file(Path(), part).as_posix(), text + "\n")
    return sums.found


def _annotations(scene: Scene, image: int, first: int) -> list[dict[str, Any]]:
    """Annotations of the objects of a scene, numbered from ``first`` on."""
    made = []
    for position, (label, box) in enumerate(zip(scene.labels, scene.boxes, strict=True)):
        mask = scene.instances == position + 1
        made.append(
            {
                "id": first + position,
                "image_id": image,
                "category_id": int(label) + 1,
                "bbox": box.tolist(),
                "area": int(mask.sum()),
                "iscrowd": 0,
                "segmentation": {"size": list(mask.shape), "counts": run_lengths(mask)},
            }
        )
    return made


def run_lengths(mask: NDArray[np.bool_]) -> list[int]:
    """Lengths of runs of equal pixels, column after column, the first of pixels outside.

    Example:
        >>> run_lengths(np.array([[False, True], [True, True]]))
        [1, 3]
    """
    flat = mask.ravel(order="F")
    changes = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    ends = np.concatenate([[0] if flat[0] else [], changes, [len(flat)]])
    lengths: list[int] = np.diff(ends, prepend=0).astype(int).tolist()
    return lengths
