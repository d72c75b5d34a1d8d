"""The processes that train one network together, and their devices."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from reactivate.training.inputs import Share


@contextmanager
def processes() -> Iterator[tuple[Share, torch.device]]:
    """This process's share of the work and its device; several under torchrun."""
    cuda = torch.cuda.is_available()
    if cuda:
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        # the sums of gmp and iieu have no deterministic form there: the record has the warning
        torch.use_deterministic_algorithms(True, warn_only=True)
    if "WORLD_SIZE" not in os.environ:
        yield Share(), torch.device("cuda" if cuda else "cpu")
        return
    torch.distributed.init_process_group("nccl" if cuda else "gloo")
    local = int(os.environ["LOCAL_RANK"])
    if cuda:
        torch.cuda.set_device(local)
    try:
        share = Share(torch.distributed.get_rank(), torch.distributed.get_world_size())
        yield share, torch.device("cuda", local) if cuda else torch.device("cpu")
    finally:
        torch.distributed.destroy_process_group()
