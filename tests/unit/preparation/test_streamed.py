"""ImageNet's folder: its usual form, the list of its pictures, and archives of them."""

import os
import tarfile

import pytest
import torch
from PIL import Image
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.foundation.files import sha256
from reactivate.preparation import folders, listing, shards, streamed
from reactivate.preparation.folders import imagenet_files
from reactivate.preparation.listing import listed_pictures
from reactivate.preparation.shards import INDEX, pack, packed_pictures
from reactivate.stages import pack as stage

CLASSES = ["n00000001", "n00000002"]
ENTRY = {
    "kind": "folder",
    "title": "Small ImageNet",
    "licence": "none",
    "format": "imagenet",
    "variable": "REACTIVATE_IMAGENET",
    "classes": 2,
    "train": 6,
    "test": 4,
}
WANTED = FolderSet.model_validate(ENTRY)


@pytest.fixture
def folder(tmp_path):
    """Two classes of three pictures to train and two to validate, of different sizes."""
    root = tmp_path / "brought"
    for part, count in (("train", 3), ("val", 2)):
        for label, wnid in enumerate(CLASSES):
            (root / part / wnid).mkdir(parents=True)
            for number in range(count):
                size = (40 + 9 * number, 50 + label)
                picture = Image.new("RGB", size, (100 * label, 10 * number, 50))
                picture.save(root / part / wnid / f"{wnid}_{number}.JPEG")
    return root


def contents(sets):
    """Label and bytes of every picture, by part."""
    return {
        part: [(int(y), pictures.read(n)[1]) for n, y in enumerate(pictures.labels)]
        for part, pictures in sets.items()
    }


def expected(folder):
    return {
        part: [
            (label, path.read_bytes())
            for label, wnid in enumerate(CLASSES)
            for path in sorted((folder / part / wnid).iterdir())
        ]
        for part in ("train", "val")
    }


def test_a_listing_has_every_picture_with_its_label(folder, tmp_path):
    assert contents(listed_pictures(folder, WANTED, tmp_path)) == expected(folder)
    (folder / "train" / CLASSES[0] / "notes.txt").touch()
    assert contents(listed_pictures(folder, WANTED, tmp_path)) == expected_jpegs(folder)


def expected_jpegs(folder):
    (folder / "train" / CLASSES[0] / "notes.txt").unlink()
    return expected(folder)


def test_a_folder_is_scanned_once(folder, tmp_path, monkeypatch):
    first = contents(listed_pictures(folder, WANTED, tmp_path))
    monkeypatch.setattr(listing, "imagenet_files", None)
    assert contents(listed_pictures(folder, WANTED, tmp_path)) == first


def _rename(folder):
    path = folder / "train" / CLASSES[1]
    (path / f"{CLASSES[1]}_0.JPEG").rename(path / "first.JPEG")


def _touch(folder):
    os.utime(folder / "val" / CLASSES[0], (0, 0))


def _damage(folder):
    (folder.parent / "listing.npz").write_bytes(b"no listing")


@pytest.mark.parametrize("change", [_rename, _touch, _damage])
def test_a_folder_that_was_changed_or_a_listing_that_was_damaged_is_made_anew(
    folder, tmp_path, change
):
    listed_pictures(folder, WANTED, tmp_path)
    change(folder)
    scans = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            listing, "imagenet_files", lambda *a: scans.append(1) or folders.imagenet_files(*a)
        )
        found = listed_pictures(folder, WANTED, tmp_path)
    assert scans == [1]
    assert contents(found) == expected(folder)


def test_another_description_of_the_set_checks_the_folder_again(folder, tmp_path):
    listed_pictures(folder, WANTED, tmp_path)
    more = FolderSet.model_validate(ENTRY | {"train": 7})
    with pytest.raises(ValueError, match=r"has 6 files \*\.JPEG, expected 7"):
        listed_pictures(folder, more, tmp_path)


@pytest.fixture
def packed(folder, tmp_path):
    """The folder of the archives, two pictures in each, and their checksums."""
    out = tmp_path / "streamed"
    return out, pack(listed_pictures(folder, WANTED, tmp_path), WANTED, out, per_shard=2)


def test_packed_pictures_are_those_of_the_folder_byte_for_byte(folder, packed):
    out, checksums = packed
    assert contents(packed_pictures(out, WANTED)) == expected(folder)
    names = [f"train-00000{n}.tar" for n in range(3)] + [f"val-00000{n}.tar" for n in range(2)]
    assert checksums == {name: sha256(out / name) for name in names}


def test_an_archive_has_a_picture_and_its_label_under_one_name(folder, packed):
    with tarfile.open(packed[0] / "train-000001.tar") as archive:
        found = {info.name: archive.extractfile(info).read() for info in archive}
    names = [f"{CLASSES[0]}_2", f"{CLASSES[1]}_0"]
    pictures = [folder / "train" / name[:9] / f"{name}.JPEG" for name in names]
    assert found == {
        **{
            f"train/{n[:9]}/{n}.JPEG": p.read_bytes() for n, p in zip(names, pictures, strict=True)
        },
        f"train/{CLASSES[0]}/{names[0]}.cls": b"0",
        f"train/{CLASSES[1]}/{names[1]}.cls": b"1",
    }


def test_packing_again_writes_the_same_and_only_what_is_missing(folder, packed, tmp_path):
    out, checksums = packed
    (out / "train-000001.tar").unlink()
    (out / "val-000000.tar").write_bytes(b"damaged")
    (out / INDEX).unlink()
    kept = out / "train-000002.tar"
    before = kept.stat().st_mtime_ns
    assert pack(listed_pictures(folder, WANTED, tmp_path), WANTED, out, 2) == checksums
    assert kept.stat().st_mtime_ns == before
    assert contents(packed_pictures(out, WANTED)) == expected(folder)


def test_archives_of_other_pictures_are_not_taken_for_these(folder, packed, tmp_path):
    _rename(folder)
    out, checksums = packed
    again = pack(listed_pictures(folder, WANTED, tmp_path), WANTED, out, 2)
    differ = {name for name in again if again[name] != checksums[name]}
    assert differ == {"train-000001.tar"}
    assert contents(packed_pictures(out, WANTED)) == expected(folder)


def test_a_changed_byte_of_an_archive_is_found_when_it_is_read(packed):
    out, _ = packed
    sets = packed_pictures(out, WANTED)
    _, start, length, _ = sets["train"].places[1].tolist()
    path = out / "train-000000.tar"
    content = bytearray(path.read_bytes())
    content[start + length // 2] ^= 1
    path.write_bytes(content)
    sets["train"].read(0)
    with pytest.raises(ValueError, match=rf"from {start} are not the picture that was packed"):
        sets["train"].read(1)


def test_an_index_of_another_set_or_a_damaged_one_is_not_used(packed):
    out, _ = packed
    with pytest.raises(ValueError, match=r"is of another set than Large .* pack it again"):
        packed_pictures(out, FolderSet.model_validate(ENTRY | {"title": "Large"}))
    (out / INDEX).write_bytes((out / INDEX).read_bytes() + b" ")
    with pytest.raises(ValueError, match="it was changed or damaged"):
        packed_pictures(out, WANTED)


def test_archives_are_read_where_there_are_some_and_the_folder_elsewhere(
    folder, packed, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REACTIVATE_IMAGENET", str(folder))
    monkeypatch.setattr(streamed, "streamed_folder", lambda _: tmp_path / "none")
    from_folder = streamed.streamed_pictures("imagenet", WANTED)
    monkeypatch.delenv("REACTIVATE_IMAGENET")
    monkeypatch.setattr(streamed, "streamed_folder", lambda _: packed[0])
    from_archives = streamed.streamed_pictures("imagenet", WANTED)
    assert isinstance(from_archives["train"], shards.ShardPictures)
    assert contents(from_archives) == contents(from_folder)
    assert list(from_folder) == ["train", "test"]
    assert torch.equal(from_archives["test"].labels, torch.tensor([0, 0, 1, 1]))


def test_a_set_that_is_prepared_is_not_packed(tmp_path):
    with pytest.raises(ValueError, match=r"cifar10 cannot be packed; accepted: .* imagenet"):
        stage.pack_set("cifar10", tmp_path / INDEX)


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
        imagenet_files(folder, WANTED)
