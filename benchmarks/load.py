"""How busy other processes keep a machine while something is measured on it."""

import os
import time
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
QUIET = 0.15  # of one processor that others may use
PATIENCE = 180.0  # seconds to wait for that, before all benchmarks together


def busy_seconds() -> float:
    """Processor time of all processes since the machine was started; Linux only."""
    first = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()
    user, nice, system, _, _, *interrupts = map(int, first[1:9])
    return (user + nice + system + sum(interrupts[:2])) / TICK


class Watch:
    """Tells how many processors others used since it was made; ended children are no others."""

    def __init__(self) -> None:
        self.start, self.busy, self.own = time.monotonic(), busy_seconds(), _own()

    def others(self) -> float:
        """Processors that others kept busy in the mean."""
        passed = time.monotonic() - self.start
        used = busy_seconds() - self.busy - (_own() - self.own)
        return max(0.0, used / passed)


def wait_until_quiet(quiet: float = QUIET, patience: float = PATIENCE, each: float = 2.0) -> float:
    """Waits until others leave the machine alone, for a while; returns how busy they keep it."""
    end = time.monotonic() + patience
    while True:
        watch = Watch()
        time.sleep(each)
        busy = watch.others()
        if busy <= quiet or time.monotonic() >= end:
            return busy


def _own() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
