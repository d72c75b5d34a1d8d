"""DVC after a command of it was killed: what that left in the way is put aside."""

import subprocess
import sys

import pytest
from reactivate.artifacts.storage import LOCKS, dvc


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A folder with DVC, and a file to be added."""
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "--quiet"], check=True)
    subprocess.run([sys.executable, "-m", "dvc", "init", "--quiet"], check=True)
    (tmp_path / "numbers.csv").write_text("1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("left", ["", '{"read": {'])
def test_a_list_of_locks_that_was_written_in_part_stops_no_command(repository, left):
    LOCKS.write_text(left, encoding="utf-8")
    dvc("add", "--quiet", "numbers.csv")
    assert (repository / "numbers.csv.dvc").exists()


def test_a_list_of_locks_that_can_be_read_stays_and_the_error_is_told(repository):
    LOCKS.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"dvc add nothing failed: .*nothing"):
        dvc("add", "nothing")
    assert LOCKS.exists()
