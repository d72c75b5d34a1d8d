"""A publication that is killed at any point is the old one or the new one."""

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest
from reactivate.artifacts import replacing
from reactivate.artifacts.replacing import READY, STAGING, alone, commit, finish, prepare

SEEN = ("open", "os.", "shutil.", "ctypes.")  # events of whatever touches the disk


def write(folder, text):
    (folder / "published/smoke").mkdir(parents=True)
    for name in ("a.csv", "b.csv"):
        (folder / "published/smoke" / name).write_text(text, encoding="utf-8")
    (folder / "README.md").write_text(text, encoding="utf-8")


def texts():
    paths = [*Path("published").rglob("*.csv"), Path("README.md")]
    return sorted(path.read_text(encoding="utf-8") for path in paths)


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "old")


def replace_all():
    with alone():
        place, new = prepare()
        (place / "unfinished").touch()
        write(new, "new")
        commit()


def killed_at(step):
    """Replaces the publication in a process that is killed before its n-th touch of the disk.

    Returns:
        Whether it came that far.
    """
    child = os.fork()
    if child == 0:
        left = [step]

        def count(event, _):
            if event.startswith(SEEN) and event != "os.kill":
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(count)
            replace_all()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [True, False])
def test_it_is_the_old_one_or_the_new_one_wherever_it_was_killed(
    project, tmp_path, monkeypatch, at_once
):
    if not at_once:  # a system that cannot exchange two names
        monkeypatch.setattr(replacing, "_exchanged", lambda new, old: False)
    ends, step = [], 0
    while killed_at(step):
        finish()  # as every command does first
        assert texts() in (["old"] * 3, ["new"] * 3)
        assert not READY.exists()
        ends.append(texts()[0])
        replace_back(tmp_path)
        step += 1
    assert step > 20
    assert ends == sorted(ends, reverse=True)  # first old ones, then new ones
    assert set(ends) == {"old", "new"}
    assert texts() == ["new"] * 3
    assert not STAGING.exists()


def replace_back(folder):
    for name in ("published", ".publishing"):
        shutil.rmtree(folder / name, ignore_errors=True)
    write(folder, "old")


def test_where_names_change_places_at_once_something_is_always_published(project, tmp_path):
    step = 0
    while killed_at(step):
        published = sorted(p.read_text(encoding="utf-8") for p in Path("published").rglob("*.csv"))
        assert published in (["old"] * 2, ["new"] * 2)
        assert Path("README.md").read_text(encoding="utf-8") in ("old", "new")
        replace_back(tmp_path)
        step += 1


def test_leftovers_of_a_killed_one_are_gone_after_the_next(project):
    assert killed_at(8)
    assert STAGING.exists()
    replace_all()
    assert sorted(path.name for path in Path().iterdir()) == ["README.md", "published"]


def test_the_first_publication_of_all(project, tmp_path):
    shutil.rmtree(tmp_path / "published")
    replace_all()
    assert texts() == ["new"] * 3


def test_one_at_a_time(project):
    with alone():
        child = os.fork()
        if child == 0:
            refused = 1
            try:
                replace_all()
            except ValueError as error:
                refused = "another publish is at work in this clone" not in str(error)
            finally:
                os._exit(refused)
        assert os.waitpid(child, 0)[1] == 0
    assert texts() == ["old"] * 3
    replace_all()
    assert texts() == ["new"] * 3
    assert not replacing.LOCK.exists()


def test_what_a_publish_forked_and_left_behind_does_not_hold_the_lock(project):
    with alone():
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
    try:
        replace_all()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert texts() == ["new"] * 3


def test_who_completes_a_publication_waits_for_one_that_is_at_work(project):
    """Two that exchange the same folders would put the old one back."""
    step = next(step for step in range(200) if killed_at(step) and READY.exists())
    assert step > 0
    with alone():
        child = os.fork()
        if child == 0:
            try:
                finish()
            finally:
                os._exit(0)
        time.sleep(0.3)
        assert os.waitpid(child, os.WNOHANG) == (0, 0)
        replacing._put_in_place()
    os.waitpid(child, 0)
    assert texts() == ["new"] * 3
