"""Let the allocator keep large blocks between steps."""

import ctypes
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # malloc.h
LARGE = 1 << 30


def keep_freed_memory() -> None:
    """Tells glibc to reuse freed blocks of any size instead of giving them back.

    A step of a small network allocates and frees the same few megabytes thousands of times; by
    default each time the kernel maps and zeroes them anew. Does nothing on other systems.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):  # glibc
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_TRIM_THRESHOLD, LARGE)
