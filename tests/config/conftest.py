"""The configuration, and a copy of it that a test may break."""

import shutil
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from reactivate.experiment import experiment, resources

ROOT = Path(__file__).parents[2]
sys.path.append(str(Path(__file__).parent))  # for quotes.py


def forget():
    """Reads the configuration again: it is cached by name, and every folder has its own."""
    experiment.forget()
    resources.load_resources.cache_clear()


@pytest.fixture(scope="module")
def configuration():
    """The project's own, for tests that only read: it is loaded once for all of a file."""
    forget()
    with chdir(ROOT):
        yield
    forget()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with the project's configuration, read as if for the first time."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    forget()
    yield tmp_path
    forget()


@pytest.fixture
def edit(project):
    """``edit(file, old, new)``: replaces a text that must be there, everywhere in the file."""

    def replace(name, old, new):
        path = project / "config" / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} does not hold {old!r}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        forget()

    return replace
