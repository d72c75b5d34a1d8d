"""Whatever is killed, and whenever, ends with the same bytes when it is called again.

Every stage is run through Snakemake, and every command that replaces files by itself; each is
killed with all its children just before it puts a file in its place, again and again. How often,
of all of them together, is set by REACTIVATE_KILLS.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys

import pytest
from made_up import write_all
from reactivate.experiment.exhibits import Cells
from reactivate.experiment.experiment import Experiment

pytestmark = pytest.mark.slow

TRAINS = ("train", "sweep", "prune", "defend", "observe")
MEASURES = ("attack", "certify", "reconstruct")
COMMANDS = ("publish", "freeze", "restore")
KILLS = int(os.environ.get("REACTIVATE_KILLS", "11"))
EACH = max(1, KILLS // len((*TRAINS, *MEASURES, *COMMANDS)))
COMMAND = "from reactivate.cli import main; main()"
# In every Python that runs one of these: the n-th file is not put in its place. Jobs are forks.
KILLER = """
import os, signal, sys

words = os.environ.get("KILL_IN", "").split()
if words:
    left = [int(os.environ["KILL_AT"])]

    def hook(event, arguments):
        if event in ("os.rename", "os.link") and "heartbeat" not in str(arguments[1]):
            run = sys.argv[0].removesuffix(".py").replace("/", ".")
            if any(word in sys.argv or word in run for word in words):
                left[0] -= 1
                if left[0] < 0:
                    os.killpg(os.getpgid(0), signal.SIGKILL)

    sys.addaudithook(hook)
"""


class Killed:
    """A folder in which commands are run, and killed."""

    def __init__(self, folder, hooks):
        self.folder, self.hooks = folder, hooks
        (hooks / "sitecustomize.py").write_text(KILLER, encoding="utf-8")

    def run(self, *command, **environment):
        path = os.pathsep.join([str(self.folder / "workflow"), str(self.hooks)])
        who = {
            f"GIT_{who}_{what}": "test@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=os.environ
            | who
            | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
            | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            start_new_session=True,
        )

    def finish(self, *command):
        done = self.run(*command)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def kill(self, command, word, steps, again=lambda: None):
        """Runs a command until it was killed often enough; one that comes through starts anew.

        Args:
            command: The command.
            word: The module or the command that is killed, with all others; or several.
            steps: The most files that it may put in place.
            again: Makes it start anew.

        Returns:
            The number of kills.
        """
        chance, kills = random.Random(word), 0
        for _ in range(5 * EACH):
            step = str(chance.randrange(steps))
            done = self.run(*command, KILL_IN=word, KILL_AT=step)
            assert done.returncode in (0, -signal.SIGKILL), done.stdout
            kills += done.returncode != 0
            if kills == EACH:
                break
            if done.returncode == 0:
                steps = max(1, int(step))  # there are no more files than that
                again()
        return kills


def files(folder):
    """Bytes of every file but records, which tell times, and logs."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("run.json", "times.csv") and path.suffix != ".log"
    }


def chosen_runs():
    """A run of every stage at scale smoke, and what is measured of one."""
    experiment, found = Experiment.load("smoke"), {}
    for paper in experiment.papers:
        for exhibit in experiment.exhibits(paper):
            if not isinstance(exhibit.form, Cells):
                continue
            for _, folder in exhibit.analysed.values():
                if "observe" in folder.parts:
                    found.setdefault("observe", folder)
            for place in exhibit.places:
                cell = exhibit.cell(place)
                found.setdefault(cell.recipe.stage, cell.folders()[0])
                if place.measurement is not None:
                    folder = exhibit.folders(place)[0]
                    found.setdefault(folder.parts[3], folder)
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory, copy_project):
    """The project with made-up data; nothing was run."""
    base = tmp_path_factory.mktemp("kills")
    (base / "hooks").mkdir()
    copy_project(base / "project")
    write_all(base / "project")
    return Killed(base / "project", base / "hooks")


@pytest.mark.parametrize("stage", [*TRAINS, *MEASURES])
def test_a_stage_that_is_killed_ends_with_the_bytes_of_one_left_alone(project, stage):
    folder = chosen_runs()[stage]
    here = project.folder / folder
    target = "-m", "snakemake", f"{folder}/run.json", "--nolock", "--cores", "1"
    project.finish(*target)
    alone = files(here)
    shutil.rmtree(here)
    word = f"reactivate.stages.{stage}"
    kills = project.kill(target, word, 6, again=lambda: shutil.rmtree(here))
    assert kills == EACH
    assert not (here / "run.json").exists()
    project.finish(*target)
    assert files(here) == alone
    if stage in TRAINS:
        shutil.rmtree(here)
        project.run(*target, KILL_IN=word, KILL_AT="1")  # when a snapshot is there
        project.finish(*target)
        record = json.loads((here / "run.json").read_text(encoding="utf-8"))
        assert record["times"]["resumes"] > 0
        assert files(here) == alone


@pytest.fixture
def clone(unfrozen, tmp_path):
    """A small clone that has computed a table."""
    (tmp_path / "hooks").mkdir()
    return Killed(unfrozen.folder, tmp_path / "hooks")


def test_a_publish_that_is_killed_leaves_the_old_publication_or_the_new(clone):
    clone.finish("-m", "snakemake", "results/smoke/audit.html", "--cores", "1")
    publish = "-c", COMMAND, "publish", "--scale", "smoke"
    published, readme = clone.folder / "published", clone.folder / "README.md"
    old = {}, readme.read_bytes()
    clone.finish(*publish)
    new = files(published), readme.read_bytes()

    def again():
        shutil.rmtree(published)
        readme.write_bytes(old[1])

    again()
    chance, kills, steps = random.Random("publish"), 0, 40
    for _ in range(5 * EACH):
        step = chance.randrange(steps)
        done = clone.run(*publish, KILL_IN="publish", KILL_AT=str(step))
        killed = done.returncode == -signal.SIGKILL
        clone.finish("-c", COMMAND, "status")  # any command completes what was begun
        found = files(published), readme.read_bytes()
        assert found in (old, new) if killed else found == new
        kills += killed
        steps = steps if killed else max(1, step)  # there are no more files than that
        if found == new:
            again()
        if kills == EACH:
            break
    assert kills == EACH
    clone.finish(*publish)
    assert (files(published), readme.read_bytes()) == new
    assert not (clone.folder / ".publishing").exists()


@pytest.mark.parametrize("word", ["freeze", "restore"])
def test_what_is_shared_survives_kills(clone, tmp_path, word):
    freeze, restore = (("-c", COMMAND, name) for name in ("freeze", "restore"))
    results = files(clone.folder / "results/smoke")
    kills = clone.kill(freeze, "freeze dvc", 12) if word == "freeze" else EACH
    clone.finish(*freeze)
    subprocess.run(["git", "clone", "--quiet", str(clone.folder), str(tmp_path / "b")], check=True)
    other = Killed(tmp_path / "b", tmp_path / "hooks")
    if word == "restore":
        there = other.folder / "results/smoke"
        kills = other.kill(restore, "restore dvc", 8, again=lambda: shutil.rmtree(there))
    assert kills == EACH
    assert "nothing to be done" in other.finish(*restore)
    restored = files(other.folder / "results/smoke")
    assert {name: restored[name] for name in results} == results
