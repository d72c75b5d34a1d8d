"""Run a module as ``python -m`` does, in a fork of the warm process where there is one.

``python -m reactivate.warm reactivate.stages.tabulate --scale smoke ...`` does what it does
without ``reactivate.warm``, whether somebody types it or Snakemake starts it; only the libraries
are there already. Signals are passed on; the exit status is that of the module.
"""

import json
import os
import runpy
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from reactivate.warm.places import ADDRESS, LARGEST_MESSAGE, THREADS, threads_of

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


def main() -> None:
    """Runs the module that the command line names, with the arguments behind it."""
    if len(sys.argv) < 2:
        sys.exit("usage: python -m reactivate.warm MODULE [ARGUMENT ...]")
    module, *arguments = sys.argv[1:]
    connection = ask(module, arguments)
    if connection is None:
        sys.argv = [module, *arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        follow(connection)


def ask(module: str, arguments: list[str]) -> socket.socket | None:
    """A connection to the warm process, which has been asked to run a module; None if it cannot.

    It can where Snakemake started one, for as many threads: libraries read how many they may use
    when they are loaded.
    """
    address = os.environ.get(ADDRESS)
    if address is None or threads_of(os.environ) != THREADS:
        return None
    request = {
        "module": module,
        "arguments": arguments,
        "folder": str(Path.cwd()),
        "environment": dict(os.environ),
    }
    message = json.dumps(request).encode()
    if len(message) > LARGEST_MESSAGE:
        return None
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.connect(address)
        socket.send_fds(connection, [message], [0, 1, 2])
    except OSError:  # it has ended, or was never there
        connection.close()
        return None
    return connection


def follow(connection: socket.socket) -> None:
    """Ends as the forked process ends; signals reach it meanwhile."""
    told = connection.recv(LARGEST_MESSAGE)
    if told:
        process = int(told)

        def pass_on(number: int, _frame: object) -> None:
            with suppress(ProcessLookupError):
                os.kill(process, number)

        for number in PASSED_ON:
            signal.signal(number, pass_on)
        told = connection.recv(LARGEST_MESSAGE)
    if not told:
        sys.exit("the warm process ended before the stage did; start it again")
    status = int(told)
    if status < 0:  # a signal ended it
        for number in PASSED_ON:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main()
