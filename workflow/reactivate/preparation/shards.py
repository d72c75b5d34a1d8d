"""ImageNet packed into a few hundred large files, each picture byte for byte as it was.

A file system serves a thousand large files faster than a million small ones, and the pictures
that are decoded are the same. The files are tar archives as WebDataset reads them (a picture and
its label, ``.cls``, under one name), so other tools can use them; here the index says where each
picture is, and they are read in any order.
"""

import hashlib
import io
import json
import sys
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from reactivate.datasets.picture_sets import FolderPictures, ShardPictures
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.foundation.files import (
    recorded_checksum,
    verify_checksum,
    write_atomically,
    write_with_checksum,
)
from reactivate.preparation.folders import PARTS

INDEX = "index.safetensors"
PER_SHARD = 10_000  # pictures: about 1 GB
FORMAT: Literal[0] = tarfile.USTAR_FORMAT


def pack(
    sets: dict[str, FolderPictures], wanted: FolderSet, out: Path, per_shard: int = PER_SHARD
) -> dict[str, str]:
    """Writes the archives of both parts and, last, their index; whole archives are not redone.

    Args:
        sets: The pictures of ``train`` and ``val``.
        wanted: What the catalog says of the set.
        out: The folder of the archives.
        per_shard: Pictures of one archive.

    Returns:
        The SHA-256 of every archive.
    """
    tensors: dict[str, Tensor] = {}
    checksums: dict[str, str] = {}
    for part, pictures in sets.items():
        numbers = torch.split(torch.arange(len(pictures.labels)), per_shard)
        places = []
        for shard, chosen in enumerate(numbers):
            path = out / f"{part}-{shard:06}.tar"
            places.append(_shard(path, pictures, chosen.tolist(), len(checksums)))
            checksums[path.name] = recorded_checksum(path)
            print(f"{path.name} of {len(numbers)}: {len(chosen)} pictures", file=sys.stderr)
        tensors[f"{part}_places"] = torch.cat(places)
        tensors[f"{part}_labels"] = pictures.labels.clone()
    told = {"shards": json.dumps(list(checksums)), "set": wanted.fingerprint()}
    with write_with_checksum(out / INDEX) as written:
        save_file(tensors, written, told)
    return checksums


def packed_pictures(folder: Path, wanted: FolderSet) -> dict[str, ShardPictures] | None:
    """The pictures of ``train`` and ``val`` from archives; None if they were not packed.

    Raises:
        ValueError: The index is damaged, or of another set than the catalog's.
    """
    path = folder / INDEX
    if not path.exists():
        return None
    verify_checksum(path)
    with safe_open(path, "pt") as opened:
        told = opened.metadata()
    if told["set"] != wanted.fingerprint():
        raise ValueError(
            f"{path} is of another set than {wanted.title} as config/datasets.yaml describes it; "
            f"delete {folder} and pack it again"
        )
    tensors, shards = load_file(path), json.loads(told["shards"])
    return {
        part: ShardPictures(folder, shards, tensors[f"{part}_places"], tensors[f"{part}_labels"])
        for part in PARTS
    }


def _shard(path: Path, pictures: FolderPictures, numbers: list[int], shard: int) -> Tensor:
    """Writes an archive, unless a whole one is there; returns the places of its pictures."""
    kept = path.with_suffix(".places.safetensors")
    names = hashlib.sha256(pictures.names[numbers].tobytes()).hexdigest()
    if kept.exists() and _is_whole(path):
        with safe_open(kept, "pt") as opened:
            if opened.metadata() == {"names": names}:
                found: Tensor = opened.get_tensor("places")
                return found
    with write_with_checksum(path) as part, tarfile.open(part, "w", format=FORMAT) as archive:
        rows = [[shard, *place] for place in _add(archive, pictures, numbers)]
    places = torch.tensor(rows)
    with write_atomically(kept) as part:
        save_file({"places": places}, part, {"names": names})
    return places


def _is_whole(path: Path) -> bool:
    """Whether an archive is there, with its checksum."""
    try:
        verify_checksum(path)
    except ValueError:
        return False
    return True


def _add(
    archive: tarfile.TarFile, pictures: FolderPictures, numbers: list[int]
) -> Iterator[tuple[int, int, int]]:
    """Adds pictures and labels to an archive; yields first byte, length and CRC-32 of each."""
    for number in numbers:
        path, content = pictures.read(number)
        name = Path(path).relative_to(pictures.folder).as_posix()
        label = str(int(pictures.labels[number])).encode()
        info = _member(name, len(content))
        yield archive.offset + len(info.tobuf(FORMAT)), len(content), zlib.crc32(content)
        archive.addfile(info, io.BytesIO(content))
        archive.addfile(_member(f"{name.rpartition('.')[0]}.cls", len(label)), io.BytesIO(label))


def _member(name: str, size: int) -> tarfile.TarInfo:
    """An entry of an archive, the same whenever and by whomever it is made."""
    info = tarfile.TarInfo(name)
    info.size = size
    return info
