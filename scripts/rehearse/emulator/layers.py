"""Unpacks each layer once: the emulator unpacks all layers of a function for each of its processes."""

import hashlib
import tempfile
import threading
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ministack.core import lambda_runtime

FOLDER = Path(tempfile.mkdtemp(prefix="rehearsal-layers-"))
LARGE = 1_000_000
"""Bytes of an archive that is unpacked once."""
_LOCK = threading.Lock()


class SharedZip(zipfile.ZipFile):
    """An archive whose folders are links to those that were unpacked before."""

    def extractall(self, path: Any = None, members: Any = None, pwd: Any = None) -> None:
        """Unpack into a folder by the digest of the archive, and link to it."""
        file = Path(str(self.filename))
        if file.stat().st_size < LARGE:
            return super().extractall(path, members, pwd)
        shared = FOLDER / hashlib.sha256(file.read_bytes()).hexdigest()
        with _LOCK:
            if not shared.exists():
                super().extractall(shared)
        for each in shared.iterdir():
            (Path(path) / each.name).symlink_to(each)
        return None


def install() -> None:
    """Let the processes of functions share their layers."""
    lambda_runtime.zipfile = SimpleNamespace(**(vars(zipfile) | {"ZipFile": SharedZip}))
