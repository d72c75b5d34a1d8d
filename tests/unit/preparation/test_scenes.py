"""Scenes that stand in, and folders of the user's, are read by the same code."""

import hashlib
import json
import shutil
import struct
import warnings

import numpy as np
import pytest
import yaml
from PIL import Image
from pycocotools import mask as coco_masks
from reactivate.experiment.catalog import entries
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet, SceneSet
from reactivate.experiment.paths import dataset_file
from reactivate.foundation.files import write_checksum
from reactivate.preparation.arrays import ImageArrays
from reactivate.preparation.coco_folder import run_lengths
from reactivate.preparation.formats import write_scenes
from reactivate.preparation.idx import FILES
from reactivate.preparation.scenes import (
    detection_sets,
    scene_folder,
    segmentation_sets,
    true_instances,
)
from reactivate.stages.prepare import prepare as stage
from safetensors.numpy import load_file, save_file

SCENES = {
    "kind": "scenes",
    "title": "Toy",
    "licence": "none",
    "objects": "toys",
    "names": ["disc", "bar"],
    "side": 64,
    "train": 4,
    "test": 3,
    "prepared": "0" * 64,
}
TABLE = {"title": "Table", "licence": "none", "rows": 1, "features": 1, "target": "t"}
TABLE |= {
    "prepared": "0" * 64,
    "sources": [{"kind": "mirror", "file": "t.csv", "sha256": "0" * 64}],
}
TABLE["sources"][0]["read"] = {"format": "csv"}
FOLDER = {"kind": "folder", "title": "Toy", "licence": "none", "variable": "REACTIVATE_TOY_SET"}


def scenes(layout, classes):
    return SceneSet.model_validate(SCENES | {"format": layout, "classes": classes})


def folder_set(layout, classes):
    sizes = {"format": layout, "classes": classes, "train": 4, "test": 3}
    return FolderSet.model_validate(FOLDER | sizes)


def toys():
    y, x = np.mgrid[:28, :28] - 13.5
    pictures = np.stack([x**2 + y**2 < 100, (abs(x) < 4) & (abs(y) < 12)])[:, None]
    images, labels = (pictures * 255).astype(np.uint8), np.array([0, 1])
    return ImageArrays(images, labels, images, labels)


def prepare(wanted, name):
    """As the stage does it, in the folder of work."""
    index = dataset_file(name)
    sums = write_scenes(index.with_suffix(""), toys(), wanted)
    save_file({key: value.copy() for key, value in sums.items()}, index)
    write_checksum(index)
    return index


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def decoded(segmentation):
    """The mask that COCO's own tool sees."""
    height, width = segmentation["size"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of numpy, on the tool's own arrays
        encoded = coco_masks.frPyObjects(segmentation, height, width)
        return coco_masks.decode(encoded).astype(bool)


def test_scenes_are_written_in_cocos_format_with_exact_boxes_and_masks():
    wanted = scenes("coco", 2)
    folder = prepare(wanted, "toy").with_suffix("")
    sets = detection_sets("toy", wanted)
    assert {part: len(objects) for part, objects in sets.items()} == {"train": 4, "test": 3}
    truth = true_instances("toy", wanted)
    assert [category["name"] for category in truth["categories"]] == ["disc", "bar"]
    for annotation in truth["annotations"]:
        mask = decoded(annotation["segmentation"])
        rows, columns = np.nonzero(mask)
        x, y = int(columns.min()), int(rows.min())
        extent = [x, y, int(columns.max()) + 1 - x, int(rows.max()) + 1 - y]
        assert annotation["bbox"] == extent
        assert annotation["area"] == mask.sum()
        with Image.open(folder / "val2017" / f"{annotation['image_id']:012}.png") as picture:
            shown = np.asarray(picture).max(2)
        assert shown[mask].mean() > shown[~mask].mean()
    ours = sets["test"]
    assert sum(len(ours.target(n)["boxes"]) for n in range(3)) == len(truth["annotations"])


def test_both_formats_have_the_same_scenes():
    """The classes of pixels are those of the masks, and the pictures are the same."""
    prepare(scenes("coco", 2), "objects")
    materials = scenes("kitti_materials", 3)
    prepare(materials, "materials")
    truth = true_instances("objects", scenes("coco", 2))
    test = segmentation_sets("materials", materials)["test"]
    assert test.names.tolist() == [b"test_000001.png", b"test_000002.png", b"test_000003.png"]
    for number, name in enumerate(test.names, start=1):
        expected = np.zeros((64, 64), dtype=np.uint8)
        for annotation in truth["annotations"]:
            if annotation["image_id"] == number:
                expected[decoded(annotation["segmentation"])] = annotation["category_id"]
        with Image.open(test.labels / name.decode()) as picture:
            assert np.array_equal(np.asarray(picture), expected)
        with (
            Image.open(test.images / name.decode()) as first,
            Image.open(f"data/prepared/objects/val2017/{number:012}.png") as second,
        ):
            assert first.tobytes() == second.tobytes()


def test_scenes_of_both_parts_differ():
    prepare(scenes("coco", 2), "toy")
    pictures = [
        Image.open(f"data/prepared/toy/{part}/000000000001.png").tobytes()
        for part in ("train2017", "val2017")
    ]
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("val2017/000000000002.png", "delete", "000000000002.png does not exist; delete"),
        ("val2017/000000000002.png", "edit", "000000000002.png is not what was prepared"),
        ("annotations/instances_val2017.json", "edit", "is not what was prepared"),
    ],
)
def test_scenes_that_were_changed_are_refused(file, change, message):
    wanted = scenes("coco", 2)
    path = prepare(wanted, "toy").with_suffix("") / file
    if change == "delete":
        path.unlink()
    elif path.suffix == ".png":
        Image.new("RGB", (64, 64)).save(path)
    else:
        path.write_text(path.read_text() + " ")
    with pytest.raises(ValueError, match=message):
        scene_folder("toy", wanted)


def test_scenes_are_made_anew_without_what_was_there():
    wanted = scenes("coco", 2)
    folder = prepare(wanted, "toy").with_suffix("")
    (folder / "odd.txt").write_text("left over")
    prepare(wanted, "toy")
    assert not (folder / "odd.txt").exists()
    scene_folder("toy", wanted)


def test_a_recompressed_picture_is_the_same():
    wanted = scenes("coco", 2)
    path = prepare(wanted, "toy").with_suffix("") / "val2017/000000000001.png"
    with Image.open(path) as picture:
        copy = picture.copy()
    before = path.read_bytes()
    copy.save(path, compress_level=1)
    assert path.read_bytes() != before
    scene_folder("toy", wanted)


def test_a_folder_of_the_users_is_read_by_the_same_code(monkeypatch):
    prepare(scenes("coco", 2), "objects")
    prepare(scenes("kitti_materials", 3), "materials")
    for layout, name, classes, read in (
        ("coco", "objects", 2, detection_sets),
        ("kitti_materials", "materials", 3, segmentation_sets),
    ):
        monkeypatch.setenv("REACTIVATE_TOY_SET", f"data/prepared/{name}")
        sets = read("toy", folder_set(layout, classes))
        assert {part: len(own) for part, own in sets.items()} == {"train": 4, "test": 3}


@pytest.mark.parametrize(
    ("layout", "name", "file", "message"),
    [
        ("coco", "objects", "annotations/instances_val2017.json", "Correct REACTIVATE_TOY_SET"),
        ("coco", "objects", "val2017", "val2017 does not exist; expected annotations"),
        ("kitti_materials", "materials", "list_folder1/val.txt", "expected train/image_2"),
        (
            "kitti_materials",
            "materials",
            "train/semantic/test_000002.png",
            "lists test_000002.png",
        ),
    ],
)
def test_a_folder_of_another_form_is_refused(monkeypatch, layout, name, file, message):
    made = scenes(layout, 3)
    path = prepare(made, name).with_suffix("") / file
    path.unlink() if path.is_file() else path.rename(path.with_name("other"))
    monkeypatch.setenv("REACTIVATE_TOY_SET", f"data/prepared/{name}")
    read = detection_sets if layout == "coco" else segmentation_sets
    with pytest.raises(ValueError, match=message):
        read("toy", folder_set(layout, 2))


def test_a_second_split_has_lists_of_its_own(monkeypatch):
    folder = prepare(scenes("kitti_materials", 3), "materials").with_suffix("")
    (folder / "list_folder1").rename(folder / "list_folder2")
    monkeypatch.setenv("REACTIVATE_TOY_SET", str(folder))
    assert len(segmentation_sets("toy", folder_set("kitti_materials_split2", 3))["train"]) == 4
    with pytest.raises(ValueError, match="list_folder1"):
        segmentation_sets("toy", folder_set("kitti_materials", 3))


def test_another_number_of_classes_and_damaged_annotations_are_refused(monkeypatch):
    folder = prepare(scenes("coco", 2), "objects").with_suffix("")
    monkeypatch.setenv("REACTIVATE_TOY_SET", str(folder))
    with pytest.raises(ValueError, match="has 2 categories, expected 80"):
        detection_sets("toy", folder_set("coco", 80))
    path = folder / "annotations/instances_train2017.json"
    for content, message in (("{", "is not JSON"), ("[]", "holds no JSON object")):
        path.write_text(content)
        with pytest.raises(ValueError, match=message):
            detection_sets("toy", folder_set("coco", 2))
    path.write_text(json.dumps({"images": []}))
    with pytest.raises(ValueError, match=r"instances_train2017.json: .* no list 'annotations'"):
        detection_sets("toy", folder_set("coco", 2))


def test_a_set_of_another_format_is_refused():
    with pytest.raises(ValueError, match="toy is of format kitti_materials; accepted: coco"):
        detection_sets("toy", scenes("kitti_materials", 3))
    with pytest.raises(ValueError, match="toy is of format coco; accepted: kitti_materials,"):
        segmentation_sets("toy", scenes("coco", 2))


def test_masks_are_encoded_as_cocos_tool_reads_them():
    draw = np.random.default_rng(0)
    for _ in range(50):
        mask = draw.random((5, 7)) < draw.random()
        counts = run_lengths(mask)
        assert sum(counts) == mask.size
        assert np.array_equal(decoded({"size": [5, 7], "counts": counts}), mask)


def idx(array):
    """An idx file of bytes, as MNIST's."""
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.tobytes()


def write_catalog(project, **changes):
    """A catalog of toys supplied by hand and scenes of them."""
    arrays, contents = toys(), {}
    for part, name in FILES.items():
        contents[name] = idx(getattr(arrays, part).squeeze().astype(np.uint8))
    raw = project / "data" / "raw"
    raw.mkdir(parents=True)
    for name, content in contents.items():
        (raw / name).write_bytes(content)
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    source = {"kind": "mirror", "format": "idx", "files": sums}
    objects = {"kind": "images", "title": "Toys", "licence": "none", "classes": 2, "train": 2}
    objects |= {"shape": [1, 28, 28], "test": 2, "prepared": "0" * 64, "sources": [source]}
    objects["official"] = {
        name: hashlib.md5(content).hexdigest() for name, content in contents.items()
    }
    made = SCENES | {"format": "coco", "classes": 2} | changes
    (project / "config").mkdir(exist_ok=True)
    text = yaml.safe_dump({"toys": objects, "toy": made, "table": TABLE})
    (project / "config" / "datasets.yaml").write_text(text)
    entries.forget()


def test_the_readers_of_scenes_are_their_writer_and_those_of_the_objects(project):
    write_catalog(project)
    assert dataset("toy").readers == (
        "reactivate.preparation.coco_folder:write_coco",
        "reactivate.preparation.idx:read_idx",
    )


def test_the_stage_makes_scenes_whose_checksum_is_the_catalogs(project, monkeypatch):
    monkeypatch.setenv("REACTIVATE_CACHE", str(project / "cache"))
    monkeypatch.delenv("REACTIVATE_MIRROR", raising=False)
    out = dataset_file("toy")
    write_catalog(project)
    with pytest.raises(ValueError, match=f"has sha256 .*, expected {'0' * 64}") as refused:
        stage(name="toy", out=out)
    made = str(refused.value).split("sha256 ")[1][:64]
    shutil.rmtree(project / "data" / "raw")
    write_catalog(project, prepared=made)
    stage(name="toy", out=out)
    assert json.loads(out.with_suffix(".json").read_text())["shape"] == [3, 64, 64]
    sums = load_file(out)
    prepare(scenes("coco", 2), "other")
    for name, value in load_file(dataset_file("other")).items():
        assert np.array_equal(sums[name], value)
    assert len(detection_sets("toy", dataset("toy"))["train"]) == 4


def test_objects_that_are_no_grey_images_are_refused(project):
    write_catalog(project, objects="table")
    with pytest.raises(ValueError, match="objects are of table; accepted: sets of kind images"):
        stage(name="toy", out=dataset_file("toy"))
