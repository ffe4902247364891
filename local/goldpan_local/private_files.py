"""Files of the user that others may not read, because they hold questions; each is replaced as a whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldpan.errors import Misconfigured


def write_private(path: Path, content: str) -> None:
    """Write a file next to its place, readable by its owner only, then move it there. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, made = tempfile.mkstemp(prefix=f".{path.name}", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        Path(made).replace(path)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise


@contextmanager
def named_in_errors(path: Path) -> Iterator[None]:
    """Turn an error of the operating system into one that names the file. Raises `Misconfigured`."""
    try:
        yield
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise Misconfigured(message) from error
