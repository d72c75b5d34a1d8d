"""What is installed is what was locked: every package by version and checksum, but for torch."""

import re
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
PIN = re.compile(
    r"^([A-Za-z0-9._-]+)==([^\s;]+)((?: \\\n    --hash=sha256:[0-9a-f]{64})*)$", re.MULTILINE
)
TORCH = {"torch", "torchvision"}


def plain(name):
    return re.sub("[-_.]+", "-", name).lower()


def pins(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    found = {
        plain(name): (version, hashes.count("sha256"))
        for name, version, hashes in PIN.findall(text)
    }
    assert len(found) == len(lines), "a line that is no pin"
    return found


def test_every_package_has_checksums_but_torch():
    locked, torch = pins("requirements.lock"), pins("requirements-torch.lock")
    assert len(locked) > 200
    assert all(hashes for _, hashes in locked.values())
    assert torch.keys() == TORCH
    assert not TORCH & locked.keys()


def test_packages_are_of_the_locked_versions():
    locked = pins("requirements.lock") | pins("requirements-torch.lock")
    packages = [
        sysconfig.get_path("purelib"),
        sysconfig.get_path("platlib"),
    ]  # none that is vendored
    installed = {
        plain(one.metadata["Name"]): one.version.partition("+")[0]
        for one in distributions(path=packages)
    }
    differ = {
        name: (installed.get(name), version)
        for name, (version, _) in locked.items()
        if installed.get(name) != version.partition("+")[0]
    }
    assert not differ
