"""Packages are downloaded by the real pip without running them; a cut connection is noticed."""

import io
import tarfile
import urllib.request
from email.message import Message

import pytest
from reactivate.experiment.catalog.catalog import PackageSource, UrlSource
from reactivate.foundation.files import sha256
from reactivate.preparation.clients import download, download_url
from reactivate.preparation.problems import SourceError

SHA = "0" * 64
LAYOUT = {"format": "csv"}


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """A source package whose setup.py leaves a mark, where pip looks for packages."""
    setup = f"open({str(tmp_path / 'ran')!r}, 'w')\nimport setuptools\nsetuptools.setup()"
    with tarfile.open(tmp_path / "toy-set-1.0.tar.gz", "w:gz") as archive:
        for name, text in (("setup.py", setup), ("PKG-INFO", "Name: toy-set\nVersion: 1.0\n")):
            info = tarfile.TarInfo(f"toy-set-1.0/{name}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    (tmp_path / "packed").mkdir()
    return tmp_path


def sdist(archive):
    return PackageSource.model_validate(
        {"kind": "pip_sdist", "package": "toy-set", "version": "1.0", "member": "toy-set-1.0/a"}
        | {"sha256": SHA, "archive": archive, "read": LAYOUT}
    )


def test_source_package_is_downloaded_but_not_run(hostile):
    package = hostile / "toy-set-1.0.tar.gz"
    archive = download(sdist(sha256(package)), hostile / "packed")
    assert archive.name == package.name
    assert archive.read_bytes() == package.read_bytes()
    assert not (hostile / "ran").exists()


def test_source_package_with_another_checksum_is_refused_with_both(hostile):
    found = sha256(hostile / "toy-set-1.0.tar.gz")
    with pytest.raises(SourceError, match=f"Expected sha256 {SHA}; Got {found}"):
        download(sdist(SHA), hostile / "packed")
    assert not (hostile / "ran").exists()


def test_package_that_does_not_exist_is_reported(hostile):
    missing = sdist(SHA).model_copy(update={"package": "no-such", "kind": "pip"})
    with pytest.raises(SourceError, match=r"pip failed .*No matching distribution found"):
        download(missing, hostile / "packed")


class Answer(io.BytesIO):
    """What ``urlopen`` returns: a body and the length that was promised."""

    def __init__(self, body, length):
        super().__init__(body)
        self.headers = Message()
        self.headers["Content-Length"] = str(length)


def url():
    return UrlSource.model_validate(
        {"kind": "url", "url": "https://nowhere.invalid/a.csv", "sha256": SHA, "read": LAYOUT}
    )


def test_whole_answer_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: Answer(b"1,2\n", 4))
    download_url(url(), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == b"1,2\n"


def test_connection_cut_short_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: Answer(b"1,2\n", 9))
    with pytest.raises(SourceError, match="download cut short: 4 of 9 bytes"):
        download_url(url(), tmp_path / "a.csv")
