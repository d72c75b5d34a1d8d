"""Pack a set of pictures of the user's into a few large files, which are read much faster."""

from pathlib import Path

from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.foundation.arguments import named_arguments
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_json
from reactivate.preparation.folders import user_folder
from reactivate.preparation.listing import listed_pictures
from reactivate.preparation.shards import pack


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.pack --dataset NAME --out INDEX``."""
    name, out = named_arguments(__doc__, "dataset", "out")
    pack_set(name, Path(out))


def pack_set(name: str, index: Path) -> None:
    """Writes archives, their index and its checksum, and a record with their checksums.

    Raises:
        ValueError: The set is not one of pictures that are streamed.
    """
    wanted = dataset(name)
    if not isinstance(wanted, FolderSet) or wanted.format != "imagenet":
        raise ValueError(
            f"{name} cannot be packed; accepted: sets of format imagenet. Others are prepared "
            f"(snakemake data/prepared/{name}.safetensors) or read as they are"
        )
    folder = index.parent
    sets = listed_pictures(user_folder(name, wanted), wanted, folder)
    shards = pack(sets, wanted, folder)
    record = {"dataset": name, "title": wanted.title, "licence": wanted.licence}
    counts = {"train": wanted.train, "test": wanted.test, "classes": wanted.classes}
    source = {"kind": "folder", "variable": wanted.variable}
    tail = {"sha256": sha256(index), "shards": shards, "source": source}
    write_json(index.with_suffix(".json"), record | counts | tail)


if __name__ == "__main__":
    main()
