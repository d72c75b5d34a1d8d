"""CIFAR-10 read from its binary version, or from pictures that hold the same bytes."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactivate.datasets.pictures import decode
from reactivate.experiment.catalog.imagesets import ImageSet
from reactivate.preparation.archives import read_members
from reactivate.preparation.arrays import ImageArrays, check_official

TRAIN = [f"data_batch_{number}" for number in range(1, 6)]
TEST = "test_batch"
SIDE = 32
RECORD = 1 + 3 * SIDE * SIDE  # label, red, green and blue plane


def read_cifar10_bin(files: Mapping[str, Path], wanted: ImageSet) -> ImageArrays:
    """Images of the official binary archive: six ``.bin`` files of one record per image."""
    (archive,) = files.values()
    needed = {f"{batch}.bin" for batch in (*TRAIN, TEST)}
    members = {
        PurePosixPath(name).name: content
        for name, content in read_members(archive)
        if PurePosixPath(name).name in needed
    }
    if missing := sorted(needed - set(members)):
        raise ValueError(f"{archive.name} holds no {', '.join(missing)}; supply the official file")
    return _join({PurePosixPath(name).stem: content for name, content in members.items()}, wanted)


def read_cifar10_png(files: Mapping[str, Path], wanted: ImageSet) -> ImageArrays:
    """Images from one picture per batch, an image per row (32 x 32), and labels as JSON.

    The records of the binary version are made from them, so that the official md5 of each batch
    says whether the pictures hold the official pixels in the official order.
    """
    needed = [*(f"{batch}.png" for batch in (*TRAIN, TEST)), "train_lables.json"]
    if missing := [name for name in (*needed, "test_lables.json") if name not in files]:
        raise ValueError(
            f"the source has no {', '.join(missing)}; add it to files in config/datasets.yaml"
        )
    train = np.array_split(_labels(files["train_lables.json"]), len(TRAIN))
    test = _labels(files["test_lables.json"])
    batches = {}
    for batch, labels in zip((*TRAIN, TEST), (*train, test), strict=True):
        name = f"{batch}.png"
        batches[batch] = binary_records(name, decode(name, files[name].read_bytes()), labels)
    return _join(batches, wanted)


def binary_records(name: str, rows: NDArray[Any], labels: NDArray[np.uint8]) -> bytes:
    """Records as in the binary version: label byte, then the three colour planes.

    Args:
        name: Name of the picture, for the message.
        rows: Images ``(N, 32 * 32, 3)``.
        labels: Label of each image, ``(N,)``.
    """
    if rows.shape != (len(labels), SIDE * SIDE, 3):
        raise ValueError(
            f"{name} is {rows.shape[1]} x {rows.shape[0]} pixels for {len(labels)} labels; "
            f"expected {SIDE * SIDE} x {len(labels)}. Supply the official file"
        )
    planes = rows.transpose(0, 2, 1).reshape(len(rows), -1)
    return np.concatenate([labels[:, None], planes], axis=1).tobytes()


def _labels(path: Path) -> NDArray[np.uint8]:
    """The labels in a JSON file."""
    try:
        return np.array(json.loads(path.read_bytes())).astype(np.uint8, casting="same_value")
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{path.name} is not a list of labels: {error}; supply the official file"
        ) from None


def _join(batches: Mapping[str, bytes], wanted: ImageSet) -> ImageArrays:
    """Images of all batches, each checked against its official md5."""
    for batch, content in batches.items():
        check_official(f"{batch}.bin", content, wanted.official)
    images, labels = _records(batches[batch] for batch in TRAIN)
    return ImageArrays(images, labels, *_records([batches[TEST]]))


def _records(batches: Iterable[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Images and labels of records, in their order."""
    records = np.frombuffer(b"".join(batches), dtype=np.uint8).reshape(-1, RECORD)
    return records[:, 1:].reshape(-1, 3, SIDE, SIDE), records[:, 0].astype(np.int64)
