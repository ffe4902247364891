"""Names the processes of a machine, so that any of them can tell whether another one has ended."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

PROC = Path("/proc")
ENDED = {"Z", "X"}
"""The states of a process that was killed and that its parent has not asked about yet."""
STATE, STARTED = 0, 19
"""Places in /proc/PID/stat after the name of the program, which may contain spaces and parentheses."""


def this_process() -> str:
    """Name this process: where process ids are unique, its id, and when it started, because ids are used again."""
    return _name(os.getpid())


def has_ended(process: str) -> bool:
    """Return whether a process has certainly ended; False for one of another machine or container, or of Windows."""
    place, _, rest = process.partition(" ")
    pid, _, started = rest.partition(" ")
    if not place or place != _place() or not pid.isdecimal():
        return False
    if started:
        return _started(int(pid)) != started
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):  # another user's process, or no process id
        return False
    return False


@cache
def _name(pid: int) -> str:
    return f"{_place()} {pid} {_started(pid)}"


@cache
def _place() -> str:
    """Name the machine since its last start, and its processes that see each other; empty where ids cannot be checked.

    On Windows, signal 0 would not ask about a process, but interrupt it.
    """
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.readlink(PROC / 'self/ns/pid')}"  # noqa: PTH115 - the link names no file
    except OSError:  # no Linux
        return os.uname().nodename if os.name == "posix" else ""


def _started(pid: int) -> str:
    """Return when a process started, in clock ticks since the machine did; empty if it has ended, or without /proc."""
    try:
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[STATE] in ENDED else fields[STARTED]
