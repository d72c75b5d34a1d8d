"""A toy dataset inside a toy package, and package clients that need no network."""

import hashlib
import io
import tarfile
from pathlib import Path

import pytest
from reactivate.experiment.catalog.catalog import Dataset
from reactivate.experiment.catalog.imagesets import ImageSet
from reactivate.preparation import clients

TABLE = b"a,b,t\n1,2,3\n4,5,6\n"
MEMBER = "package/data/toy.csv"
LAYOUT = {"format": "csv", "header": 1}
FETCHED = {"sha256": hashlib.sha256(TABLE).hexdigest(), "read": LAYOUT}


class Shelf:
    """Clients that deliver ``archive`` and count their calls; entries that ask for it."""

    member = MEMBER
    table = TABLE
    sha256 = FETCHED["sha256"]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.raw = folder / "raw"
        self.cache = folder / "cache"
        self.archive = folder / "toy-1.0.tgz"
        self.place = self.cache / self.sha256 / "toy.csv"
        self.pack({"package/README": b"toy", MEMBER: TABLE})
        for made in ("bin", "raw"):
            (folder / made).mkdir()

    def pack(self, files):
        """Makes the archive anew with these names and contents."""
        with tarfile.open(self.archive, "w:gz") as archive:
            for name, content in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))

    def install(self, name, script=None):
        """Puts a client on PATH; without a script it delivers the archive."""
        command = self.folder / "bin" / name
        deliver = script or f'cp "{self.archive}" .'
        command.write_text(f'#!/bin/sh\necho {name} >> "{self.folder}/calls"\n{deliver}\n')
        command.chmod(0o755)

    @property
    def calls(self):
        path = self.folder / "calls"
        return path.read_text().split() if path.exists() else []

    def package(self, kind="npm", **changes):
        """A source that fetches the toy table from the toy package."""
        entry = {"kind": kind, "package": "toy", "version": "1.0", "member": MEMBER}
        if kind != "python":
            entry["archive"] = hashlib.sha256(self.archive.read_bytes()).hexdigest()
        return entry | FETCHED | changes

    def mirror(self, **changes):
        """A source that takes the toy table from a folder."""
        return {"kind": "mirror", "file": "toy.csv"} | FETCHED | changes

    def entry(self, *sources, **changes):
        """The catalog entry of the toy dataset: 2 rows, 2 features."""
        entry = {"title": "Toy", "licence": "none", "rows": 2, "features": 2, "target": "t"}
        return entry | {"prepared": "0" * 64, "sources": list(sources)} | changes

    def dataset(self, *sources, **changes):
        """The toy dataset with these sources."""
        return Dataset.model_validate(self.entry(*sources, **changes))


def md5(content):
    return hashlib.md5(content).hexdigest()


@pytest.fixture
def image_set():
    """``image_set(shape, train, test, official)``: a catalog entry; ``official`` are contents."""

    def describe(shape, train, test, official=(), classes=10, **changes):
        entry = {"kind": "images", "title": "Toy", "licence": "none", "prepared": "0" * 64}
        source = {"kind": "mirror", "format": "idx", "files": {"toy.tar": "0" * 64}}
        sizes = {"shape": shape, "train": train, "test": test, "classes": classes}
        checksums = {name: md5(content) for name, content in dict(official).items()}
        return ImageSet.model_validate(
            entry | sizes | {"official": checksums, "sources": [source]} | changes
        )

    return describe


@pytest.fixture
def tarball(tmp_path):
    """``tarball(name, files)``: a tarball, packed as its name says, of names and contents."""

    def pack(name, files, links=()):
        path = tmp_path / name
        with tarfile.open(path, f"w:{path.suffix[1:]}".removesuffix("tar")) as archive:
            for member, content in files.items():
                info = tarfile.TarInfo(member)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            for member in links:
                info = tarfile.TarInfo(member)
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
                archive.addfile(info)
        return path

    return pack


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """An empty cache, no mirror, and only the clients a test installs."""
    shelf = Shelf(tmp_path)
    monkeypatch.setenv("REACTIVATE_CACHE", str(shelf.cache))
    monkeypatch.delenv("REACTIVATE_MIRROR", raising=False)
    for name, command in (("npm", "npm"), ("pip", "pip"), ("apt", "apt-get")):
        monkeypatch.setitem(clients.CLIENTS, name, [str(tmp_path / "bin" / command)])
    return shelf
