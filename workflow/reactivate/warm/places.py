"""Where the warm process is found, and which requests it can serve."""

from collections.abc import Mapping

ADDRESS = "REACTIVATE_WARM"  # the environment's name for the path of its socket
LARGEST_MESSAGE = 1 << 17  # bytes, of one packet through a Unix socket
THREADS = "1"  # that libraries of the warm process may use, as of all short jobs
LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def threads_of(environment: Mapping[str, str]) -> str | None:
    """How many threads an environment lets libraries use; None where its limits differ."""
    said = {environment.get(name) for name in LIMITS}
    return said.pop() if len(said) == 1 else None
