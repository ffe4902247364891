"""What AWS itself puts beside a function: Python, the runtime's client and, where asked for, its SDK."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import uuid
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VERSION = "3.13"
CLIENT, SDK = "awslambdaric", "boto3"


class RuntimeMissingError(Exception):
    """This machine has no such Python, or what AWS puts beside it could not be installed."""


@cache
def newer_python() -> str:
    """Find the Python of the functions; raises `RuntimeMissingError`."""
    pyenv = sorted(Path.home().glob(f".pyenv/versions/{VERSION}.*/bin/python{VERSION}"))
    named = [os.environ.get("PYTHON_NEWER", ""), sys.executable, f"python{VERSION}", *map(str, reversed(pyenv))]
    for python in filter(None, map(shutil.which, filter(None, named))):
        if _version(python) == VERSION:
            return python
    message = f"no Python {VERSION} on this machine, which is what the functions run on (PYTHON_NEWER may name one)"
    raise RuntimeMissingError(message)


@cache
def installed(package: str) -> Path:
    """Give the folder that holds a package and what it needs, for the Python of the functions."""
    folder = ROOT / "build" / "runtime" / f"{sys.platform}-{os.uname().machine}" / package
    if not folder.exists():
        # Two test processes may come here at the same time: each fills a folder of its own, one of them is kept.
        mine = folder.with_name(f"{package}-{uuid.uuid4().hex}")
        _install(package, mine)
        try:
            mine.rename(folder)
        except OSError:
            shutil.rmtree(mine)
    return folder


def _install(package: str, folder: Path) -> None:
    options = ["--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"]
    pinned = ["--constraint", str(ROOT / "constraints.txt"), "--target", str(folder)]
    command = [newer_python(), "-m", "pip", "install", *options, *pinned, package]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        message = f"{package} could not be installed: {done.stderr.strip().splitlines()[-1:]}"
        raise RuntimeMissingError(message)


def _version(python: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    told = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    return told.stdout.strip()
