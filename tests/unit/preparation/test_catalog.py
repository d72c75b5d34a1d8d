"""config/datasets.yaml is complete, and a mistake in such a file is named with its place."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from reactivate.experiment.catalog.catalog import MirrorSource, catalog, dataset

CATALOG = Path(__file__).parents[3] / "config" / "datasets.yaml"
TABLES = ["boston", "concrete", "energy", "power", "wine", "yacht", "banana"]


@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_fetched_and_supplied_by_hand(name):
    *fetched, by_hand = dataset(name, CATALOG).sources
    assert fetched
    assert isinstance(by_hand, MirrorSource)
    assert by_hand.sha256 in [source.sha256 for source in fetched]


@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [
        ("boston", 506, 14),
        ("concrete", 1030, 9),
        ("energy", 768, 10),
        ("power", 9568, 5),
        ("wine", 1599, 12),
        ("yacht", 308, 7),
        ("banana", 5300, 3),
    ],
)
def test_sizes_are_those_of_the_repositories(name, rows, columns):
    found = dataset(name, CATALOG)
    assert (found.rows, found.columns) == (rows, columns)


def test_no_registry_has_its_address_in_the_catalog():
    text = CATALOG.read_text(encoding="utf-8")
    hosts = ["pypi", "pythonhosted", "npmjs", "debian.org"]
    assert [host for host in hosts if host in text] == []


def test_unknown_dataset_is_an_error_with_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown dataset 'bostn'; did you mean boston\? Known"):
        dataset("bostn", CATALOG)


def write(folder, entry):
    path = folder / "datasets.yaml"
    path.write_text(yaml.safe_dump({"toy": entry}), encoding="utf-8")
    return path


def test_entry_survives_the_file(tmp_path, shelf):
    entry = shelf.entry(shelf.package("npm"), shelf.mirror())
    assert dataset("toy", write(tmp_path, entry)) == shelf.dataset(*entry["sources"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rwos": 3}, "toy: unknown key 'rwos'; did you mean rows"),
        ({"rows": "2"}, r"toy\.rows is '2'; Input should be a valid integer"),
        ({"rows": 0}, r"toy\.rows is 0; Input should be greater than or equal to 1"),
        ({"prepared": "12"}, r"toy\.prepared is '12'; String should match pattern"),
        ({"sources": []}, r"toy\.sources is \[\]; Tuple should have at least 1 item"),
    ],
)
def test_wrong_value_is_named_with_file_key_and_what_is_accepted(
    tmp_path, shelf, changes, message
):
    path = write(tmp_path, shelf.entry(shelf.mirror()) | changes)
    with pytest.raises(ValueError, match=rf"datasets\.yaml: {message}"):
        catalog(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"kind": "ftp"},
            ".kind is 'ftp'; accepted: 'url', 'npm', 'pip', 'pip_sdist', 'debian', 'python', 'm",
        ),
        ({"kind": "pip", "archive": None}, "archive is missing; pip needs the sha256"),
        ({"sah256": "0"}, "unknown key 'sah256'; did you mean sha256"),
        ({"sha256": "0"}, r"sha256 is '0'; String should match pattern"),
        ({"package": "--index-url"}, "package is '--index-url'; String should match pattern"),
        ({"read": {"format": "ods"}}, "format: unknown table format 'ods'; Known: csv, semicolon"),
    ],
)
def test_wrong_source_is_named_with_its_position(tmp_path, shelf, changes, message):
    path = write(tmp_path, shelf.entry(shelf.mirror(), shelf.package() | changes))
    with pytest.raises(ValueError, match=rf"datasets\.yaml: toy\.sources\.1.*{message}"):
        catalog(path)


def test_missing_key_is_named(tmp_path, shelf):
    entry = shelf.entry(shelf.mirror())
    del entry["licence"]
    with pytest.raises(ValueError, match=r"datasets\.yaml: toy\.licence is missing; add it"):
        catalog(write(tmp_path, entry))


@pytest.mark.parametrize("text", ["", "- toy", "toy: [", "toy: 3", "3: 4\n"])
def test_file_of_another_form_is_named(tmp_path, text):
    path = tmp_path / "datasets.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"datasets\.yaml"):
        catalog(path)


def test_missing_file_says_where_to_run(tmp_path):
    with pytest.raises(ValueError, match="does not exist; run from the folder of the Snakefile"):
        catalog(tmp_path / "datasets.yaml")


def test_fingerprint_changes_with_any_value(shelf):
    toy = shelf.dataset(shelf.mirror())
    assert toy.fingerprint() == shelf.dataset(shelf.mirror()).fingerprint()
    assert toy.fingerprint() != shelf.dataset(shelf.mirror(), licence="other").fingerprint()
    assert toy.fingerprint() != shelf.dataset(shelf.mirror(file="b.csv")).fingerprint()


def test_catalog_does_not_import_torch_or_numpy():
    program = (
        "import sys, reactivate.experiment.catalog.catalog, reactivate.foundation.files\n"
        "sys.exit(' '.join({'torch', 'numpy', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.stderr.decode().strip() == ""
