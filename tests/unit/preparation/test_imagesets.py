"""Sets of images in the catalog: complete, fetched from one source or the next, checked."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
import yaml
from reactivate.experiment.catalog.catalog import catalog, dataset
from reactivate.experiment.catalog.imagesets import FolderSet, ImageSet
from reactivate.preparation.arrays import ImageArrays, check_arrays
from reactivate.preparation.sources import fetch_files

CATALOG = Path(__file__).parents[3] / "config" / "datasets.yaml"
SETS = ["mnist", "fashion_mnist", "cifar10", "cifar100", "tiny_imagenet20"]
ONE, TWO = b"first", b"second"


def sha(content):
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("name", "shape", "train", "test", "classes"),
    [
        ("mnist", (1, 28, 28), 60_000, 10_000, 10),
        ("fashion_mnist", (1, 28, 28), 60_000, 10_000, 10),
        ("cifar10", (3, 32, 32), 50_000, 10_000, 10),
        ("cifar100", (3, 32, 32), 50_000, 10_000, 100),
        ("tiny_imagenet20", (3, 64, 64), 10_000, 1_000, 20),
        ("imagenet32", (3, 32, 32), 1_281_167, 50_000, 1000),
        ("imagenet", None, 1_281_167, 50_000, 1000),
    ],
)
def test_sizes_are_the_published_ones(name, shape, train, test, classes):
    found = dataset(name, CATALOG)
    assert (found.shape, found.train, found.test, found.classes) == (shape, train, test, classes)


@pytest.mark.parametrize("name", SETS)
def test_every_set_can_be_supplied_by_hand(name):
    assert "mirror" in [source.kind for source in dataset(name, CATALOG).sources]


def test_the_stand_in_says_that_it_is_one():
    assert "stand-in for ImageNet" in dataset("tiny_imagenet20", CATALOG).title


def test_two_sets_supplied_by_hand_never_want_different_files_of_one_name():
    wanted = {}
    for name in SETS:
        for source in dataset(name, CATALOG).sources:
            if source.kind == "mirror":
                for file, checksum in source.files.items():
                    assert wanted.setdefault(file, checksum) == checksum, (name, file)


def entry(*sources, **changes):
    sizes = {"shape": [1, 2, 2], "train": 2, "test": 1, "classes": 3}
    head = {"kind": "images", "title": "Toy", "licence": "none", "prepared": "0" * 64}
    return head | sizes | {"sources": list(sources)} | changes


def package(shelf, **changes):
    files = {"package/one": sha(ONE), "package/two": sha(TWO)}
    source = {"kind": "npm", "package": "toy", "version": "1.0", "format": "idx", "files": files}
    return source | {"archive": sha(shelf.archive.read_bytes())} | changes


def by_hand(**changes):
    files = {"one": sha(ONE), "two.gz": sha(TWO)}
    return {"kind": "mirror", "format": "idx", "files": files} | changes


@pytest.fixture
def packed(shelf):
    """A package with both files, and npm to deliver it."""
    shelf.pack({"package/one": ONE, "package/two": TWO})
    shelf.install("npm")
    return shelf


def contents(fetched):
    return {name: path.read_bytes() for name, path in fetched.paths.items()}


def test_one_download_gives_all_files_and_they_are_kept(packed):
    images = ImageSet.model_validate(entry(package(packed)))
    for _ in range(2):
        fetched = fetch_files("toy", images, packed.raw)
        assert contents(fetched) == {"one": ONE, "two": TWO}
    assert packed.calls == ["npm"]


def test_files_supplied_by_hand_are_found_by_name_without_gz(shelf):
    (shelf.raw / "one").write_bytes(ONE)
    (shelf.raw / "two.gz").write_bytes(TWO)
    fetched = fetch_files("toy", ImageSet.model_validate(entry(by_hand())), shelf.raw)
    assert contents(fetched) == {"one": ONE, "two": TWO}


def test_next_source_is_used_when_one_file_is_wrong(packed, capsys):
    wrong = package(packed, files={"package/one": sha(ONE), "package/two": sha(b"third")})
    (packed.raw / "one").write_bytes(ONE)
    (packed.raw / "two.gz").write_bytes(TWO)
    images = ImageSet.model_validate(entry(wrong, by_hand()))
    assert fetch_files("toy", images, packed.raw).source.kind == "mirror"
    assert "toy: npm toy 1.0: wrong checksum of two (6 bytes)" in capsys.readouterr().err


def test_truncated_package_is_refused_before_it_is_unpacked(packed):
    images = ImageSet.model_validate(entry(package(packed)))
    packed.archive.write_bytes(packed.archive.read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"wrong checksum of toy-1\.0\.tgz \(\d+ bytes\)"):
        fetch_files("toy", images, packed.raw)


def test_truncated_file_by_hand_is_refused_with_both_checksums(shelf):
    (shelf.raw / "one").write_bytes(ONE[:-1])
    (shelf.raw / "two.gz").write_bytes(TWO)
    with pytest.raises(ValueError, match=r"wrong checksum of one \(4 bytes\)") as caught:
        fetch_files("toy", ImageSet.model_validate(entry(by_hand())), shelf.raw)
    message = str(caught.value)
    assert f"put one (sha256 {sha(ONE)}) into" in message
    assert f"put two.gz (sha256 {sha(TWO)}) into" in message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "pictures"}, "toy.kind is 'pictures'; accepted: table, images, folder"),
        ({"shape": [28, 28]}, r"toy\.shape\.2 is missing"),
        ({"classes": 0}, r"toy\.classes is 0; Input should be greater"),
        ({"official": {"one": "12"}}, r"toy\.official\.one is '12'; String should match pattern"),
        (
            {"sources": [by_hand(format="tiff")]},
            r"format: unknown image format 'tiff'; Known: c",
        ),
        ({"sources": [by_hand(files={"../one": sha(ONE)})]}, r"\.\./one.*String should match"),
        ({"sources": [by_hand(files={})]}, r"files is \{\}; Dictionary should have at least 1"),
        ({"rows": 3}, "unknown key 'rows'"),
    ],
)
def test_mistake_in_an_entry_is_named(tmp_path, changes, message):
    path = tmp_path / "datasets.yaml"
    path.write_text(yaml.safe_dump({"toy": entry(by_hand()) | changes}), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        catalog(path)


def test_tables_have_the_fingerprints_they_were_computed_with():
    """Another one would prepare them again, for nothing."""
    names = ["boston", "concrete", "energy", "power", "wine", "yacht"]
    assert [dataset(name, CATALOG).fingerprint() for name in names] == [
        "e347ac2d2699a45e",
        "7e304eacf9956f74",
        "d01748cc9c53e7c7",
        "78a95c33c05bf0b9",
        "de804c6e5b345a94",
        "91752c02ff3887df",
    ]


def arrays(**changes):
    parts = {
        "train_images": np.zeros((2, 1, 2, 2), dtype=np.uint8),
        "train_labels": np.array([0, 2]),
        "test_images": np.zeros((1, 1, 2, 2), dtype=np.uint8),
        "test_labels": np.array([1]),
    }
    return ImageArrays(**parts | changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train_images": np.zeros((3, 1, 2, 2), np.uint8)}, r"train part has shape \(3, 1, 2, 2"),
        ({"test_labels": np.array([1, 2])}, r"test part has shape \(2,\), expected \(1,\)"),
        ({"test_images": np.zeros((1, 1, 2, 2))}, "images are float64 and labels int64; expected"),
        ({"train_labels": np.array([0, 3])}, "train labels go from 0 to 3; expected 0 to 2"),
    ],
)
def test_arrays_of_other_sizes_are_named(changes, message):
    wanted = ImageSet.model_validate(entry(by_hand()))
    check_arrays(arrays(), wanted, wanted.shape, "toy")
    with pytest.raises(ValueError, match=f"toy: .*{message}"):
        check_arrays(arrays(**changes), wanted, wanted.shape, "toy")


def test_folder_sets_are_told_apart_from_those_that_are_fetched():
    kinds = {name: type(found) for name, found in catalog(CATALOG).items()}
    assert [name for name in kinds if kinds[name] is FolderSet] == ["imagenet32", "imagenet"]
    assert [name for name in kinds if kinds[name] is ImageSet] == SETS
