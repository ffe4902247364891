"""Runs code as if goldpan had no notes: the benchmarks and the judged set measure the texts of the data alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from goldpan.kinds.repositories import repository_text


@contextmanager
def without_notes() -> Iterator[None]:
    """Let no repository have a note."""
    with patch.object(repository_text, "notes", dict[str, str]):
        yield
