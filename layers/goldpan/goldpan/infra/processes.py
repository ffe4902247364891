"""Names the processes of a machine, so that any of them can tell whether another one has ended."""

import os
import platform
from functools import cache
from pathlib import Path

PROC = Path("/proc")
ENDED = {"Z", "X"}
"""The states of a process that was killed and that its parent has not asked about yet."""
STATE, STARTED = 0, 19
"""Places in /proc/PID/stat after the name of the program, which may contain spaces and parentheses."""


def this_process() -> str:
    """Name this process by its machine, its id and when it started, because ids are used again."""
    return _name(os.getpid())


def has_ended(process: str) -> bool:
    """Return whether a process has certainly ended; False for one of another machine or container, or without /proc."""
    node, _, place = process.rpartition("/")
    pid, _, started = place.partition("@")
    return bool(started) and node == platform.node() and _started(pid) != started


@cache
def _name(pid: int) -> str:
    return f"{platform.node()}/{pid}@{_started(str(pid))}"


def _started(pid: str) -> str:
    """Return when a process started, in clock ticks since the machine did; empty if it has ended, or without /proc."""
    try:
        fields = (PROC / pid / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[STATE] in ENDED else fields[STARTED]
