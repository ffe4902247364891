"""Sets the allocator of the GNU C library so that a server for many days returns to the system what it has freed.

The library raises two limits whenever a block larger than the first is freed: the size from which a block is mapped on
its own, and how much freed memory an arena keeps. A limit that is set stays (mallopt(3), "dynamic mmap threshold").
Threads also have arenas, up to eight for each processor; Python runs one thread at a time, so that two are enough.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # the parameters' numbers in malloc.h
VALUES = {TRIM_THRESHOLD: 128 * 1024, MMAP_THRESHOLD: 128 * 1024, ARENA_MAX: 2}


def return_freed_memory(environment: Mapping[str, str]) -> None:
    """Set the limits before the first thread starts, unless a variable of the environment sets the allocator.

    Does nothing where the C library is another one.
    """
    is_set = environment.get("GLIBC_TUNABLES") or any(name.startswith("MALLOC_") for name in environment)
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" and not is_set else None
    if mallopt is not None:
        for parameter, value in VALUES.items():
            mallopt(parameter, value)
