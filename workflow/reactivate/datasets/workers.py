"""Workers of a loader that go on when the whole job is told to end."""

import signal


def outlive_sigterm(worker: int) -> None:
    """Makes a worker of a ``DataLoader`` ignore SIGTERM, as its ``worker_init_fn``.

    SLURM sends the signal to all processes of a job. The one that trains finishes its step and
    saves; a worker that ended before would raise an error in it. Workers end with it.

    Args:
        worker: Number of the worker.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
