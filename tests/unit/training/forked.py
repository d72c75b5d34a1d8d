"""Trains in children forked from one process, so that torch is imported once; prints JSON.

``forked.py kill CASE`` kills a training at random moments, ``forked.py kill_saving CASE`` while it
saves, both until it has ended; ``forked.py together CASE`` trains in one process, then in two.
``forked.py terminate CASE`` sends SIGTERM after every few steps, ``forked.py terminate_together
CASE`` to one of two. The current folder holds the data.
"""

import json
import os
import random
import shutil
import signal
import socket
import sys
import time
import traceback
from pathlib import Path

from conftest import make_run, train_and_leave
from reactivate.foundation.files import sha256
from reactivate.training.classification import Classification
from reactivate.training.ending import EXIT_CODE, Ending
from reactivate.training.processes import processes
from reactivate.training.pruning.callback import MASKS
from reactivate.training.run import WRITTEN
from reactivate.training.trainer import Trainer
from safetensors.torch import load

KILLS = 22
PLATEAU = {"kind": "plateau", "watch": "top1", "factor": 0.5, "patience": 1, "stop_patience": 3}
CASES = {
    "adam": {"network": "mlp", "epochs": 20, "optimizer": {"name": "adam", "weight_decay": 0.0}},
    "dropout": {"network": "dropout", "parameterization": "bn", "epochs": 8},
    "plateau": {"network": "dropout", "parameterization": "bn", "schedule": PLATEAU, "epochs": 9},
    "defended": {
        "network": "mlp",
        "parameterization": "bn",
        "epochs": 5,
        "defence": {"name": "pgd", "epsilon": 8.0, "step": 4.0, "steps": 2, "start": "gaussian"},
    },
    "pruned": {
        "network": "mlp",
        "parameterization": "bn",
        "epochs": 8,
        "pruning": {"blend": "entropy_weighted", "sparsity": 0.8, "every": 2, "fine_tune": 1},
    },
    "odd_batches": {"network": "mlp", "batch_size": 7},  # the last has one image, for two
}


def in_child(work, *arguments):
    """Starts ``work`` in a child; returns its process id."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work(*arguments)
        status = 0
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def wait(child):
    """Whether a child was killed; one that failed ends everything."""
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        sys.exit("a child failed")
    return os.WIFSIGNALED(status)


def train(out, case):
    with processes() as (share, device), Ending() as ending:
        train_and_leave(make_run(out, **CASES[case]), share, device, ending)


def train_until_told(steps, out, case):
    """Trains, and is sent SIGTERM in the middle of a step, after so many others."""
    step = Trainer._step
    made = []

    def step_and_be_told(self, batch, totals):
        made.append(batch)
        if len(made) > steps:
            os.kill(os.getpid(), signal.SIGTERM)
        step(self, batch, totals)

    Trainer._step = step_and_be_told
    train(out, case)


def code_of(child):
    """The code that a child ended with; one that failed ends everything."""
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code in (0, EXIT_CODE) else sys.exit("a child failed")


def unfinished(out):
    """Epochs and batches of the next one that a kept state has behind it."""
    state = json.loads(bytes(load((out / "checkpoints/newest").read_bytes()[32:])["state"]))
    return state["epoch"], state["batches"]


def terminate(case):
    """Sends SIGTERM during every second step until the training has ended."""
    seconds_alone(case)
    out, stops, codes = Path("killed"), [], []
    while not codes or codes[-1]:
        codes.append(code_of(in_child(train_until_told, 1, out, case)))
        if codes[-1]:
            stops.append(unfinished(out))
    sums = {name: written(Path(name)) for name in ("alone", "killed")}
    return {**sums, "codes": codes, "stops": stops, "resumes": resumes(out)}


def terminate_together(case):
    """Sends SIGTERM to the second of two processes until the training has ended."""
    seconds_alone(case)
    for child in pair(train, "together", case):
        wait(child)
    out, stops, codes = Path("killed"), [], []
    while not codes or codes[-1] != [0, 0]:
        children = pair(train_until_told, 4, out, case, only=1)
        codes.append([code_of(child) for child in children])
        if codes[-1] != [0, 0]:
            stops.append(unfinished(out))
    sums = {name: written(Path(name)) for name in ("together", "killed")}
    return {**sums, "codes": codes, "stops": stops}


def written(out):
    return [sha256(out / name) for name in (*WRITTEN, MASKS) if (out / name).exists()]


def resumes(out):
    return json.loads((out / "run.json").read_text(encoding="utf-8"))["times"]["resumes"]


def seconds_alone(case):
    """Trains undisturbed, here: children inherit what torch imports when it is first used."""
    train("warm", case)
    start = time.monotonic()
    train("alone", case)
    return time.monotonic() - start


def kill(case):
    """Kills at random moments until enough kills hit a running process."""
    seconds = seconds_alone(case)
    moments, out = random.Random(0), Path("killed")
    kills, ended, resumed = 0, [], 0
    while kills < KILLS or out.exists():
        child = in_child(train, out, case)
        time.sleep(moments.uniform(0, seconds / 2))
        os.kill(child, signal.SIGKILL)
        if wait(child):
            kills += 1
            continue
        ended.append(written(out))
        resumed += resumes(out)
        shutil.rmtree(out)
    return {"alone": written(Path("alone")), "kills": kills, "ended": ended, "resumes": resumed}


def die_saving(when, out, case):
    """Trains until the second snapshot is saved, and is killed before or after it is in place."""
    replace = Path.replace
    saved = []

    def replace_and_die(self, target):
        saved.extend([target] if target.name == "newest" else [])
        if when == "after" or len(saved) < 2:
            replace(self, target)
        if len(saved) == 2:
            os.kill(os.getpid(), signal.SIGKILL)

    Path.replace = replace_and_die
    train(out, case)


def kill_saving(case):
    """Kills while a snapshot is put in place, until the training ends without another."""
    seconds_alone(case)
    kills, out = 0, Path("killed")
    while wait(in_child(die_saving, ("before", "after")[kills % 2], out, case)):
        kills += 1
    ended, resumed = [written(out)], resumes(out)
    return {"alone": written(Path("alone")), "kills": kills, "ended": ended, "resumes": resumed}


def join(rank, port, work, *arguments):
    """Does ``work`` as torchrun would start it, as one of two."""
    names = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
    os.environ |= dict(zip(names, map(str, (rank, rank, 2, "127.0.0.1", port)), strict=True))
    if rank == 1:
        Classification.test = Classification.measure = None  # the first measures for both
    work(*arguments)


def pair(work, *arguments, only=None):
    """Starts two processes that share every batch; all but ``only`` one of them just train."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return [
        in_child(join, rank, port, work, *arguments)
        if only in (None, rank)
        else in_child(join, rank, port, train, *arguments[-2:])
        for rank in range(2)
    ]


def together(case):
    """Trains in one process, then in two, then in two of which the first is killed once."""
    seconds_alone(case)
    for child in pair(train, "together", case):
        wait(child)
    first, second = pair(die_saving, "before", "killed", case)
    kills = int(wait(first))
    os.kill(second, signal.SIGKILL)
    os.waitpid(second, 0)
    for child in pair(train, "killed", case):
        wait(child)
    sums = {out: written(Path(out)) for out in ("alone", "together", "killed")}
    return {**sums, "kills": kills, "resumes": resumes(Path("killed"))}


if __name__ == "__main__":
    mode, case = sys.argv[1:]
    modes = (kill, kill_saving, terminate, terminate_together, together)
    print(json.dumps({each.__name__: each for each in modes}[mode](case)))
