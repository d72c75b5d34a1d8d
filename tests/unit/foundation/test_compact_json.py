"""Compact JSON: every value as it was, few bytes, and lists of modules that are published once."""

import json

import pytest
from reactivate.evidence.publication import thin
from reactivate.evidence.versions import whole_content
from reactivate.foundation.compact_json import write_compact_json
from reactivate.foundation.files import write_json

LISTED = {f"reactivate.part{n}": f"{n:016x}" for n in range(40)}
VALUE = {
    "caption": 'Two\nlines, "modules": {\n"a": 1\n}',
    "numbers": [0.1, None, {"modules": {}}, []],
    "record": {"modules": LISTED, "deep": [{"modules": LISTED}]},
    "modules": LISTED,
}


@pytest.fixture
def written(tmp_path):
    folder = tmp_path / "laptop" / "gmp"
    folder.mkdir(parents=True)
    write_compact_json(folder / "table3.provenance.json", VALUE)
    return folder / "table3.provenance.json"


def test_what_is_written_is_read(written):
    assert json.loads(written.read_text(encoding="utf-8")) == VALUE


def test_it_is_shorter_than_an_indented_file_and_has_a_line_per_value(written, tmp_path):
    write_json(tmp_path / "indented.json", VALUE)
    assert written.stat().st_size < 0.9 * (tmp_path / "indented.json").stat().st_size
    assert '\n  "reactivate.part7": "0000000000000007",\n' in written.read_text(encoding="utf-8")
    assert "\n0.1,\n" in written.read_text(encoding="utf-8")


def test_a_publication_keeps_equal_lists_of_modules_once_and_reads_them_as_they_were(written):
    before = written.read_bytes()
    thin(written.parents[1])
    assert b"reactivate.part7" not in written.read_bytes()
    assert whole_content(written) == before
