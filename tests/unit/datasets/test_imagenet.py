"""ImageNet streams from a folder of the usual form; any other form is named."""

import pytest
import torch
from PIL import Image
from reactivate.datasets.imagenet import ImageStream, load_picture
from reactivate.datasets.imagenet import picture_transform as transform
from reactivate.datasets.transforms import v2
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.preparation.folders import check_imagenet

CLASSES = ["n00000001", "n00000002"]
WANTED = FolderSet.model_validate(
    {
        "kind": "folder",
        "title": "Small ImageNet",
        "licence": "none",
        "format": "imagenet",
        "variable": "REACTIVATE_IMAGENET",
        "classes": 2,
        "train": 6,
        "test": 4,
    }
)


@pytest.fixture
def folder(tmp_path):
    """Two classes of three pictures to train and two to validate, of different sizes."""
    for part, count in (("train", 3), ("val", 2)):
        for label, wnid in enumerate(CLASSES):
            (tmp_path / part / wnid).mkdir(parents=True)
            for number in range(count):
                size = (40 + 9 * number, 50 + label)
                picture = Image.new("RGB", size, (100 * label, 10 * number, 50))
                picture.save(tmp_path / part / wnid / f"{wnid}_{number}.JPEG")
    return tmp_path


def stream(folder, part="train", workers=1, seed=0):
    generator = torch.Generator().manual_seed(seed)
    crop = "random_resized_crop" if part == "train" else "middle"
    return ImageStream(folder, part, transform(crop, 16, 20), 4, workers, generator)


def test_folder_of_the_usual_form_is_accepted(folder):
    check_imagenet(folder, WANTED)


def test_validation_comes_in_order_with_its_labels(folder):
    ((images, labels),) = stream(folder, "val")
    assert images.shape == (4, 3, 16, 16)
    assert images.dtype == torch.uint8
    assert labels.tolist() == [0, 0, 1, 1]
    assert (images[:, 0].float().mean((1, 2)) > 50).tolist() == [False, False, True, True]


def test_training_is_shuffled_and_cropped_by_the_generator(folder):
    one, same, other = (list(stream(folder, seed=seed, workers=2)) for seed in (0, 0, 1))
    assert [len(labels) for _, labels in one] == [4, 2]
    for (images, labels), (images_again, labels_again) in zip(one, same, strict=True):
        assert torch.equal(images, images_again)
        assert torch.equal(labels, labels_again)
    assert not all(torch.equal(a, b) for (a, _), (b, _) in zip(one, other, strict=True))


def test_workers_are_needed(folder):
    with pytest.raises(ValueError, match="workers is 0; accepted: 1 or more"):
        next(iter(stream(folder, workers=0)))


def test_corrupt_picture_is_named_without_a_traceback(folder):
    path = folder / "val" / CLASSES[1] / f"{CLASSES[1]}_0.JPEG"
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(
        ValueError, match=r"n00000002_0\.JPEG \(200 bytes\) is not a pic"
    ) as caught:
        list(stream(folder, "val"))
    assert "Traceback" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_grey_picture_becomes_colour(folder):
    path = folder / "train" / CLASSES[0] / "grey.JPEG"
    Image.new("L", (6, 5), 90).save(path)
    picture = load_picture(str(path))
    assert picture.shape == (3, 5, 6)
    assert (picture == 90).all()


SMOOTH = torch.nn.functional.interpolate(
    torch.rand(1, 3, 6, 6, generator=torch.Generator().manual_seed(0)), (40, 50), mode="bicubic"
)
PICTURE = (255 * SMOOTH[0]).clamp(0, 255).to(torch.uint8)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_pictures_are_interpolated_as_asked(mode):
    resized = v2.functional.resize(PICTURE, [20], v2.InterpolationMode(mode), antialias=True)
    found = transform("middle", 16, 20, interpolation=mode)(PICTURE)
    assert torch.equal(found, v2.functional.center_crop(resized, [16, 16]))


def test_random_interpolation_is_each_for_half_of_the_pictures():
    ways = [transform("middle", 16, 20, interpolation=mode) for mode in ("bilinear", "bicubic")]
    one, other = (way(PICTURE) for way in ways)
    assert not torch.equal(one, other)
    either = transform("middle", 16, 20, interpolation="random")
    with torch.random.fork_rng():
        torch.manual_seed(0)
        found = [either(PICTURE) for _ in range(200)]
    first = sum(torch.equal(image, one) for image in found)
    assert first + sum(torch.equal(image, other) for image in found) == 200
    assert 70 < first < 130


def _no_part(folder):
    (folder / "val").rename(folder / "validation")


def _flat(folder):
    for path in list((folder / "val").rglob("*.JPEG")):
        path.rename(folder / "val" / path.name)
    for wnid in CLASSES:
        (folder / "val" / wnid).rmdir()


def _class_missing(folder):
    (folder / "train" / CLASSES[1]).rename(folder / "train" / "dogs")


def _other_classes(folder):
    (folder / "val" / CLASSES[1]).rename(folder / "val" / "n00000003")


def _extra(folder):
    (folder / "train" / "dogs").mkdir()


def _empty(folder):
    for path in (folder / "val" / CLASSES[0]).iterdir():
        path.unlink()


def _incomplete(folder):
    next((folder / "train" / CLASSES[0]).iterdir()).unlink()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_no_part, r"val does not exist; expected 2 folders n01440764 .*Set REACTIVATE_IMAGENET"),
        (_flat, "val has 0 class folders and 4 files; expected 2 .* one folder per class"),
        (_class_missing, "train has 1 class folders and 0 files; expected 2"),
        (_other_classes, "train and val differ in the classes n00000002, n00000003"),
        (_extra, r"train also has the folders dogs; .*\. Remove them"),
        (_empty, r"val has no \*\.JPEG in n00000001; supply the whole set"),
        (_incomplete, r"train has 5 files \*\.JPEG, expected 6; supply the whole set"),
    ],
)
def test_folder_of_another_form_is_named(folder, change, message):
    change(folder)
    with pytest.raises(ValueError, match=message):
        check_imagenet(folder, WANTED)
