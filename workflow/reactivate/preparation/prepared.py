"""Prepared datasets, loaded after a check that they are the ones that were prepared."""

from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor

from reactivate.datasets.images import ImageData
from reactivate.experiment.catalog.catalog import dataset
from reactivate.foundation.files import verify_checksum

PREPARED = Path("data/prepared")


def load_prepared(name: str, folder: Path = PREPARED) -> tuple[Tensor, Tensor]:
    """Features ``(N, d)`` and targets ``(N, 1)`` of a prepared dataset, float64.

    Raises:
        ValueError: The file is missing or is not the one its checksum file records.
    """
    tensors = _load(name, folder)[1]
    return tensors["x"], tensors["y"]


def load_images(name: str, folder: Path = PREPARED) -> ImageData:
    """Images and labels of a prepared set.

    Raises:
        ValueError: The file is missing, not the one its checksum file records, or a table.
    """
    path, tensors = _load(name, folder)
    expected = sorted(ImageData.__annotations__)
    if sorted(tensors) != expected:
        raise ValueError(
            f"{path} holds {', '.join(sorted(tensors))}, expected {', '.join(expected)}; "
            "choose a dataset of kind images in config/datasets.yaml"
        )
    return ImageData(**tensors)


def _load(name: str, folder: Path) -> tuple[Path, dict[str, Tensor]]:
    """The file of a prepared dataset, and the tensors that it holds."""
    path = folder / f"{name}.safetensors"
    actual = verify_checksum(path)
    if folder == PREPARED:
        check_prepared(name, actual)
    return path, load_file(path)


def check_prepared(name: str, checksum: str) -> None:
    """Raises unless data are those that the catalogue describes.

    Images that the user supplies have no checksum there: folders of them differ.

    Raises:
        ValueError: They are others; both checksums are shown.
    """
    expected = getattr(dataset(name), "prepared", checksum)
    if checksum != expected:
        raise ValueError(
            f"the prepared dataset {name!r} has sha256 {checksum}, but the catalogue says "
            f"{expected}: these are other data. Delete {PREPARED / name}.* and make them again "
            "with snakemake"
        )
