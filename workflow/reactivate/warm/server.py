"""The warm process: it imports the libraries once, and forks itself for every request.

Started by :func:`start` where Snakemake runs jobs on this machine; it ends with Snakemake, because
its standard input does. A fork is what ``python -m MODULE`` would be in the same folder and
environment. Of this package only what every stage loads is loaded beforehand, so a record still
names the modules of its stage. The configuration is read beforehand too; where it was changed
since, a fork starts anew as ``python -m MODULE``.
"""

import atexit
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from reactivate.warm.kept import EXPERIMENT, Kept
from reactivate.warm.places import ADDRESS, LARGEST_MESSAGE, LIMITS, THREADS

PACKAGE = "reactivate.warm"
LIBRARIES = (
    "torch",
    "torch._dynamo",  # which the first optimizer of a process imports, and sympy with it
    "numpy",
    "scipy.integrate",
    "scipy.optimize",
    "scipy.stats",
    "pandas",
    "pydantic",
    "yaml",
    "safetensors.torch",
    "matplotlib.figure",
    "matplotlib.backends.backend_agg",
    EXPERIMENT,
)
FEW = {  # libraries of stages that need no more; torch and what comes with it takes seconds
    "audit": ("numpy", "scipy.special", EXPERIMENT),
    "join": (EXPERIMENT,),
    "tabulate": ("numpy", "pandas", "scipy.stats", EXPERIMENT),
}


_started: list[subprocess.Popen[bytes]] = []  # keeps open what tells them to go on


def libraries_of(stages: Iterable[str]) -> tuple[str, ...]:
    """The libraries that are imported for jobs of some stages, none of them twice.

    Example:
        >>> libraries_of(["join"])
        ('reactivate.experiment.experiment',)
        >>> libraries_of(["audit", "train"]) == LIBRARIES
        True
    """
    asked = set(stages)
    if not asked <= FEW.keys():
        return LIBRARIES
    return tuple(dict.fromkeys(name for stage in sorted(asked) for name in FEW[stage]))


def start(libraries: Iterable[str] = LIBRARIES) -> subprocess.Popen[bytes]:
    """Starts the warm process; jobs find it by the environment. It ends when the caller ends.

    Args:
        libraries: What it imports; a fork imports whatever else its stage needs.
    """
    folder = tempfile.mkdtemp(prefix="reactivate-")  # readable by its owner only
    address = str(Path(folder) / "socket")
    environment = os.environ | dict.fromkeys(LIMITS, THREADS)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(address)
        listening.listen(128)  # requests wait for it, if they are earlier
        number = listening.fileno()
        command = [sys.executable, "-m", f"{PACKAGE}.server", address, str(number), *libraries]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, env=environment, pass_fds=[number]
        )
    _started.append(process)
    os.environ[ADDRESS] = address
    return process


@dataclass(frozen=True)
class Request:
    """A module to run, and all that ``python -m`` would get from its surroundings."""

    module: str
    arguments: list[str]
    folder: str
    environment: dict[str, str]
    streams: list[int]

    @classmethod
    def received(cls, connection: socket.socket) -> "Request | None":
        """The request that came over a connection; None if whoever asked has gone."""
        message, streams, _, _ = socket.recv_fds(connection, LARGEST_MESSAGE, 3)
        return cls(**json.loads(message), streams=streams) if message else None

    def run(self, kept: Kept) -> None:
        """Runs the module in this process, which has read a configuration."""
        for number, stream in enumerate(self.streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        if not kept.holds():
            os.execv(sys.executable, [sys.executable, "-m", self.module, *self.arguments])
        for name in [name for name in sys.modules if name.startswith(PACKAGE)]:
            del sys.modules[name]
        sys.argv = [self.module, *self.arguments]
        runpy.run_module(self.module, run_name="__main__", alter_sys=True)


class Server:
    """Forks a process for every request, and tells whoever asked how it ended.

    Args:
        listening: The socket to which requests come.
    """

    def __init__(self, listening: socket.socket) -> None:
        self.listening = listening
        self.asking: dict[int, socket.socket] = {}  # by the forked process
        self.selector = selectors.DefaultSelector()
        self.woken, waking = socket.socketpair()
        for end in (self.woken, waking):
            end.setblocking(False)
        self.waking = waking
        signal.set_wakeup_fd(waking.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.selector.register(sys.stdin, selectors.EVENT_READ, self.stop)
        self.selector.register(self.woken, selectors.EVENT_READ, self.reap)
        self.selector.register(listening, selectors.EVENT_READ, self.accept)
        self.stopped = False

    def serve(self) -> Request | None:
        """Serves until standard input ends: None then, and in every fork the request it is for."""
        while not self.stopped or self.asking:
            for key, _ in self.selector.select():
                request: Request | None = key.data()
                if request is not None:
                    return request
        return None

    def stop(self) -> None:
        """Asks forks to end, because nobody is left who would read what they make."""
        self.stopped = True
        self.selector.unregister(sys.stdin)
        for process in self.asking:
            os.kill(process, signal.SIGTERM)

    def reap(self) -> None:
        """Tells how processes ended to those who asked for them."""
        self.woken.recv(4096)
        with suppress(ChildProcessError):
            while True:
                process, status = os.waitpid(-1, os.WNOHANG)
                if process == 0:
                    return
                connection = self.asking.pop(process)
                self.selector.unregister(connection)
                with connection, suppress(OSError):
                    connection.send(str(os.waitstatus_to_exitcode(status)).encode())

    def accept(self) -> Request | None:
        """Forks for a request: it, in the fork; None in this process."""
        connection, _ = self.listening.accept()
        request = Request.received(connection)
        if request is None:
            connection.close()
            return None
        process = os.fork()
        if process == 0:
            connection.close()
            self.close()
            return request
        for stream in request.streams:
            os.close(stream)
        self.asking[process] = connection
        self.selector.register(connection, selectors.EVENT_READ, lambda: self.drop(process))
        with suppress(OSError):
            connection.send(str(process).encode())
        return None

    def drop(self, process: int) -> None:
        """Ends a process whose asker was killed, as it would have been in its place."""
        connection = self.asking.pop(process)
        self.selector.unregister(connection)
        connection.close()
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)

    def close(self) -> None:
        """Leaves a fork nothing of the server: sockets and signals are as in a new process."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.selector.close()
        for end in (self.listening, self.woken, self.waking, *self.asking.values()):
            end.close()


def _end_with(run: Callable[[], None]) -> NoReturn:
    """Ends the process as Python would after a call, but leaves the memory to the system.

    To take hundreds of libraries apart, as Python does at its end, takes longer than many a stage.
    """
    status: object = 0
    try:
        run()
    except SystemExit as ending:
        status = ending.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if not isinstance(status, int | None):
        print(status, file=sys.stderr)
        status = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status or 0)


def main() -> None:
    """Serves at the address, and by the socket, on the command line, until standard input ends.

    The libraries to import stand behind them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the jobs
    address, listening = Path(sys.argv[1]), socket.socket(fileno=int(sys.argv[2]))
    for name in sys.argv[3:]:
        import_module(name)
    kept = Kept.read()
    gc.freeze()  # forks share these objects' memory as long as nobody touches it
    request = Server(listening).serve()
    if request is not None:
        _end_with(lambda: request.run(kept))
    address.unlink()
    address.parent.rmdir()


if __name__ == "__main__":
    main()
