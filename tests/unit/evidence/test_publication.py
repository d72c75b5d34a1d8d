"""What is published with a record, and in which form."""

import json
from pathlib import Path

import pytest
from reactivate.evidence.publication import is_left_out, thin, written_lists
from reactivate.evidence.records import Record, read_record
from reactivate.evidence.versions import MODULE_LISTS, whole_content, whole_sum
from reactivate.foundation.files import sha256, write_json

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("name", "stage", "settings", "left_out"),
    [
        ("model.safetensors", "train", {"epochs": 1}, True),
        ("metrics.csv", "train", {"epochs": 1}, False),
        ("masks.csv", "prune", {"epochs": 1}, True),
        ("images.csv", "attack", {"steps": 1}, True),  # no figure reads them, unlike certificates
        ("images.csv", "certify", {"n": 1}, False),
        ("values.csv", "analyse", {"repeats": 1}, True),  # the figure's csv has them
        ("values.csv", "analyse", {}, True),
        ("values.csv", "analyse", None, False),  # of a table that was recomputed
        ("values.csv", "train", {"epochs": 1}, False),
    ],
)
def test_what_is_large_or_told_elsewhere_is_not_published(name, stage, settings, left_out):
    record = Record.model_construct(stage=stage, settings=settings)
    assert is_left_out(name, record) == left_out


MODULES_OF = [{"a": "0" * 16, "a.b": "1" * 16}, {"a": "0" * 16, "a.b": "2" * 16}]


@pytest.fixture
def scale(tmp_path):
    """A published scale with three records, two of which name the same modules, and a figure."""
    for name, modules in zip("abc", (*MODULES_OF, MODULES_OF[0]), strict=True):
        content = {"paper": "p", "modules": modules, "settings": {"modules": 3}, "seeds": []}
        (tmp_path / "p" / name).mkdir(parents=True)
        write_json(tmp_path / "p" / name / "run.json", content)
    write_json(tmp_path / "p/figure1.provenance.json", {"record": {"modules": MODULES_OF[0]}})
    write_json(tmp_path / "p/empty.provenance.json", {"record": {"modules": {}}})
    write_json(tmp_path / "audit.json", {"modules": MODULES_OF[0]})
    return tmp_path


def contents(scale):
    return {path: path.read_bytes() for path in sorted(scale.rglob("*.json"))}


def test_lists_of_modules_stand_once_and_files_are_read_as_they_were(scale):
    before = contents(scale)
    sums = {path: sha256(path) for path in before}
    thin(scale)
    lists = json.loads((scale / MODULE_LISTS).read_text(encoding="utf-8"))
    assert lists["modules"] == [f"a {'0' * 16}", f"a.b {'1' * 16}", f"a.b {'2' * 16}"]
    assert sorted(lists["lists"].values()) == [[0, 1], [0, 2]]
    assert {path: whole_content(path) for path in before} == before
    assert {path: whole_sum(path) for path in before} == sums
    changed = {path.relative_to(scale).as_posix() for path in before if sha256(path) != sums[path]}
    assert changed == {"p/a/run.json", "p/b/run.json", "p/c/run.json", "p/figure1.provenance.json"}
    thinned = json.loads((scale / "p/a/run.json").read_text(encoding="utf-8"))
    assert thinned["modules"] in lists["lists"]


def test_what_was_thinned_is_not_thinned_again(scale):
    thin(scale)
    before = contents(scale)
    thin(scale)
    assert contents(scale) == before


def test_lists_that_no_file_needs_are_not_kept(scale):
    thin(scale)
    for path in scale.glob("p/*/run.json"):
        path.unlink()
    thin(scale)
    lists = json.loads((scale / MODULE_LISTS).read_text(encoding="utf-8"))
    assert list(lists["lists"].values()) == [[0, 1]]
    (scale / "p/figure1.provenance.json").unlink()
    thin(scale)
    assert not (scale / MODULE_LISTS).exists()


def test_modules_that_are_not_written_as_a_record_has_them_stay(tmp_path):
    path = tmp_path / "p/run.json"
    path.parent.mkdir()
    path.write_text('{"modules": {"a": "0123456789abcdef"}}\n', encoding="utf-8")
    before = path.read_bytes()
    thin(tmp_path)
    assert path.read_bytes() == before
    assert not (tmp_path / MODULE_LISTS).exists()


LOST = {
    "no file": lambda path: path.unlink(),
    "no such list": lambda path: write_json(path, {"modules": [], "lists": {}}),
    "no JSON": lambda path: path.write_text("modules", encoding="utf-8"),
    "no lists": lambda path: write_json(path, {"modules": ["a"]}),
    "a place that is not there": lambda path: path.write_text(
        path.read_text(encoding="utf-8").replace("[0, 1]", "[0, 7]"), encoding="utf-8"
    ),
}


@pytest.mark.parametrize("how", LOST)
def test_a_list_that_is_lost_is_named(scale, how):
    thin(scale)
    path = scale / "p/a/run.json"
    whole_content(path)
    LOST[how](scale / MODULE_LISTS)
    with pytest.raises(ValueError, match=r"Bring it back with: git checkout"):
        whole_content(path)
    with pytest.raises(ValueError, match=r"modules\.json"):
        read_record(path)


@pytest.mark.parametrize("name", ["laptop", "paper"])
def test_what_the_project_has_published_is_thin(name):
    folder = ROOT / "published" / name
    assert (folder / MODULE_LISTS).read_text(encoding="utf-8") == written_lists(folder)
    named = {
        json.loads(path.read_text(encoding="utf-8")).get("modules", "").__class__
        for path in folder.rglob("run.json")
    }
    assert named == {str}
