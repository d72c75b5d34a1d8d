"""Verified files are kept by checksum and checked again before use."""

import hashlib
from pathlib import Path

import pytest
from reactivate.preparation.cache import cache_folder
from reactivate.preparation.sources import fetch


def test_second_fetch_calls_no_client(shelf):
    shelf.install("npm")
    toy = shelf.dataset(shelf.package("npm"))
    fetch("toy", toy, raw=shelf.raw)
    fetch("toy", toy, raw=shelf.raw)
    assert shelf.calls == ["npm"]


def test_cached_file_of_a_later_source_spares_the_download(shelf):
    shelf.install("pip")
    fetch("toy", shelf.dataset(shelf.package("pip")), raw=shelf.raw)
    other = shelf.package("npm", sha256="1" * 64)
    fetched = fetch("toy", shelf.dataset(other, shelf.package("pip")), raw=shelf.raw)
    assert fetched.source.kind == "pip"
    assert shelf.calls == ["pip"]


def test_damaged_cache_file_is_removed_with_a_word_and_fetched_again(shelf, capsys):
    shelf.install("npm")
    toy = shelf.dataset(shelf.package("npm"))
    fetch("toy", toy, raw=shelf.raw)
    shelf.place.write_bytes(b"rot")
    assert fetch("toy", toy, raw=shelf.raw).path.read_bytes() == shelf.table
    said = capsys.readouterr().err
    assert f"cache: {shelf.place} is damaged and is removed" in said
    assert f"expected {shelf.sha256}" in said
    assert shelf.calls == ["npm", "npm"]


def test_one_download_serves_all_datasets_of_a_package(shelf):
    other = b"1,2\n"
    shelf.pack({shelf.member: shelf.table, "package/other.csv": other})
    shelf.install("npm")
    toy = shelf.dataset(shelf.package("npm"))
    wrong = shelf.package("npm", member="package/missing.csv", sha256="5" * 64)
    checksum = hashlib.sha256(other).hexdigest()
    another = shelf.dataset(shelf.package("npm", member="package/other.csv", sha256=checksum))
    together = (*another.sources, *shelf.dataset(wrong).sources)
    fetch("toy", toy, together, shelf.raw)
    assert fetch("other", another, raw=shelf.raw).path.read_bytes() == other
    assert shelf.calls == ["npm"]


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"REACTIVATE_CACHE": "/a", "XDG_CACHE_HOME": "/b"}, Path("/a")),
        ({"XDG_CACHE_HOME": "/b"}, Path("/b/reactivate")),
        ({"HOME": "/c"}, Path("/c/.cache/reactivate")),
    ],
)
def test_cache_is_where_the_user_says(monkeypatch, variables, expected):
    for name in ("REACTIVATE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == expected


def test_unwritable_cache_is_named_with_what_to_do(shelf, monkeypatch):
    monkeypatch.setenv("REACTIVATE_CACHE", str(shelf.archive))
    (shelf.raw / "toy.csv").write_bytes(shelf.table)
    with pytest.raises(OSError, match=r"cannot write .* set another with REACTIVATE_CACHE"):
        fetch("toy", shelf.dataset(shelf.mirror()), raw=shelf.raw)
    shelf.install("npm")
    with pytest.raises(OSError, match=r"cannot write .* set another with REACTIVATE_CACHE"):
        fetch("toy", shelf.dataset(shelf.package("npm")), raw=shelf.raw)
