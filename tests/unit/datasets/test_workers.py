"""Workers of a loader and SIGTERM, which SLURM sends to all processes of a job."""

import multiprocessing
import os
import signal

import pytest
import torch
from reactivate.datasets.workers import outlive_sigterm
from torch.utils.data import DataLoader


def read(worker_init_fn):
    """Reads all numbers; the worker is told to end after the first."""
    loader = DataLoader(
        torch.arange(200), 1, num_workers=1, prefetch_factor=1, worker_init_fn=worker_init_fn
    )
    found = []
    for number in loader:
        if not found:
            for worker in multiprocessing.active_children():
                os.kill(worker.pid, signal.SIGTERM)
        found.append(int(number))
    return found


def test_a_worker_goes_on_when_the_job_is_told_to_end():
    assert read(outlive_sigterm) == list(range(200))


def test_without_that_the_training_would_fail():
    # a worker that ends while it hands a batch over is noticed by the broken connection first
    with pytest.raises(
        (RuntimeError, ConnectionError), match=r"DataLoader worker|Connection reset"
    ):
        read(None)
