"""The first source that works is used; the others say why they did not."""

import pytest
from reactivate.foundation.files import sha256
from reactivate.preparation import clients
from reactivate.preparation.sources import fetch


def test_member_is_fetched_and_verified(shelf):
    shelf.install("npm")
    fetched = fetch("toy", shelf.dataset(shelf.package("npm")), raw=shelf.raw)
    assert fetched.path == shelf.place
    assert fetched.path.read_bytes() == shelf.table
    assert fetched.source.kind == "npm"


@pytest.mark.parametrize("kind", ["pip", "pip_sdist"])
def test_pip_delivers_wheels_and_source_packages(shelf, kind):
    shelf.install("pip")
    toy = shelf.dataset(shelf.package(kind, archive=sha256(shelf.archive)))
    assert fetch("toy", toy, raw=shelf.raw).path == shelf.place


def test_wrong_checksum_shows_both_and_the_next_source_is_tried(shelf, capsys):
    shelf.install("npm")
    shelf.install("pip")
    toy = shelf.dataset(shelf.package("npm", sha256="1" * 64), shelf.package("pip"))
    assert fetch("toy", toy, raw=shelf.raw).source.kind == "pip"
    assert capsys.readouterr().err == (
        "toy: npm toy 1.0: package/data/toy.csv: wrong checksum of toy.csv (18 bytes): "
        f"sha256 {shelf.sha256}, expected {'1' * 64}\n"
    )
    assert [path.name for path in shelf.cache.rglob("toy.csv")] == ["toy.csv"]


def test_wrong_official_md5_is_a_wrong_checksum(shelf):
    shelf.install("npm")
    toy = shelf.dataset(shelf.package("npm", md5="2" * 32))
    with pytest.raises(ValueError, match=f"md5 [0-9a-f]{{32}}, expected {'2' * 32}"):
        fetch("toy", toy, raw=shelf.raw)


def test_package_with_a_wrong_checksum_is_not_opened(shelf):
    shelf.install("npm")
    toy = shelf.dataset(shelf.package("npm", archive="3" * 64, member="no/such"))
    with pytest.raises(ValueError, match=rf"wrong checksum of toy-1\.0\.tgz .* {'3' * 64}"):
        fetch("toy", toy, raw=shelf.raw)


@pytest.mark.parametrize("kept", [0, 20, 100])
def test_truncated_download_is_never_used(shelf, capsys, kept):
    shelf.install("npm", f'head -c {kept} "{shelf.archive}" > toy-1.0.tgz')
    shelf.install("pip")
    toy = shelf.dataset(shelf.package("npm"), shelf.package("pip"))
    assert fetch("toy", toy, raw=shelf.raw).source.kind == "pip"
    assert "wrong checksum of toy-1.0.tgz" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'npm error code ENOTFOUND' >&2; exit 1", r"failed \(exit code 1\): npm error code"),
        ("exit 3", r"npm failed \(exit code 3\): it said nothing"),
        ("true", "npm left no file, not one package"),
    ],
)
def test_failing_client_is_reported_with_what_it_said(shelf, script, reason):
    shelf.install("npm", script)
    with pytest.raises(ValueError, match=reason):
        fetch("toy", shelf.dataset(shelf.package("npm")), raw=shelf.raw)


def test_client_that_hangs_is_stopped(shelf, monkeypatch):
    monkeypatch.setattr(clients, "SECONDS", 0.2)
    shelf.install("npm", "exec sleep 30")
    with pytest.raises(ValueError, match=r"npm took more than 0\.2 s"):
        fetch("toy", shelf.dataset(shelf.package("npm")), raw=shelf.raw)


def test_member_that_is_missing_is_reported(shelf):
    shelf.install("npm")
    toy = shelf.dataset(shelf.package("npm", member="package/data/other.csv"))
    with pytest.raises(ValueError, match=r"toy-1\.0\.tgz holds no package/data/other\.csv"):
        fetch("toy", toy, raw=shelf.raw)


def test_offline_url_is_reported(shelf):
    url = {"kind": "url", "url": "https://nowhere.invalid/toy.csv", "sha256": shelf.sha256}
    toy = shelf.dataset(url | {"read": {"format": "csv"}})
    with pytest.raises(ValueError, match=r"url https://nowhere\.invalid/toy\.csv\n    download"):
        fetch("toy", toy, raw=shelf.raw)


def test_when_all_fail_every_attempt_and_the_way_out_are_listed(shelf):
    shelf.install("pip", "echo 'ERROR: No matching distribution' >&2; exit 1")
    toy = shelf.dataset(shelf.package("npm"), shelf.package("pip"), shelf.mirror())
    with pytest.raises(ValueError) as error:
        fetch("toy", toy, raw=shelf.raw)
    assert str(error.value) == (
        "no source of dataset 'toy' works; tried:\n"
        "  npm toy 1.0: package/data/toy.csv\n"
        "    npm is not installed\n"
        "  pip toy 1.0: package/data/toy.csv\n"
        "    pip failed (exit code 1): ERROR: No matching distribution\n"
        "  mirror toy.csv\n"
        f"    REACTIVATE_MIRROR is not set; {shelf.raw}/toy.csv does not exist\n"
        f"To supply it by hand, put toy.csv (sha256 {shelf.sha256}) into {shelf.raw}/ "
        "or into the folder named by REACTIVATE_MIRROR, and run again"
    )


def test_file_supplied_by_hand_is_used(shelf):
    (shelf.raw / "toy.csv").write_bytes(shelf.table)
    toy = shelf.dataset(shelf.package("npm"), shelf.mirror())
    assert fetch("toy", toy, raw=shelf.raw).source.kind == "mirror"


def test_wrong_file_by_hand_is_named_and_the_mirror_is_tried(shelf, monkeypatch):
    (shelf.raw / "toy.csv").write_bytes(b"other")
    monkeypatch.setenv("REACTIVATE_MIRROR", str(shelf.folder / "mirror"))
    with pytest.raises(ValueError, match=rf"{shelf.raw}: wrong checksum.*mirror/toy.csv does not"):
        fetch("toy", shelf.dataset(shelf.mirror()), raw=shelf.raw)
    (shelf.folder / "mirror").mkdir()
    (shelf.folder / "mirror" / "toy.csv").write_bytes(shelf.table)
    fetched = fetch("toy", shelf.dataset(shelf.mirror()), raw=shelf.raw)
    assert fetched.path.read_bytes() == shelf.table


def test_installed_package_gives_its_file(shelf, monkeypatch):
    (shelf.folder / "toypackage").mkdir()
    (shelf.folder / "toypackage" / "toy.csv").write_bytes(shelf.table)
    monkeypatch.syspath_prepend(shelf.folder)
    found = shelf.package("python", package="toypackage", member="toy.csv")
    assert fetch("toy", shelf.dataset(found), raw=shelf.raw).path == shelf.place
    missing = shelf.package("python", package="nosuchpackage", sha256="4" * 64)
    with pytest.raises(ValueError, match="no installed package nosuchpackage"):
        fetch("toy", shelf.dataset(missing), raw=shelf.raw)
