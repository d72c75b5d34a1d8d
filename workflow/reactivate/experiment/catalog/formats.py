"""Formats of datasets, by the name used in catalogs, and the function that reads each."""

from typing import Annotated

from pydantic import AfterValidator

from reactivate.foundation.registry import Registry

WHERE = "workflow/reactivate/experiment/catalog/formats.py"

# A function (path, layout) gives the rows of a table.
TABLE_FORMATS = Registry(
    "table format",
    {
        "csv": "reactivate.preparation.delimited:comma_rows",
        "semicolon": "reactivate.preparation.delimited:semicolon_rows",
        "tab": "reactivate.preparation.delimited:tab_rows",
        "whitespace": "reactivate.preparation.delimited:whitespace_rows",
        "xlsx": "reactivate.preparation.spreadsheet:sheet_rows",
    },
    where=WHERE,
)

# A function (files by name, catalog entry) gives the arrays of a set of images.
IMAGE_FORMATS = Registry(
    "image format",
    {
        "idx": "reactivate.preparation.idx:read_idx",
        "cifar10_png": "reactivate.preparation.cifar10:read_cifar10_png",
        "cifar10_bin": "reactivate.preparation.cifar10:read_cifar10_bin",
        "cifar100_pickle": "reactivate.preparation.cifar100:read_cifar100",
        "tiny_imagenet": "reactivate.preparation.tiny_imagenet:read_tiny_imagenet",
    },
    where=WHERE,
)

# A function (folder, catalog entry) gives the arrays of images that the user supplies, in pieces.
FOLDER_FORMATS = Registry(
    "folder format",
    {
        "imagenet32": "reactivate.preparation.imagenet32:read_imagenet32",
        "imagenet": "reactivate.preparation.streamed:refuse_streamed",
        "coco": "reactivate.preparation.streamed:refuse_streamed",
        "kitti_materials": "reactivate.preparation.streamed:refuse_streamed",
        "kitti_materials_split2": "reactivate.preparation.streamed:refuse_streamed",
    },
    where=WHERE,
)

# A function (folder, arrays of objects, catalog entry) writes scenes of them as an official set is
# laid out, and gives checksums of what it wrote.
SCENE_FORMATS = Registry(
    "scene format",
    {
        "coco": "reactivate.preparation.coco_folder:write_coco",
        "kitti_materials": "reactivate.preparation.materials_folder:write_materials",
    },
    where=WHERE,
)


def known_in(registry: Registry) -> AfterValidator:
    """Validator of a field that holds a name of a registry.

    Example:
        >>> known_in(TABLE_FORMATS).func("csv")
        'csv'
    """

    def check(name: str) -> str:
        registry.target(name)
        return name

    return AfterValidator(check)


TableFormat = Annotated[str, known_in(TABLE_FORMATS)]
ImageFormat = Annotated[str, known_in(IMAGE_FORMATS)]
FolderFormat = Annotated[str, known_in(FOLDER_FORMATS)]
SceneFormat = Annotated[str, known_in(SCENE_FORMATS)]
