"""What a server frees goes back to the system, unless the operator wants something else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

FREE_TEN_MEGABYTES = """
import re
from pathlib import Path
from goldpan.errors import Misconfigured
from goldpan_local.server.http_server import run_server

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024

try:
    run_server("127.0.0.1", 0, None, 1)
except Misconfigured:
    del (before := bytearray(20_000_000))[:]  # by default, the C library would then keep up to 40 MB
    del before
    first = resident()
    blocks = [bytearray(b"x" * 100_000) for _ in range(100)]
    assert resident() > first + 8
    del blocks
    print(resident() - first)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="measures a process by /proc, and sets glibc's allocator")
@pytest.mark.parametrize(
    ("tunables", "kept"), [("", range(3)), ("glibc.malloc.trim_threshold=100000000", range(8, 12))]
)
def test_the_server_returns_freed_memory_to_the_system(tunables: str, kept: range) -> None:
    """Otherwise its memory moves in steps of megabytes that look like a leak; a tunable that is set is kept."""
    paths = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": paths, "GLIBC_TUNABLES": tunables, "GOLDPAN_API_KEYS": ","}
    code = [sys.executable, "-c", FREE_TEN_MEGABYTES]
    done = subprocess.run(code, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert int(done.stdout) in kept
