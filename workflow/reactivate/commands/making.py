"""Have Snakemake make files, and end it when this process is asked to end."""

import signal
import subprocess
import sys
from types import FrameType

from reactivate.warm.server import PACKAGE as WARM

PATIENCE = 10.0  # seconds without a job after which Snakemake should have ended


def snakemake(targets: list[str], cores: str, profile: str | None) -> None:
    """Has Snakemake make files, and ends it when this process is asked to end.

    Args:
        targets: What to make.
        cores: For jobs on this machine.
        profile: Of Snakemake, instead of cores: a cluster.

    Raises:
        ValueError: It fails; its own messages were shown.
    """
    options = ["--profile", profile] if profile else ["--cores", cores]
    command = [sys.executable, "-m", "snakemake", "--quiet", "rules", *options, "--", *targets]
    # a shell has its background jobs ignore SIGINT, which Snakemake would inherit: see end
    handlers = {signal.SIGTERM: _leave, signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        with subprocess.Popen(command) as process:
            try:
                code = process.wait()
            except BaseException:
                end(process)
                raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if code:
        raise ValueError(
            f"snakemake ended with {code} (above is why); nothing is lost: correct it, and the "
            "same command goes on with this look"
        )


def end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a Snakemake, after the jobs that it runs on this machine; others are cancelled.

    Its handler of SIGTERM takes a lock that the code it interrupts may hold, and waits for ever
    then: Snakemake 9.27 holds it while it puts down a job that ended. SIGINT ends that wait, and
    at any other time it loses what the running job has made. So it is sent only when no job has
    been running for a while. On a cluster it cancels jobs, which keep snapshots.
    """
    process.terminate()
    while True:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            if not _runs_a_job(process.pid):
                process.send_signal(signal.SIGINT)
        else:
            return


def _runs_a_job(pid: int) -> bool:
    """Whether a Snakemake has children that run, but the warm process."""
    import psutil  # of the extra workflow, as Snakemake is

    try:
        children = psutil.Process(pid).children()
        running = [child for child in children if child.status() != psutil.STATUS_ZOMBIE]
        return any(f"{WARM}.server" not in child.cmdline() for child in running)
    except psutil.NoSuchProcess:  # one of them has just ended: look again later
        return True


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
