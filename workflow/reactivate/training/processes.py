"""The processes that train one network together, and their devices."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from reactivate.training.inputs import Share


def own_cpus(asked: int) -> int:
    """Number of CPUs that this process may use: its part of those that the job has.

    In a job of SLURM it is the job's number that counts: the machine that sent the job, whose
    CPUs limit what Snakemake asks for, may have fewer.

    Args:
        asked: Number that the command line says, for all processes of the job.
    """
    given = os.environ.get("SLURM_CPUS_PER_TASK")
    cpus = asked if given is None else min(int(given), len(os.sched_getaffinity(0)))
    return max(1, cpus // int(os.environ.get("LOCAL_WORLD_SIZE", "1")))


@contextmanager
def processes() -> Iterator[tuple[Share, torch.device]]:
    """This process's share of the work and its device; several under torchrun."""
    cuda = torch.cuda.is_available()
    if cuda:
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        # the sums of gmp and iieu have no deterministic form there: the record has the warning
        torch.use_deterministic_algorithms(True, warn_only=True)
        # else new tensors are filled first, on which no result depends: 1,301 fills in a step of
        # ResNet-50 with gmp, and 89 without
        torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    if "WORLD_SIZE" not in os.environ:
        yield Share(), torch.device("cuda" if cuda else "cpu")
        return
    local = int(os.environ["LOCAL_RANK"])
    if cuda:
        if local >= torch.cuda.device_count():
            raise ValueError(
                f"process {local + 1} of this machine has no GPU: there are "
                f"{torch.cuda.device_count()}; accepted: a process per GPU. Change processes"
            )
        torch.cuda.set_device(local)
    torch.distributed.init_process_group("nccl" if cuda else "gloo")
    try:
        share = Share(torch.distributed.get_rank(), torch.distributed.get_world_size())
        yield share, torch.device("cuda", local) if cuda else torch.device("cpu")
    finally:
        torch.distributed.destroy_process_group()
