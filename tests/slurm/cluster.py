"""A private SLURM of one node in a folder: its daemons, started and stopped by pid."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("slurmctld", "slurmd", "slurm-client", "munge")
DAEMONS = ("munged", "slurmctld", "slurmd")
GPUS = 8
TEMPLATE = Path(__file__).with_name("slurm.conf")


class CannotInstall(Exception):
    """Why SLURM is not and cannot be installed here."""


def install() -> None:
    """Installs Debian's packages, unless the daemons are there already."""
    os.environ["PATH"] += os.pathsep + "/usr/sbin"  # where Debian keeps daemons
    if all(shutil.which(name) for name in (*DAEMONS, "sbatch", "munge")):
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise CannotInstall(f"{', '.join(PACKAGES)} are missing and need apt-get as root")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["update", "-qq"],
        ["install", "-y", "-qq", "--no-install-recommends", *PACKAGES],
    ):
        done = subprocess.run(
            ["apt-get", *command], env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise CannotInstall(f"apt-get {command[0]} failed: {done.stderr.strip()[-500:]}")


@dataclass(frozen=True)
class Cluster:
    """A running cluster; everything it writes is in ``folder``."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a client of the cluster needs."""
        outside = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("SLURM_", "SBATCH_", "SRUN_", "MUNGE_"))
        }
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return outside | {"SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": path}

    def run(self, *command: str) -> str:
        """Output of a SLURM command."""
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True, timeout=60
        ).stdout

    def start(self) -> None:
        """Starts the daemons and waits until the node takes jobs."""
        _write_configuration(self.folder)
        munge = [
            *("munged", "--force", "--num-threads=2"),
            *(f"--{kind}-file={self.folder}/munge.{kind}" for kind in ("key", "seed")),
            *(f"--{kind}-file={self.folder}/munged.{kind}" for kind in ("pid", "log")),
            f"--socket={self.folder}/munge.socket",
        ]
        configuration = str(self.folder / "slurm.conf")
        self.run(*munge)
        self._wait("munge", "-n", "-S", f"{self.folder}/munge.socket")
        self.run("slurmctld", "-c", "-f", configuration)
        self._wait("scontrol", "ping", until="is UP")
        self.run("slurmd", "-c", "-f", configuration, "-N", _node())
        self._wait("sinfo", "-h", "-o", "%t", until="idle")

    def stop(self) -> None:
        """Cancels all jobs and ends the daemons that were started here, and no other process."""
        if _running(self._pid("slurmctld")):
            self.run("scancel", "--partition=test")
            self._wait("squeue", "-h", "-t", "PD,R,CG", until=None)
        for name in reversed(DAEMONS):
            pid = self._pid(name)
            for way in (signal.SIGTERM, signal.SIGKILL):
                if _running(pid, name):
                    os.kill(pid, way)
                deadline = time.monotonic() + 15
                while _running(pid, name) and time.monotonic() < deadline:
                    time.sleep(0.05)

    def running(self) -> list[str]:
        """The daemons that run."""
        return [name for name in DAEMONS if _running(self._pid(name), name)]

    def _pid(self, name: str) -> int:
        path = self.folder / f"{name}.pid"
        return int(path.read_text()) if path.exists() and path.read_text().strip() else 0

    def _wait(self, *command: str, until: str | None = "") -> None:
        """Waits for a command to succeed and print some text; ``None``: to print nothing."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            done = subprocess.run(
                command, env=self.environment, capture_output=True, text=True, check=False
            )
            fits = not done.stdout if until is None else until in done.stdout
            if done.returncode == 0 and fits:
                return
            time.sleep(0.1)
        logs = "\n".join(path.read_text()[-2000:] for path in self.folder.glob("*.log"))
        raise TimeoutError(f"{' '.join(command)} did not succeed within 30 s\n{logs}")


def _write_configuration(folder: Path) -> None:
    for name in ("bin", "state", "spool"):
        (folder / name).mkdir()
    (folder / "munge.key").write_bytes(secrets.token_bytes(1024))
    (folder / "munge.key").chmod(0o600)
    # The plugin's job step drops SLURM_CONF from the environment of its srun; this puts it back.
    srun = folder / "bin" / "srun"
    srun.write_text(f'#!/bin/sh\nSLURM_CONF="{folder}/slurm.conf" exec /usr/bin/srun "$@"\n')
    srun.chmod(0o755)
    # SLURM hands out only GPUs that are character devices; these pretend.
    for number in range(GPUS):
        (folder / f"gpu{number}").symlink_to("/dev/null")
    gres = f"NodeName={_node()} Name=gpu File={folder}/gpu[0-{GPUS - 1}]\n"
    (folder / "gres.conf").write_text(gres)
    control, node = _free_ports()
    values = {
        "folder": folder,
        "node": _node(),
        "user": pwd.getpwuid(os.geteuid()).pw_name,
        "port": control,
        "node_port": node,
        "gpus": GPUS,
    }
    text = TEMPLATE.read_text(encoding="utf-8").format(**values)
    (folder / "slurm.conf").write_text(text, encoding="utf-8")


def _node() -> str:
    return socket.gethostname().partition(".")[0]


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _running(pid: int, name: str = "") -> bool:
    """Whether a process is there, is no zombie and is still the one of that name."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z" and name in Path(f"/proc/{pid}/cmdline").read_text()
    except (OSError, IndexError):
        return False
