"""Sets the allocator of the GNU C library so that a server for many days returns to the system what it has freed.

The library raises two limits by itself whenever a block larger than the first is freed: the size from which a block is
mapped on its own, and how much freed memory stays at the end of an arena. After the imports, an arena keeps some
megabytes or none, by chance, and the memory of the process moves in steps of that size. A limit that is set stays
(mallopt(3), "dynamic mmap threshold"). Threads also have arenas, up to eight for each processor.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping

PARAMETERS = (
    (-1, "trim_threshold", 128 * 1024),
    (-3, "mmap_threshold", 128 * 1024),
    (-8, "arena_max", 2),
)
"""Of malloc.h: the number of a parameter, its name among the tunables, and its value. The thresholds are those with
which each process begins; Python runs one thread at a time, so that two arenas are enough."""


def return_freed_memory(environment: Mapping[str, str]) -> None:
    """Set each parameter that the environment does not set; to be called before the first thread starts.

    Does nothing where the C library is another one.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is None:
        return
    for number, name, value in PARAMETERS:
        if not _is_set(name, environment):
            mallopt(number, value)


def _is_set(name: str, environment: Mapping[str, str]) -> bool:
    """Whether the operator chose a value (ld.so(8), GLIBC_TUNABLES, and the older variables of mallopt(3))."""
    older = {f"MALLOC_{name.upper()}", f"MALLOC_{name.upper()}_"}
    return f"glibc.malloc.{name}=" in environment.get("GLIBC_TUNABLES", "") or not older.isdisjoint(environment)
