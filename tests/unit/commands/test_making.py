"""Snakemake ends when it is asked to, also where its own handler of SIGTERM waits for ever."""

import signal
import subprocess
import sys
import time

import pytest
from reactivate.commands import making

# As Snakemake 9.27 does (scheduling/job_scheduler.py): the handler takes a lock of the main thread
STUCK = """
import pathlib, signal, sys, threading, time
lock = threading.Lock()
def gracefully(*_):
    with lock:
        pass
signal.signal(signal.SIGTERM, gracefully)
try:
    with lock:
        START
        time.sleep(60)
except KeyboardInterrupt:
    raise SystemExit(3)
"""

READY = "print('ready', flush=True)"

# It has a job, and ends by itself after it
BUSY = """
import signal, subprocess, sys
signal.signal(signal.SIGTERM, lambda *_: None)
job = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(2.5)"])
print("ready", flush=True)
try:
    job.wait()
except KeyboardInterrupt:
    raise SystemExit(4)
raise SystemExit(0)
"""


@pytest.fixture
def begun():
    """Starts a program, and returns when it is ready."""
    programs = []

    def start(text):
        program = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE)
        programs.append(program)
        assert program.stdout.readline() == b"ready\n"
        return program

    yield start
    for program in programs:
        program.kill()
        program.wait()
        program.stdout.close()


def test_one_that_waits_for_its_own_lock_is_interrupted(begun, monkeypatch):
    monkeypatch.setattr(making, "PATIENCE", 0.2)
    heard = "signal.signal(signal.SIGINT, signal.default_int_handler)"  # also in the background
    program = begun(f"import signal; {heard}{STUCK.replace('START', READY)}")
    making.end(program)
    assert program.returncode == 3


def test_one_that_runs_a_job_is_waited_for(begun, monkeypatch):
    monkeypatch.setattr(making, "PATIENCE", 1.0)  # less than the job, more than ending takes
    program = begun(BUSY)
    making.end(program)
    assert program.returncode == 0


def test_the_warm_process_is_no_job(begun):
    asleep = "import time; print('ready', flush=True); time.sleep(60)"
    warm = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {asleep!r}, 'NAME'])"
    for name, is_job in (("reactivate.warm.server", False), ("reactivate.stages.train", True)):
        program = begun(f"{warm.replace('NAME', name)}.wait()")
        try:
            assert making._runs_a_job(program.pid) == is_job
        finally:
            import psutil

            for child in psutil.Process(program.pid).children():
                child.kill()


def test_a_job_that_has_ended_and_was_not_waited_for_is_none(begun):
    fork = "import os, time; job = os.fork(); job or os._exit(0)"
    ended = "os.waitid(os.P_PID, job, os.WEXITED | os.WNOWAIT)"
    program = begun(f"{fork}; {ended}; {READY}; time.sleep(60)")
    assert not making._runs_a_job(program.pid)


@pytest.mark.parametrize("interrupt", [signal.SIG_DFL, signal.SIG_IGN], ids=["front", "back"])
def test_a_request_to_end_ends_snakemake_and_then_this_process(tmp_path, interrupt):
    started = tmp_path / "started"
    fake = STUCK.replace("START", f"pathlib.Path({str(started)!r}).touch()")
    run = (
        "import signal, subprocess, sys; from reactivate.commands import making\n"
        f"signal.signal(signal.SIGINT, {int(interrupt)})\n"  # jobs in the background ignore it
        "making.PATIENCE, popen = 0.2, subprocess.Popen\n"
        f"subprocess.Popen = lambda command: popen([sys.executable, '-c', {fake!r}])\n"
        "making.snakemake(['x'], '1', None)"
    )
    program = subprocess.Popen([sys.executable, "-c", run])
    try:
        deadline = time.monotonic() + 60
        while not started.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        program.send_signal(signal.SIGTERM)
        assert program.wait(timeout=60) == 128 + signal.SIGTERM
    finally:
        program.kill()
        program.wait()
