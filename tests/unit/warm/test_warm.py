"""A stage in a fork of the warm process is what it is by ``python -m``."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from reactivate.experiment.experiment import forget
from reactivate.experiment.loading import load_paper, load_paper_scales
from reactivate.warm import server
from reactivate.warm.kept import Kept
from reactivate.warm.places import ADDRESS, LIMITS, THREADS, threads_of

SURROUNDINGS = """
import json, os, sys
import reactivate.experiment.experiment  # as all stages do
from reactivate.foundation.digests import loaded_modules
print(json.dumps({
    "arguments": sys.argv[1:], "name": __name__, "module": __spec__.name, "folder": os.getcwd(),
    "word": os.environ.get("WORD"), "read": sys.stdin.read(), "loaded": sorted(loaded_modules()),
    "torch": "torch._dynamo" in sys.modules, "parent": os.getppid(),
}))
print("to the log", file=sys.stderr)
raise SystemExit(3)
"""
WAITING = """
import os, pathlib, signal, sys, time
def end(*_):
    pathlib.Path("saved").touch()
    raise SystemExit(7)
signal.signal(signal.SIGTERM, end)
pathlib.Path("process").write_text(str(os.getpid()))
while True:
    time.sleep(0.01)
"""


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A folder with modules, and the environment of jobs that find a warm process."""
    folder = tmp_path_factory.mktemp("warm")
    for name, text in (("surroundings", SURROUNDINGS), ("waiting", WAITING)):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{folder}:{Path(server.__file__).parents[2]}")
        patch.delenv(ADDRESS, raising=False)
        patch.chdir(folder)  # where there is no configuration
        process = server.start()
        environment = os.environ | dict.fromkeys(LIMITS, THREADS)
        patch.delenv(ADDRESS)
        yield folder, environment, process
        process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert not Path(environment[ADDRESS]).parent.exists()


def command(module, *arguments, warm=True):
    return [sys.executable, "-m", *(["reactivate.warm"] if warm else []), module, *arguments]


def surroundings(environment, folder, *, warm=True):
    done = subprocess.run(
        command("surroundings", "--scale", "a b", warm=warm),
        input="asked",
        cwd=folder,
        env=environment | {"WORD": "größer"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (3, "to the log\n")
    return json.loads(done.stdout)


def started(environment, folder):
    """A job that waits, and the process in which it really runs."""
    (folder / "process").unlink(missing_ok=True)
    job = subprocess.Popen(command("waiting"), cwd=folder, env=environment)
    while not (folder / "process").exists() or not (folder / "process").read_text():
        time.sleep(0.01)
        assert job.poll() is None
    return job, int((folder / "process").read_text())


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_fork_has_the_surroundings_of_the_command(warm, tmp_path):
    _, environment, process = warm
    seen = surroundings(environment, tmp_path)
    assert seen.pop("parent") == process.pid
    assert seen.pop("torch")
    plain = surroundings(environment, tmp_path, warm=False)
    assert not plain.pop("torch")
    plain.pop("parent")
    assert seen == plain  # the modules that were loaded, too
    assert seen["read"] == "asked"


def test_a_fork_starts_anew_where_the_configuration_is_not_the_one_that_was_read(warm, tmp_path):
    _, environment, process = warm
    (tmp_path / "config").mkdir()
    (tmp_path / "config/scales.yaml").write_text("smoke: {says: little}", encoding="utf-8")
    seen = surroundings(environment, tmp_path)
    assert seen.pop("parent") == process.pid
    plain = surroundings(environment, tmp_path, warm=False)
    plain.pop("parent")
    assert seen == plain
    assert not seen["torch"]


def test_the_configuration_is_read_once_until_a_file_of_it_changes(unrun, tmp_path, monkeypatch):
    kept = Kept.read()
    assert load_paper.cache_info().currsize == 1
    assert load_paper_scales.cache_info().currsize == 1
    assert kept.holds()
    monkeypatch.chdir(tmp_path)
    assert not kept.holds()
    monkeypatch.chdir(unrun)
    assert kept.holds()
    with (unrun / "config/papers/gmp/paper.yaml").open("a", encoding="utf-8") as file:
        file.write("# more\n")
    assert not kept.holds()


def test_papers_that_cannot_be_read_are_left_to_the_stage_that_asks_for_them(unrun, edit):
    edit("config/papers/gmp/paper.yaml", "paper: gmp", "paper: other")
    forget()
    assert Kept.read().holds()
    with pytest.raises(ValueError, match="the folder is 'gmp'"):
        load_paper("gmp")


@pytest.mark.parametrize(
    "change",
    [
        {ADDRESS: "nowhere"},
        dict.fromkeys(LIMITS, "2"),
        {"MKL_NUM_THREADS": "2"},
        {"LONG": "x" * 70000, "TOO": "x" * 70000},
    ],
    ids=["nobody there", "other threads", "threads unclear", "too long to ask"],
)
def test_it_runs_by_itself_where_it_cannot_be_warm(warm, tmp_path, change):
    _, environment, process = warm
    seen = surroundings(environment | change, tmp_path)
    assert seen["parent"] == os.getpid() != process.pid
    assert not seen["torch"]
    assert seen["module"] == "surroundings"


def test_signals_reach_the_fork_and_its_status_comes_back(warm, tmp_path):
    _, environment, _ = warm
    job, process = started(environment, tmp_path)
    assert process != job.pid
    job.send_signal(signal.SIGTERM)
    assert job.wait(timeout=30) == 7
    assert (tmp_path / "saved").exists()
    assert not is_running(process)


def test_a_fork_that_a_signal_ends_ends_its_job_by_it(warm, tmp_path):
    _, environment, _ = warm
    job, process = started(environment, tmp_path)
    assert process != job.pid
    os.kill(process, signal.SIGKILL)
    assert job.wait(timeout=30) == -signal.SIGKILL


def test_a_killed_job_leaves_no_fork(warm, tmp_path):
    _, environment, _ = warm
    job, process = started(environment, tmp_path)
    job.kill()
    job.wait(timeout=30)
    until = time.monotonic() + 30
    while is_running(process):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert surroundings(environment, tmp_path)["torch"]  # and the next is served


def test_many_at_once(warm, tmp_path):
    _, environment, _ = warm
    jobs = [
        subprocess.Popen(command("surroundings", str(number)), cwd=tmp_path, env=environment,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for number in range(12)
    ]  # fmt: skip
    told = [json.loads(job.communicate()[0]) for job in jobs]
    assert [one["arguments"] for one in told] == [[str(number)] for number in range(12)]
    assert {job.returncode for job in jobs} == {3}


def test_forks_end_with_the_warm_process(tmp_path, warm):
    folder, _, _ = warm
    code = (
        "import os, sys, time; from reactivate.warm import server; p = server.start();"
        "print(os.environ['REACTIVATE_WARM'], flush=True); sys.stdin.read()"
    )
    path = f"{folder}:{Path(server.__file__).parents[2]}"
    starter = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    address = starter.stdout.readline().strip()
    environment = os.environ | dict.fromkeys(LIMITS, THREADS)
    job, process = started(environment | {ADDRESS: address, "PYTHONPATH": path}, tmp_path)
    assert process != job.pid
    starter.kill()
    starter.communicate()
    assert job.wait(timeout=30) == 7  # it was asked to end, and could save
    assert not is_running(process)


@pytest.mark.parametrize("stage", server.FEW)
def test_stages_for_which_few_libraries_are_imported_load_no_more(stage):
    """Whatever a module of the package imports at its head: torch alone takes a second."""
    large = ("torch", "numpy", "scipy", "pandas", "matplotlib")
    code = f"""
import importlib, sys
for name in {server.FEW[stage]}:
    importlib.import_module(name)
there = {{name for name in {large} if name in sys.modules}}
import reactivate.stages.{stage}
print(sorted({{name for name in {large} if name in sys.modules}} - there))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_libraries_are_those_of_the_stages_that_are_run():
    few = server.libraries_of(["audit", "join", "audit"])
    assert set(few) == {*server.FEW["audit"], *server.FEW["join"]}
    assert len(few) == len(set(few))
    assert server.libraries_of(["audit", "a stage that nobody knows"]) == server.LIBRARIES
    assert {name for few in server.FEW.values() for name in few} <= {
        *server.LIBRARIES,
        "scipy.special",  # which scipy.stats imports
    }


def test_threads_are_known_where_all_limits_agree():
    assert threads_of(dict.fromkeys(LIMITS, "4")) == "4"
    assert threads_of({}) is None
    assert threads_of(dict.fromkeys(LIMITS, "1") | {LIMITS[-1]: "2"}) is None
