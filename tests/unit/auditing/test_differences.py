"""The first difference of two files is told where it is, with both values."""

from pathlib import Path

import pytest
from reactivate.auditing.differences import difference

CASES = {
    "a number": ("a.csv", "r,x\na,1\n", "r,x\na,2\n", "line 2, column x is 1, rebuilt 2"),
    "a line too few": ("a.csv", "r,x\n", "r,x\na,2\n", "line 2, column r is nothing, rebuilt a"),
    "a line too many": ("a.csv", "r\na\n", "r\n", "line 2, column r is a, rebuilt nothing"),
    "a column": ("a.csv", "r,y\n", "r,x\n", "line 1, column x is y, rebuilt x"),
    "quotes only": ("a.csv", '"r"\n', "r\n", "line 1 is '\"r\"', rebuilt 'r'"),
    "a key": ("a.json", '{"a": 1}', '{"a": 1, "b": 2}', 'b is "nothing", rebuilt 2'),
    "an item": ("a.json", "[1, 2]", "[1]", '1 is 2, rebuilt "nothing"'),
    "a kind": ("a.json", '{"a": 1}', '{"a": 1.0}', "a is 1, rebuilt 1.0"),
    "a truth": ("a.json", '{"a": 1}', '{"a": true}', "a is 1, rebuilt true"),
    "below": ("a.json", '{"a": [{"b": 1}]}', '{"a": [{"b": 2}]}', "a.0.b is 1, rebuilt 2"),
    "layout of JSON": ("a.json", '{"a":1}', '{"a": 1}', "line 1 is '{\"a\":1}', rebuilt"),
    "no JSON": ("a.json", "{", "{}", "line 1 is '{', rebuilt '{}'"),
    "a word": ("a.md", "one\ntwo\n", "one\ntoo\n", "line 2 is 'two', rebuilt 'too'"),
    "line ends": ("a.md", "one\n", "one", "its line ends are not those rebuilt"),
}


@pytest.mark.parametrize("what", sorted(CASES))
def test_the_first_difference_is_told(what):
    name, there, rebuilt, expected = CASES[what]
    assert difference(Path(name), there.encode(), rebuilt.encode()).startswith(expected)


def test_a_long_line_is_cut_around_the_difference():
    there, rebuilt = "a" * 5000 + "1" + "b" * 5000, "a" * 5000 + "2" + "b" * 5000
    said = difference(Path("audit.html"), there.encode(), rebuilt.encode())
    assert "a1b" in said
    assert "a2b" in said
    assert len(said) < 300


def test_bytes_that_are_no_text_are_told():
    assert difference(Path("a.csv"), b"\xff", b"1") == "its bytes are not those rebuilt"
