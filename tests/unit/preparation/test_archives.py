"""Only the named regular file comes out of a package, and only to where it was asked."""

import io
import tarfile
import zipfile

import pytest
from reactivate.preparation import archives
from reactivate.preparation.archives import extract
from reactivate.preparation.problems import SourceError


def tarball(path, *members):
    """A tarball of (name, content) files and (name, None, target) links."""
    with tarfile.open(path, "w:gz") as archive:
        for name, content, *target in members:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, target[0]
            else:
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content or b""))
    return path


def wheel(path, **members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_only_the_named_member_is_written(tmp_path):
    archive = tarball(tmp_path / "a.tgz", ("a", b"1"), ("../b", b"2"), ("/c", b"3"))
    (tmp_path / "out").mkdir()
    extract(archive, "a", tmp_path / "out" / "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tgz", "out"]
    assert (tmp_path / "out" / "a").read_bytes() == b"1"


@pytest.mark.parametrize("member", ["../b", "a/../../b", "/c"])
def test_member_outside_the_package_is_refused(tmp_path, member):
    archive = tarball(tmp_path / "a.tgz", (member, b"2"))
    with pytest.raises(SourceError, match="points outside the package"):
        extract(archive, member, tmp_path / "out")
    assert [left.name for left in tmp_path.iterdir()] == ["a.tgz"]


def test_link_in_a_tarball_is_refused(tmp_path):
    (tmp_path / "secret").write_text("x")
    archive = tarball(tmp_path / "a.tgz", ("a", None, str(tmp_path / "secret")))
    with pytest.raises(SourceError, match="not a regular file"):
        extract(archive, "a", tmp_path / "out")


def test_link_in_a_wheel_is_refused(tmp_path):
    link = zipfile.ZipInfo("a")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(SourceError, match="not a regular file"):
        extract(tmp_path / "a.whl", "a", tmp_path / "out")


def test_member_of_a_wheel_is_written(tmp_path):
    extract(wheel(tmp_path / "a.whl", a="1", b="2"), "b", tmp_path / "out")
    assert (tmp_path / "out").read_text() == "2"


def test_missing_member_is_named(tmp_path):
    for archive in (wheel(tmp_path / "a.whl", a="1"), tarball(tmp_path / "a.tgz", ("a", b"1"))):
        with pytest.raises(SourceError, match=f"{archive.name} holds no b/c"):
            extract(archive, "b/c", tmp_path / "out")


@pytest.mark.parametrize("name", ["a.whl", "a.tgz", "a.deb"])
def test_something_else_than_a_package_is_refused(tmp_path, name):
    (tmp_path / name).write_bytes(b"<html>not found</html>")
    with pytest.raises(SourceError, match=r"a\.(whl|tgz|deb)"):
        extract(tmp_path / name, "a", tmp_path / "out")


@pytest.mark.parametrize("name", ["bomb.tar.gz", "bomb.whl"])
def test_a_member_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch, name):
    monkeypatch.setattr(archives, "MOST_BYTES", 1 << 20)
    content = bytes((1 << 20) + 1)  # a thousandth of it when packed
    path, out = tmp_path / name, tmp_path / "out"
    if name.endswith("whl"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("zeros", content)
    else:
        with tarfile.open(path, "w:gz") as package:
            info = tarfile.TarInfo("zeros")
            info.size = len(content)
            package.addfile(info, io.BytesIO(content))
        with pytest.raises(SourceError, match="unpacks to more than"):
            list(archives.read_members(path))
    with pytest.raises(SourceError, match=r"zeros in .* is larger than 1048576 bytes"):
        extract(path, "zeros", out)
    monkeypatch.setattr(archives, "MOST_BYTES", (1 << 20) + 1)
    extract(path, "zeros", out)
    assert out.read_bytes() == content
