"""What Lambda puts beside a function: its Python, the runtime client and the SDK."""

import os
import shutil
import subprocess
import sys
import uuid
from functools import cache
from pathlib import Path

from tests.contract.stack.documents import ROOT

VERSION = "3.13"
CLIENT, SDK = "awslambdaric", "boto3"


class RuntimeMissingError(Exception):
    """This machine has no such Python, or a package could not be installed."""


@cache
def newer_python() -> str:
    """Find the Python of the functions. Raises `RuntimeMissingError`."""
    pyenv = sorted(Path.home().glob(f".pyenv/versions/{VERSION}.*/bin/python{VERSION}"))
    for name in (os.environ.get("PYTHON_NEWER"), sys.executable, f"python{VERSION}", *map(str, reversed(pyenv))):
        python = shutil.which(name) if name else None
        if python and _version(python) == VERSION:
            return python
    raise RuntimeMissingError(f"no Python {VERSION}, which the functions run on (PYTHON_NEWER may name one)")


def _version(python: str) -> str:
    run = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    return run.stdout.removeprefix("Python ").rpartition(".")[0]


@cache
def installed(package: str) -> Path:
    """Return the folder of a package and its dependencies, for the Python of the functions; install it once."""
    folder = ROOT / "build" / "runtime" / f"{sys.platform}-{os.uname().machine}" / package
    if not folder.exists():
        own = folder.with_name(f"{package}-{uuid.uuid4().hex}")  # two test processes may install at the same time
        _install(package, own)
        try:
            own.rename(folder)
        except OSError:
            shutil.rmtree(own)
    return folder


def _install(package: str, folder: Path) -> None:
    options = ["--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"]
    pinned = ["--constraint", str(ROOT / "constraints.txt"), "--target", str(folder)]
    command = [newer_python(), "-m", "pip", "install", *options, *pinned, package]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        raise RuntimeMissingError(f"{package} could not be installed: {run.stderr.strip().splitlines()[-1:]}")
